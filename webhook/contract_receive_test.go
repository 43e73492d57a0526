package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// received is the event that a handler gets when a signed body is delivered.
func received(t *testing.T, body string) webhook.Event {
	t.Helper()
	r := receive(t)
	var got webhook.Event
	r.OnAny(func(_ context.Context, e webhook.Event) error { got = e; return nil })
	require.Equal(t, http.StatusOK, r.gets([]byte(body)))
	return got
}

func receivedSession(t *testing.T, body string) webhook.Session {
	t.Helper()
	s, ok := webhook.SessionOf(received(t, body))
	require.True(t, ok)
	return s
}

func TestContractEvents(t *testing.T) {
	t.Parallel()
	stepped := string(webhooktest.Event{Step: "selfie_check"}.Body())
	t.Run("W03 customerReference comes back as data.customer_reference", func(t *testing.T) {
		t.Parallel()
		for _, reference := range []string{"cafecafe-beef-beef-beef-cafecafecafe", "user 42", `quote " and \`, "Jürgen <ü>", "😀"} {
			body := webhooktest.Event{CustomerReference: reference}.Body()
			assert.Equal(t, reference, receivedSession(t, string(body)).CustomerReference)
		}
	})
	t.Run("W04 event fields: id, timestamp, event, data, environment", func(t *testing.T) {
		t.Parallel()
		e := received(t, published).Common()
		assert.Equal(t, "whkevt_11111111111111", e.ID)
		assert.Equal(t, "2021-01-01T00:00:00Z", e.Timestamp.Format("2006-01-02T15:04:05Z07:00"))
		assert.Equal(t, webhook.Kind("flow_session.status.updated"), e.Kind)
		assert.True(t, strings.HasPrefix(string(e.Data), `{"object":"flow_session"`) && strings.Contains(published, string(e.Data)))
		assert.Equal(t, webhook.Environment("live"), e.Environment)
	})
	t.Run("W05 environment is sandbox or live", func(t *testing.T) {
		t.Parallel()
		for _, env := range []webhook.Environment{webhook.EnvironmentSandbox, webhook.EnvironmentLive} {
			e := received(t, string(webhooktest.Event{Environment: string(env)}.Body()))
			assert.Equal(t, env, e.Common().Environment)
			assert.NoError(t, e.Validate())
		}
		assert.ErrorContains(t, received(t, string(webhooktest.Event{Environment: "test"}.Body())).Validate(), "environment")
	})
	t.Run("W06 data fields: object, id, status, step, customer_reference, _meta", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, webhook.Session{
			Object: "flow_session", ID: "flwses_11111111111111", Status: "failed", Step: "",
			CustomerReference: "cafecafe-beef-beef-beef-cafecafecafe",
			Meta:              "This API format is not v1.0 and is subject to change.",
		}, receivedSession(t, published))
	})
	t.Run("W07 the eight step values; any other survives", func(t *testing.T) {
		t.Parallel()
		for _, step := range []string{
			"accept_tos", "verify_sms", "kyc_check", "documentary_verification", "selfie_check", "screening", "risk_check", "kyc_screen",
		} {
			s := receivedSession(t, string(webhooktest.Event{Step: step}.Body()))
			assert.Equal(t, webhook.Step(step), s.Step)
			assert.True(t, s.Step.Known(), step)
		}
		s := receivedSession(t, string(webhooktest.Event{Step: "iris_scan"}.Body()))
		assert.Equal(t, webhook.Step("iris_scan"), s.Step)
		assert.False(t, s.Step.Known())
	})
	t.Run("W08 the six status values; any other survives", func(t *testing.T) {
		t.Parallel()
		for _, status := range []string{"active", "success", "failed", "expired", "canceled", "pending_review"} {
			s := receivedSession(t, string(webhooktest.Event{Status: status}.Body()))
			assert.Equal(t, webhook.Status(status), s.Status)
			assert.True(t, s.Status.Known(), status)
			assert.Equal(t, status != "active", s.Status.Terminal())
		}
		s := receivedSession(t, string(webhooktest.Event{Status: "on_hold"}.Body()))
		assert.Equal(t, webhook.Status("on_hold"), s.Status)
		assert.False(t, s.Status.Known() || s.Status.Terminal())
	})
	t.Run("W09 step.updated: status active, step set", func(t *testing.T) {
		t.Parallel()
		e, ok := received(t, stepped).(*webhook.StepUpdated)
		require.True(t, ok)
		assert.Equal(t, webhook.StatusActive, e.Session.Status)
		assert.Equal(t, webhook.StepSelfieCheck, e.Session.Step)
		assert.NoError(t, e.Validate())
		assert.Error(t, received(t, strings.Replace(stepped, `"selfie_check"`, `null`, 1)).Validate())
		assert.Error(t, received(t, strings.Replace(stepped, `"active"`, `"success"`, 1)).Validate())
	})
	t.Run("W10 status.updated: one of five statuses, step null", func(t *testing.T) {
		t.Parallel()
		for _, status := range []string{"success", "failed", "expired", "canceled", "pending_review"} {
			e, ok := received(t, string(webhooktest.Event{Status: status}.Body())).(*webhook.StatusUpdated)
			require.True(t, ok)
			assert.Equal(t, webhook.Status(status), e.Session.Status)
			assert.Empty(t, e.Session.Step)
			assert.NoError(t, e.Validate())
		}
		assert.Error(t, received(t, string(webhooktest.Event{Status: "active"}.Body())).Validate())
	})
	t.Run("W11 retried: a new session, active, at its first step", func(t *testing.T) {
		t.Parallel()
		e, ok := received(t, string(webhooktest.Event{Kind: "flow_session.retried", SessionID: "flwses_2"}.Body())).(*webhook.Retried)
		require.True(t, ok)
		assert.Equal(t, "flwses_2", e.Session.ID)
		assert.Equal(t, webhook.StatusActive, e.Session.Status)
		assert.Equal(t, webhook.StepAcceptTOS, e.Session.Step)
		assert.NoError(t, e.Validate())
	})
	t.Run("W12 screening events arrive with their data untouched", func(t *testing.T) {
		t.Parallel()
		data := `{ "z": 1.0, "a":[ 1e2,{"é":"\u00e9"} ],"n":null }`
		for _, kind := range []webhook.Kind{webhook.KindScreeningUpdated, webhook.KindEntityScreeningUpdated} {
			body := fmt.Sprintf(`{"id":"whkevt_1","timestamp":"2021-01-01T00:00:00Z","event":%q,"data":%s,"environment":"live"}`, kind, data)
			e, ok := received(t, body).(*webhook.ScreeningUpdated)
			require.True(t, ok)
			assert.Equal(t, kind, e.Kind)
			assert.Equal(t, data, string(e.Data))
			assert.NoError(t, e.Validate())
		}
	})
	t.Run("W31 a payload change before v1.0 does not break the receiver", func(t *testing.T) {
		t.Parallel()
		for name, change := range map[string]*strings.Replacer{
			"new members":       strings.NewReplacer(`"environment"`, `"api":{"v":2},"environment"`, `"object"`, `"score":[0.5],"object"`),
			"another _meta":     strings.NewReplacer(`This API format is not v1.0 and is subject to change.`, `v1.0`),
			"_meta is no text":  strings.NewReplacer(`"This API format is not v1.0 and is subject to change."`, `{"stable":true}`),
			"no _meta":          strings.NewReplacer(`,"_meta":"This API format is not v1.0 and is subject to change."`, ``),
			"another order":     strings.NewReplacer(`"id":"whkevt_11111111111111",`, ``, `"environment":"live"`, `"environment":"live","id":"whkevt_11111111111111"`),
			"blanks and breaks": strings.NewReplacer(`,`, " ,\r\n\t"),
		} {
			e, ok := received(t, change.Replace(published)).(*webhook.StatusUpdated)
			require.True(t, ok, name)
			assert.Equal(t, "whkevt_11111111111111", e.ID, name)
			assert.Equal(t, webhook.StatusFailed, e.Session.Status, name)
			assert.Equal(t, "cafecafe-beef-beef-beef-cafecafecafe", e.Session.CustomerReference, name)
		}
	})
}

func TestContractReceiver(t *testing.T) {
	t.Parallel()
	t.Run("W22 the receiver answers exactly 200 to what it handled, and never another 2xx", func(t *testing.T) {
		t.Parallel()
		r := webhook.NewReceiver(newVerifier(t))
		var fail error
		r.OnAny(func(context.Context, webhook.Event) error { return fail })
		server := httptest.NewServer(r)
		defer server.Close()
		for _, fail = range []error{nil, errors.New("down"), webhook.Permanent(errors.New("never"))} {
			body := webhooktest.Event{}.Body()
			req, err := http.NewRequest(http.MethodPost, server.URL+signer.Path, strings.NewReader(string(body)))
			require.NoError(t, err)
			req.Header = signer.Header(body)
			answer, err := server.Client().Do(req)
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
			handled := fail == nil || fail.Error() == "never"
			assert.Equal(t, handled, answer.StatusCode == http.StatusOK)
			assert.Equal(t, handled, answer.StatusCode/100 == 2)
			if handled {
				assert.Zero(t, answer.ContentLength, "the body is empty")
			}
		}
	})
	t.Run("W28 any delivery order folds to one state", func(t *testing.T) {
		t.Parallel()
		events := []webhooktest.Event{
			{Step: "accept_tos"}, {Step: "kyc_check"}, {Status: "failed"},
			{Kind: "flow_session.retried", SessionID: "flwses_2"}, {Step: "kyc_check", SessionID: "flwses_2"}, {Status: "success", SessionID: "flwses_2"},
		}
		var bodies [][]byte
		for i, e := range events {
			e.ID, e.CustomerReference = fmt.Sprintf("whkevt_%d", i), "c-42"
			e.Timestamp = sentAt.AddDate(0, 0, i)
			if e.SessionID == "" {
				e.SessionID = "flwses_1"
			}
			bodies = append(bodies, e.Body())
		}
		var want session.Customer
		for i := range 100 {
			r, got := receive(t), session.Customer{}
			r.OnAny(func(_ context.Context, e webhook.Event) error { return got.Apply(e) })
			for _, body := range append(bodies, bodies[i%len(bodies)]) {
				require.Equal(t, http.StatusOK, r.gets(body))
			}
			if i == 0 {
				want = got
			}
			require.True(t, got.Equal(want))
			current, _ := got.Current()
			require.Equal(t, "session flwses_2 success", fmt.Sprint(current))
			rand.Shuffle(len(bodies), func(i, j int) { bodies[i], bodies[j] = bodies[j], bodies[i] })
		}
	})
}

// The attacks that a user's own mounting must stand.
func TestTheReceiverStandsHostileRequests(t *testing.T) {
	t.Parallel()
	webhooktest.Hostile(t, signer, webhook.NewReceiver(newVerifier(t)))
}
