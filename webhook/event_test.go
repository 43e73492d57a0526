package webhook_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// published is the body of the contract's sample.
const published = `{"id":"whkevt_11111111111111","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated",` +
	`"data":{"object":"flow_session","id":"flwses_11111111111111","status":"failed","step":null,` +
	`"customer_reference":"cafecafe-beef-beef-beef-cafecafecafe","_meta":"This API format is not v1.0 and is subject to change."},` +
	`"environment":"live"}`

func parse(t testing.TB, body string) webhook.Event {
	t.Helper()
	e, err := webhook.ParseEvent([]byte(body))
	require.NoError(t, err)
	return e
}

func TestParseEventReadsThePublishedSample(t *testing.T) {
	t.Parallel()
	e, ok := parse(t, published).(*webhook.StatusUpdated)
	require.True(t, ok)
	assert.Equal(t, "whkevt_11111111111111", e.ID)
	assert.Equal(t, webhook.KindStatusUpdated, e.Kind)
	assert.Equal(t, time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC), e.Timestamp)
	assert.Equal(t, webhook.EnvironmentLive, e.Environment)
	assert.Equal(t, published, string(e.Raw))
	assert.Equal(t, webhook.Session{
		Object: "flow_session", ID: "flwses_11111111111111", Status: webhook.StatusFailed,
		CustomerReference: "cafecafe-beef-beef-beef-cafecafecafe",
		Meta:              "This API format is not v1.0 and is subject to change.",
	}, e.Session)
	assert.NoError(t, e.Validate())
}

func TestParseEventGivesEachKindItsType(t *testing.T) {
	t.Parallel()
	for kind, want := range map[webhook.Kind]webhook.Event{
		webhook.KindStepUpdated:            &webhook.StepUpdated{},
		webhook.KindStatusUpdated:          &webhook.StatusUpdated{},
		webhook.KindRetried:                &webhook.Retried{},
		webhook.KindScreeningUpdated:       &webhook.ScreeningUpdated{},
		webhook.KindEntityScreeningUpdated: &webhook.ScreeningUpdated{},
		"flow_session.paused":              &webhook.UnknownEvent{},
		"FLOW_SESSION.RETRIED":             &webhook.UnknownEvent{},
	} {
		e := parse(t, fmt.Sprintf(`{"id":"whkevt_1","event":%q,"data":{}}`, kind))
		assert.IsType(t, want, e)
		assert.Equal(t, kind, e.Common().Kind)
		_, flow := webhook.SessionOf(e)
		assert.Equal(t, strings.HasPrefix(string(kind), "flow_session.") && kind != "flow_session.paused", flow, kind)
	}
}

func TestParseEventRefuses(t *testing.T) {
	t.Parallel()
	const secret = "PERSONAL"
	for name, body := range map[string]string{
		"nothing":                       ``,
		"null":                          `null`,
		"a string":                      `"PERSONAL"`,
		"an array":                      `[{"id":"PERSONAL"}]`,
		"garbage":                       `PERSONAL`,
		"A16 1 MiB of brackets":         strings.Repeat("[", 1<<20),
		"A16 a body nested 10 000 deep": `{"id":"whkevt_1","event":"e","x":` + strings.Repeat(`{"a":`, 10_001) + `1` + strings.Repeat(`}`, 10_001) + `}`,
		"A15 gzip":                      gzipped(published),
		"A17 duplicate status":          strings.Replace(published, `"status":"failed"`, `"status":"failed","status":"success"`, 1),
		"A17 duplicate, escaped":        strings.Replace(published, `"status":"failed"`, `"status":"failed","st\u0061tus":"success"`, 1),
		"A17 duplicate at the top":      strings.Replace(published, `"id":`, `"id":"PERSONAL","id":`, 1),
		"A17 duplicate in a screening":  `{"id":"whkevt_1","event":"screening.status.updated","data":{"a":{"b":1,"b":2}}}`,
		"two values":                    published + published,
		"truncated":                     published[:200],
		"no id":                         strings.Replace(published, `"id":"whkevt_11111111111111",`, ``, 1),
		"an empty id":                   strings.Replace(published, `whkevt_11111111111111`, ``, 1),
		"an id of another type":         strings.Replace(published, `"whkevt_11111111111111"`, `7`, 1),
		"no event":                      strings.Replace(published, `"event"`, `"evnt"`, 1),
		"another case":                  strings.Replace(published, `"event"`, `"Event"`, 1),
		"no data":                       `{"id":"whkevt_1","event":"flow_session.retried"}`,
		"null data":                     `{"id":"whkevt_1","event":"flow_session.retried","data":null}`,
		"data of another type":          `{"id":"whkevt_1","event":"flow_session.retried","data":["PERSONAL"]}`,
		"a status of another type":      strings.Replace(published, `"failed"`, `{"PERSONAL":"PERSONAL"}`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := webhook.ParseEvent([]byte(body))
			require.ErrorIs(t, err, webhook.ErrPayload)
			assert.Nil(t, e)
			assert.NotContains(t, err.Error(), secret)
			assert.NotContains(t, err.Error(), "cafecafe")
		})
	}
}

func gzipped(s string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

func TestParseEventKeepsWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	body := strings.NewReplacer(
		`"failed"`, `"on_hold"`, `"step":null`, `"step":"iris_scan"`,
		`"environment":"live"`, `"environment":"canary","trace":{"id":[1, 2]}`,
		`"_meta":"This API format is not v1.0 and is subject to change."`, `"_meta":{"v":"1.0"},"score":0.5`,
	).Replace(published)
	e := parse(t, body).(*webhook.StatusUpdated)
	assert.Equal(t, webhook.Status("on_hold"), e.Session.Status)
	assert.Equal(t, webhook.Step("iris_scan"), e.Session.Step)
	assert.Equal(t, webhook.Environment("canary"), e.Environment)
	assert.JSONEq(t, `{"v":"1.0"}`, e.Session.Meta)
	assert.Equal(t, map[string]json.RawMessage{"trace": json.RawMessage(`{"id":[1, 2]}`)}, e.Extra())
	assert.Equal(t, map[string]json.RawMessage{"score": json.RawMessage(`0.5`)}, e.DataExtra())
	assert.Nil(t, parse(t, published).Common().Extra())
	assert.Nil(t, parse(t, published).Common().DataExtra())
}

func TestParseEventLosesNoEventToAMemberThatDecidesNothing(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`"plain"`:                "plain",
		`"a\u0062\n"`:            "ab\n",
		`"é"`:                    "é",
		"\"\xff\"":               "\uFFFD",
		`42`:                     "42",
		`7`:                      "7",
		`12345678901234567890`:   "12345678901234567890",
		`null`:                   "",
		`{"tenant": 7}`:          `{"tenant": 7}`,
		`"cafe\ud83d\ude00cafe"`: "cafe😀cafe",
	} {
		body := strings.Replace(published, `"cafecafe-beef-beef-beef-cafecafecafe"`, value, 1)
		s, _ := webhook.SessionOf(parse(t, body))
		assert.Equal(t, want, s.CustomerReference, value)
	}
}

func TestParseEventReadsTimestamps(t *testing.T) {
	t.Parallel()
	newYear := time.Date(2021, 1, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Time{
		`"2021-01-01T00:00:00Z"`:           newYear,
		`"2021-01-01t00:00:00z"`:           newYear,
		`"2021-01-01T00:00:00.000000001Z"`: newYear.Add(1),
		`"2021-01-01T02:00:00+02:00"`:      newYear,
		`"2021-01-01T00:00:00"`:            {},
		`"yesterday"`:                      {},
		`"9999-12-31T23:59:59-01:00"`:      {},
		`"0000-01-01T00:00:00+01:00"`:      {},
		`1609459200`:                       {},
		`null`:                             {},
	} {
		body := strings.Replace(published, `"2021-01-01T00:00:00Z"`, text, 1)
		got := parse(t, body).Common().Timestamp
		assert.True(t, want.Equal(got), "%s gave %s", text, got)
		assert.Equal(t, time.UTC, got.Location(), text)
	}
}

func TestAnEventOwnsItsMemory(t *testing.T) {
	t.Parallel()
	for _, body := range []string{published, `{"id":"whkevt_1","event":"screening.status.updated","data":{"name":"Ann"}}`} {
		buffer := []byte(body)
		e, err := webhook.ParseEvent(buffer)
		require.NoError(t, err)
		for i := range buffer {
			buffer[i] = 'x'
		}
		assert.Equal(t, parse(t, body), e)
	}
}

func TestValidate(t *testing.T) {
	t.Parallel()
	step := strings.NewReplacer("status.updated", "step.updated", `"failed"`, `"active"`, `"step":null`, `"step":"kyc_check"`).Replace(published)
	require.NoError(t, parse(t, step).Validate())
	for name, tt := range map[string]struct{ body, want string }{
		"G80 object is not flow_session":   {strings.Replace(published, `"flow_session"`, `"session"`, 1), "data.object"},
		"G80 event id without prefix":      {strings.Replace(published, `whkevt_`, `evt_`, 1), "id does not begin with whkevt_"},
		"G80 session id without prefix":    {strings.Replace(published, `flwses_`, `ses_`, 1), "data.id"},
		"G80 step null with status active": {strings.Replace(step, `"kyc_check"`, `null`, 1), "data.step is null"},
		"retried without step":             {strings.NewReplacer("step.updated", "retried", `"kyc_check"`, `null`).Replace(step), "data.step is null"},
		"status update with a step":        {strings.Replace(published, `null`, `"screening"`, 1), "data.step is set"},
		"status update that says active":   {strings.Replace(published, `"failed"`, `"active"`, 1), "data.status is active"},
		"step update that says success":    {strings.Replace(step, `"active"`, `"success"`, 1), "data.status is terminal"},
		"unknown status":                   {strings.Replace(published, `"failed"`, `"on_hold"`, 1), "data.status"},
		"unknown step":                     {strings.Replace(step, `kyc_check`, `iris`, 1), "data.step"},
		"unknown environment":              {strings.Replace(published, `"live"`, `"canary"`, 1), "environment"},
		"no timestamp":                     {strings.Replace(published, `timestamp`, `time`, 1), "timestamp"},
		"no customer reference":            {strings.Replace(published, `customer_reference`, `reference`, 1), "data.customer_reference"},
		"unknown kind":                     {strings.Replace(published, `status.updated`, `merged`, 1), "event is none"},
		"screening without an environment": {`{"id":"whkevt_1","event":"screening.status.updated","timestamp":"2021-01-01T00:00:00Z"}`, "environment"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := parse(t, tt.body).Validate()
			require.ErrorContains(t, err, tt.want)
			assert.NotContains(t, err.Error(), "cafecafe")
			assert.NotContains(t, err.Error(), "1111")
		})
	}
}

func TestEventsPrintNoPersonalData(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"flow_session.status.updated", "flow_session.step.updated", "flow_session.retried", "screening.status.updated", "new.kind"} {
		e := parse(t, strings.Replace(published, "flow_session.status.updated", kind, 1))
		var b bytes.Buffer
		slog.New(slog.NewJSONHandler(&b, nil)).Info("event", "event", e)
		slog.New(slog.NewTextHandler(&b, nil)).Info("event", "event", e)
		fmt.Fprintf(&b, "%v %+v %#v %s %q %x %d", e, e, e, e, e, e, e)
		fmt.Fprintf(&b, "%v %+v", *e.Common(), e.Common())
		if s, ok := webhook.SessionOf(e); ok {
			fmt.Fprintf(&b, "%v %+v %#v %s", s, s, &s, []webhook.Session{s})
		}
		assert.NotContains(t, b.String(), "cafe")
		assert.NotContains(t, b.String(), "not v1.0")
		assert.Contains(t, b.String(), "whkevt_11111111111111")
		assert.Contains(t, fmt.Sprint(e), "whkevt_11111111111111", "a text says which event it is about")
	}
}

func TestParseEventAllocatesLittle(t *testing.T) {
	most := 10.0
	if raced {
		most = 20
	}
	body := []byte(published)
	allocs := testing.AllocsPerRun(200, func() {
		if _, err := webhook.ParseEvent(body); err != nil {
			panic(err)
		}
	})
	assert.LessOrEqual(t, allocs, most)
}

func BenchmarkParseEvent(b *testing.B) {
	body := []byte(published)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := webhook.ParseEvent(body); err != nil {
			b.Fatal(err)
		}
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(published))
	f.Add([]byte(`{"id":"whkevt_1","event":"screening.status.updated","data":[1,{"a":null}]}`))
	f.Add([]byte(`{"id":"\u0000","event":"x","timestamp":1e9,"data":"\ud800"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		e, err := webhook.ParseEvent(body)
		if err != nil {
			require.ErrorIs(t, err, webhook.ErrPayload)
			return
		}
		require.NotEmpty(t, e.Common().ID)
		require.True(t, bytes.Equal(body, e.Common().Raw))
		require.True(t, e.Common().Data == nil || bytes.Contains(body, e.Common().Data), "the data are not as they came")
		again, err := webhook.ParseEvent(e.Common().Raw)
		require.NoError(t, err)
		require.Equal(t, e, again)
		_, _ = e.Validate(), fmt.Sprint(e)
	})
}
