package flow_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// whole has every member that was observed, written by hand.
const whole = `{
	"id":"flwses_2","customer_reference":"c-42","created_at":"2021-01-01T01:00:00.5+01:00","completed_at":"2021-01-01T00:09:00Z",
	"previous_session_id":"flwses_1","shareable_url":"https://verify.example/x",
	"template":{"id":"flwtmp_1","version":3},
	"user":{"email":"a@example.com","ip_address":"192.0.2.7","phone":"+1 555","date_of_birth":"1980-08-23",
		"name":{"first":"John","last":"Doe"},"address":{"city":"Dover","later":[1]},"id_number":{"value":"0000","type":"us_ssn","category":"tax"}},
	"status":"success",
	"steps":{"accept_tos":"success","verify_sms":"not_applicable","kyc_check":"waiting_for_prerequisite","iris_scan":"dilated"},
	"kyc_check":{"status":"success"},"documentary_verification":{"status":"failed"},"screening_id":"scr_1",
	"_meta":"not v1.0","added_later":{"a":1}}`

// nothing has null wherever null was observed.
const nothing = `{"id":"flwses_1","customer_reference":"c-42","created_at":"2021-01-01T00:00:00Z","completed_at":null,"previous_session_id":null,
	"shareable_url":null,"template":{"id":"flwtmp_1","version":1},"user":{"email":null,"ip_address":null,"phone":null,"date_of_birth":null,
	"name":null,"address":null,"id_number":null},"status":"active","steps":{"accept_tos":"active"},"kyc_check":null,
	"documentary_verification":null,"screening_id":null,"_meta":null}`

func get(t *testing.T, body string) (*flow.Session, error) {
	t.Helper()
	c, _ := answering(t, 200, body)
	return c.Sessions.Get(t.Context(), "1")
}

func TestTheWholeSession(t *testing.T) {
	t.Parallel()
	s, err := get(t, whole)
	require.NoError(t, err)
	assert.Equal(t, "flwses_2", s.ID)
	assert.Equal(t, "c-42", s.CustomerReference)
	assert.Equal(t, time.Date(2021, 1, 1, 0, 0, 0, 5e8, time.UTC), s.CreatedAt.Time)
	assert.Equal(t, time.Date(2021, 1, 1, 0, 9, 0, 0, time.UTC), s.CompletedAt.Time)
	assert.Equal(t, "flwses_1", *s.PreviousSessionID)
	assert.Equal(t, "https://verify.example/x", *s.ShareableURL)
	assert.Equal(t, flow.Template{ID: "flwtmp_1", Version: 3}, s.Template)
	assert.Equal(t, "a@example.com", *s.User.Email)
	assert.Equal(t, "192.0.2.7", *s.User.IPAddress)
	assert.Equal(t, "+1 555", *s.User.Phone)
	assert.Equal(t, "1980-08-23", *s.User.DateOfBirth)
	assert.Equal(t, flow.Name{First: "John", Last: "Doe"}, *s.User.Name)
	assert.JSONEq(t, `{"city":"Dover","later":[1]}`, string(s.User.Address))
	assert.Equal(t, flow.IDNumber{Value: "0000", Type: "us_ssn", Category: "tax"}, *s.User.IDNumber)
	assert.Equal(t, flow.StatusSuccess, s.Status)
	assert.Equal(t, map[flow.Step]flow.StepStatus{
		flow.StepAcceptTOS: flow.StepStatusSuccess, flow.StepVerifySMS: flow.StepStatusNotApplicable,
		flow.StepKYCCheck: flow.StepStatusWaitingForPrerequisite, "iris_scan": "dilated",
	}, s.Steps)
	assert.JSONEq(t, `{"status":"success"}`, string(s.KYCCheck))
	assert.JSONEq(t, `{"status":"failed"}`, string(s.DocumentaryVerification))
	assert.Equal(t, "scr_1", *s.ScreeningID)
	assert.Equal(t, flow.Text("not v1.0"), s.Meta)
	assert.Equal(t, whole, string(s.RawJSON()))
	assert.Equal(t, map[string]json.RawMessage{"added_later": json.RawMessage(`{"a":1}`)}, s.Extra())
	assert.Equal(t, time.Date(2021, 1, 23, 21, 43, 14, 0, time.UTC), s.AsOf())
}

func TestNulls(t *testing.T) {
	t.Parallel()
	s, err := get(t, nothing)
	require.NoError(t, err)
	assert.True(t, s.CompletedAt.IsZero())
	assert.Equal(t, flow.User{}, s.User)
	for name, p := range map[string]*string{"previous_session_id": s.PreviousSessionID, "shareable_url": s.ShareableURL, "screening_id": s.ScreeningID} {
		assert.Nil(t, p, name)
	}
	assert.Nil(t, s.KYCCheck)
	assert.Nil(t, s.DocumentaryVerification)
	assert.Empty(t, s.Meta)
	assert.Nil(t, s.Extra())
}

func TestASessionComesThroughJSON(t *testing.T) {
	t.Parallel()
	for _, body := range []string{whole, nothing} {
		var first, back flow.Session
		require.NoError(t, json.Unmarshal([]byte(body), &first))
		data, err := json.Marshal(first)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &back))
		assert.True(t, first.CreatedAt.Equal(back.CreatedAt.Time))
		first.CreatedAt, back.CreatedAt = flow.Time{}, flow.Time{}
		assert.Equal(t, first, back)
		assert.Contains(t, string(data), `"created_at":"2021-01-01T00:00:00`)
		assert.Nil(t, first.RawJSON())
		assert.Zero(t, first.AsOf())
	}
}

// A beta format: what nothing is decided by may change without costing a look-up.
func TestDatesAndMetaOfAnotherKindCostNothing(t *testing.T) {
	t.Parallel()
	s, err := get(t, `{"id":"1","created_at":1609459200,"completed_at":"soon","_meta":{"version":1}}`)
	require.NoError(t, err)
	assert.True(t, s.CreatedAt.IsZero())
	assert.True(t, s.CompletedAt.IsZero())
	assert.Equal(t, flow.Text(`{"version":1}`), s.Meta)
}

func TestWhatIsNoSessionIsHandedOver(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"HTML": "<html>", "nothing": "", "null": "null", "an array": "[]", "no id": `{"status":"success"}`,
		"an id of another kind": `{"id":7}`, "a member twice": `{"id":"1","status":"failed","status":"success"}`,
	} {
		s, err := get(t, body)
		var decode *idv.DecodeError
		require.ErrorAs(t, err, &decode, name)
		assert.Nil(t, s, name)
		assert.Equal(t, body, string(decode.Body), name)
		assert.Contains(t, err.Error(), "idv: GET /flow_sessions/1: 200, but its body could not be decoded", name)
	}
}

func TestCurrentStep(t *testing.T) {
	t.Parallel()
	type steps = map[flow.Step]flow.StepStatus
	for name, c := range map[string]struct {
		status flow.Status
		steps  steps
		want   flow.Step
	}{
		"nobody has begun":            {"active", steps{"accept_tos": "waiting_for_prerequisite"}, ""},
		"at a step":                   {"active", steps{"accept_tos": "success", "selfie_check": "active"}, flow.StepSelfieCheck},
		"two at once":                 {"active", steps{"screening": "active", "verify_sms": "active", "a_new_one": "active"}, flow.StepVerifySMS},
		"a step that was added later": {"active", steps{"zeta": "active", "accept_tos": "success", "eta": "active"}, "eta"},
		"ended":                       {"expired", steps{"selfie_check": "active"}, ""},
		"no steps":                    {"active", nil, ""},
	} {
		s := flow.Session{Status: c.status, Steps: c.steps}
		assert.Equal(t, c.want, s.CurrentStep(), name)
	}
}

// A *Session that is given to Call is one like those of Get.
func TestCallFillsASession(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, whole)
	var s flow.Session
	require.NoError(t, c.Call(t.Context(), "PUT", "/flow_sessions/flwses_2/notes", nil, map[string]int{"a": 1}, &s))
	assert.Equal(t, whole, string(s.RawJSON()))
	assert.False(t, s.AsOf().IsZero())
	assert.Equal(t, `{"a":1}`, string((*requests)[0].Body))
	var missing *flow.Session
	var refused *idv.ParamError
	assert.ErrorAs(t, c.Call(t.Context(), "GET", "/flow_sessions/1", nil, nil, missing), &refused)
}

func FuzzSession(f *testing.F) {
	f.Add(whole)
	f.Add(nothing)
	f.Add(`{"id":"1","steps":null,"user":{"name":null,"address":[]},"created_at":"2021-01-01t00:00:00z"}`)
	f.Fuzz(func(t *testing.T, body string) {
		c := over(t, func(r *http.Request) (*http.Response, error) { return reply(r, 200, body), nil }, idv.WithMaxRetries(0))
		s, err := c.Sessions.Get(t.Context(), "1")
		var decode *idv.DecodeError
		if err != nil {
			require.True(t, errors.As(err, &decode), "%v", err)
			return
		}
		require.Equal(t, body, string(s.RawJSON()))
		s.CurrentStep()
		s.Extra()
		data, err := json.Marshal(s)
		require.NoError(t, err)
		var back flow.Session
		require.NoError(t, json.Unmarshal(data, &back))
	})
}
