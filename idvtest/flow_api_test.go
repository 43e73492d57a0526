package idvtest_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

// flowAPI sends signed requests to the Flow API, by plain HTTP.
type flowAPI struct {
	t *testing.T
	s *idvtest.Server
}

type flowAnswer struct {
	t      *testing.T
	status int
	header http.Header
	body   []byte
}

func (a flowAPI) get(path string) flowAnswer { return a.send(a.request("GET", path, "")) }

func (a flowAPI) post(path, body string) flowAnswer { return a.send(a.request("POST", path, body)) }

// request is signed over path and query.
func (a flowAPI) request(method, target, body string) *http.Request {
	a.t.Helper()
	req, err := http.NewRequest(method, a.s.URL+target, strings.NewReader(body))
	require.NoError(a.t, err)
	req.Header.Set("Accept", "application/vnd.api+json")
	req.Header.Set("Content-Type", "application/vnd.api+json")
	req.Header.Set("Service-Version", "2020-08-14")
	a.sign(req, target, body, a.s.Clock.Now())
	return req
}

func (a flowAPI) sign(req *http.Request, target, body string, at time.Time) {
	date := at.UTC().Format(http.TimeFormat)
	req.Header.Set("Date", date)
	req.Header.Set("Digest", digest([]byte(body)))
	req.Header.Set("Authorization", authorization(a.s.WebhookKeyID, a.s.WebhookSecret, req.Method, target, date, []byte(body)))
}

func (a flowAPI) send(req *http.Request) flowAnswer {
	a.t.Helper()
	resp, err := http.DefaultClient.Do(req)
	require.NoError(a.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	return flowAnswer{a.t, resp.StatusCode, resp.Header, body}
}

// session decodes a success.
func (a flowAnswer) session(status int) map[string]any {
	a.t.Helper()
	require.Equal(a.t, status, a.status, string(a.body))
	var session map[string]any
	require.NoError(a.t, json.Unmarshal(a.body, &session))
	return session
}

// pointer decodes an error and returns what it points to.
func (a flowAnswer) pointer(status int) string {
	a.t.Helper()
	require.Equal(a.t, status, a.status, string(a.body))
	var failure struct {
		Errors []struct {
			Title, Detail string
			Source        struct{ Pointer string }
		}
	}
	require.NoError(a.t, json.Unmarshal(a.body, &failure))
	require.Len(a.t, failure.Errors, 1)
	assert.NotEmpty(a.t, failure.Errors[0].Title)
	assert.NotEmpty(a.t, failure.Errors[0].Detail)
	assert.Equal(a.t, "application/vnd.api+json", a.header.Get("Content-Type"))
	return failure.Errors[0].Source.Pointer
}

const template = `"template_id":"` + idvtest.FlowTemplate + `"`

func TestFlowAPIShowsTheWholeSession(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	session := s.StartSession("ref")
	s.Clock.Advance(time.Minute)
	require.NoError(t, session.EnterStep(idvtest.StepKYCCheck))
	got := flowAPI{t, s}.get("/flow_sessions/" + session.ID).session(http.StatusOK)
	assert.Equal(t, map[string]any{
		"id": session.ID, "customer_reference": "ref", "status": "active",
		"created_at": "2025-01-01T00:00:00Z", "completed_at": nil, "previous_session_id": nil, "shareable_url": nil,
		"template": map[string]any{"id": idvtest.FlowTemplate, "version": 1.0},
		"user": map[string]any{"email": nil, "ip_address": nil, "phone": nil, "date_of_birth": nil,
			"name": nil, "address": nil, "id_number": nil},
		"steps": map[string]any{"accept_tos": "success", "verify_sms": "waiting_for_prerequisite", "kyc_check": "active",
			"kyc_screen": "not_applicable", "documentary_verification": "waiting_for_prerequisite", "selfie_check": "waiting_for_prerequisite",
			"screening": "waiting_for_prerequisite", "risk_check": "waiting_for_prerequisite"},
		"kyc_check": map[string]any{"status": "active"}, "documentary_verification": nil, "screening_id": nil,
		"_meta": "This API format is not v1.0 and is subject to change.",
	}, got)
}

func TestFlowAPIShowsWhatALaterVersionMight(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithFutureFormat())
	session := s.StartSession("ref")
	require.NoError(t, session.EnterStep("iris_scan"))
	got := flowAPI{t, s}.get("/flow_sessions/" + session.ID).session(http.StatusOK)
	assert.Equal(t, "active", got["steps"].(map[string]any)["iris_scan"])
	assert.Contains(t, got, "added_later")
	assert.Equal(t, "This API format is v1.0.", got["_meta"])
}

func TestFlowAPIShowsTheEndAndTheRetry(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithScreening())
	api := flowAPI{t, s}
	first := s.StartSession("ref")
	require.NoError(t, first.Screen("hit"))
	s.Clock.Advance(time.Hour)
	second, err := first.Retry()
	require.NoError(t, err)
	old := api.get("/flow_sessions/" + first.ID).session(http.StatusOK)
	assert.Equal(t, "canceled", old["status"])
	assert.Equal(t, "2025-01-01T01:00:00Z", old["completed_at"])
	assert.Equal(t, "canceled", old["steps"].(map[string]any)["accept_tos"])
	assert.NotNil(t, old["screening_id"])
	next := api.get("/flow_sessions/" + second.ID).session(http.StatusOK)
	assert.Equal(t, first.ID, next["previous_session_id"])
	assert.Equal(t, "active", next["steps"].(map[string]any)["accept_tos"])
}

func TestFlowAPICreatesSessions(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	api := flowAPI{t, s}
	hook := listen(t, s)
	body := `{"shareable":true,` + template + `,"user":{"customer_reference":"ref","email":"a@example.com","phone":"+1","name":{"first":"A","last":"B"}}}`
	created := api.post("/flow_sessions", body).session(http.StatusCreated)
	assert.Contains(t, created["shareable_url"], created["id"])
	user := created["user"].(map[string]any)
	assert.Equal(t, "a@example.com", user["email"])
	assert.Equal(t, map[string]any{"first": "A", "last": "B"}, user["name"])
	assert.Equal(t, "waiting_for_prerequisite", created["steps"].(map[string]any)["accept_tos"])
	assert.Empty(t, hook.messages(), "the user has not begun")

	session, err := s.FlowSession(created["id"].(string))
	require.NoError(t, err)
	assert.Empty(t, session.Step())
	require.NoError(t, session.EnterStep(idvtest.StepAcceptTOS))
	assert.Equal(t, []string{"step.updated accept_tos"}, hook.story())
}

func TestFlowAPICreatesOnceWhenIdempotent(t *testing.T) {
	t.Parallel()
	api := flowAPI{t, idvtest.Start(t)}
	create := func(path, reference, template string) flowAnswer {
		return api.post(path, `{"template_id":"`+template+`","user":{"customer_reference":"`+reference+`"}}`)
	}
	first := create("/flow_sessions?idempotent=true", "ref", "flwtmp_a").session(http.StatusCreated)
	again := create("/flow_sessions?idempotent=true", "ref", "flwtmp_a").session(http.StatusOK)
	assert.Equal(t, first, again)
	create("/flow_sessions?idempotent=true", "other", "flwtmp_a").session(http.StatusCreated)
	create("/flow_sessions?idempotent=true", "ref", "flwtmp_b").session(http.StatusCreated)
	create("/flow_sessions", "ref", "flwtmp_a").session(http.StatusCreated)
	assert.Empty(t, create("/flow_sessions?idempotent=yes", "ref", "flwtmp_a").pointer(http.StatusBadRequest))
}

func TestFlowAPIRetryStrategies(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		finish, strategy string
		first            string
		sms, selfie      string
	}{
		"reset repeats every step":                    {"failed", `"reset"`, "accept_tos", "waiting_for_prerequisite", "waiting_for_prerequisite"},
		"incomplete repeats what was not passed":      {"failed", `"incomplete"`, "kyc_check", "success", "waiting_for_prerequisite"},
		"infer repeats what was not passed":           {"failed", `"infer"`, "kyc_check", "success", "waiting_for_prerequisite"},
		"infer repeats everything after a success":    {"success", `"infer"`, "accept_tos", "waiting_for_prerequisite", "waiting_for_prerequisite"},
		"custom repeats the steps that are asked for": {"failed", `"custom","steps":{"selfie_check":true,"verify_sms":false}`, "selfie_check", "success", "active"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := idvtest.Start(t)
			session := s.StartSession("ref")
			for _, step := range []string{idvtest.StepVerifySMS, idvtest.StepSelfieCheck, idvtest.StepKYCCheck} {
				require.NoError(t, session.EnterStep(step))
			}
			require.NoError(t, session.Finish(tt.finish))
			hook := listen(t, s)
			next := flowAPI{t, s}.post("/flow_sessions/retry",
				`{"customer_reference":"ref",`+template+`,"strategy":`+tt.strategy+`}`).session(http.StatusCreated)
			steps := next["steps"].(map[string]any)
			assert.Equal(t, "active", steps[tt.first])
			assert.Equal(t, tt.sms, steps["verify_sms"])
			if tt.first != "kyc_check" {
				assert.Equal(t, tt.selfie, steps["selfie_check"])
			}
			assert.Equal(t, []string{"retried " + tt.first}, hook.story())
		})
	}
}

func TestFlowAPIRefusesBadInput(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	s.StartSession("ref")
	user := `"user":{"customer_reference":"ref"}`
	for name, tt := range map[string]struct {
		path, body string
		status     int
		pointer    string
	}{
		"no JSON":                {"/flow_sessions", `{`, 400, ""},
		"no template":            {"/flow_sessions", `{` + user + `}`, 400, "/template_id"},
		"a template of no kind":  {"/flow_sessions", `{"template_id":"x",` + user + `}`, 400, "/template_id"},
		"no user":                {"/flow_sessions", `{` + template + `}`, 400, "/user/customer_reference"},
		"a wrong type":           {"/flow_sessions", `{` + template + `,"user":{"customer_reference":7}}`, 400, "/user/customer_reference"},
		"no reference":           {"/flow_sessions/retry", `{` + template + `,"strategy":"reset"}`, 400, "/customer_reference"},
		"no strategy":            {"/flow_sessions/retry", `{` + template + `,"customer_reference":"ref"}`, 400, "/strategy"},
		"an unknown strategy":    {"/flow_sessions/retry", `{` + template + `,"customer_reference":"ref","strategy":"x"}`, 400, "/strategy"},
		"custom without steps":   {"/flow_sessions/retry", `{` + template + `,"customer_reference":"ref","strategy":"custom"}`, 400, "/steps"},
		"custom, unknown step":   {"/flow_sessions/retry", `{` + template + `,"customer_reference":"ref","strategy":"custom","steps":{"x":true}}`, 400, "/steps/x"},
		"an unknown customer":    {"/flow_sessions/retry", `{` + template + `,"customer_reference":"x","strategy":"reset"}`, 404, "/customer_reference"},
		"another template of it": {"/flow_sessions/retry", `{"template_id":"flwtmp_x","customer_reference":"ref","strategy":"reset"}`, 404, "/customer_reference"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.pointer, flowAPI{t, s}.post(tt.path, tt.body).pointer(tt.status))
		})
	}
	t.Run("an unknown session", func(t *testing.T) {
		t.Parallel()
		flowAPI{t, s}.get("/flow_sessions/flwses_x").pointer(http.StatusNotFound)
	})
}

func TestScriptedErrorsOfTheFlowAPIHaveItsForm(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	s.Fail(idvtest.Fault{Status: http.StatusServiceUnavailable})
	assert.Empty(t, flowAPI{t, s}.get("/flow_sessions/flwses_x").pointer(http.StatusServiceUnavailable))
}

func TestFlowAPIRefusesWhatIsNotSigned(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	api := flowAPI{t, s}
	target := "/flow_sessions?idempotent=true"
	body := `{` + template + `,"user":{"customer_reference":"ref"}}`
	for name, tt := range map[string]struct {
		spoil  func(*http.Request)
		status int
	}{
		"as it should be":        {func(*http.Request) {}, 201},
		"no Authorization":       {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"no Date":                {func(r *http.Request) { r.Header.Del("Date") }, 401},
		"no Digest":              {func(r *http.Request) { r.Header.Del("Digest") }, 401},
		"Basic":                  {func(r *http.Request) { r.SetBasicAuth(s.TestKey, "") }, 401},
		"path without the query": {func(r *http.Request) { api.sign(r, "/flow_sessions", body, s.Clock.Now()) }, 401},
		"another method":         {func(r *http.Request) { api.sign(r, target, body, s.Clock.Now()); r.Method = "PUT" }, 404},
		"another body":           {func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(strings.ToUpper(body))) }, 401},
		"another Date":           {func(r *http.Request) { r.Header.Set("Date", s.Clock.Now().Add(time.Second).Format(http.TimeFormat)) }, 401},
		"899 s late":             {func(r *http.Request) { api.sign(r, target, body, s.Clock.Now().Add(-899*time.Second)) }, 201},
		"899 s early":            {func(r *http.Request) { api.sign(r, target, body, s.Clock.Now().Add(899*time.Second)) }, 201},
		"900 s late":             {func(r *http.Request) { api.sign(r, target, body, s.Clock.Now().Add(-900*time.Second)) }, 401},
		"900 s early":            {func(r *http.Request) { api.sign(r, target, body, s.Clock.Now().Add(900*time.Second)) }, 401},
		"another Accept":         {func(r *http.Request) { r.Header.Set("Accept", "application/json") }, 406},
		"another Content-Type":   {func(r *http.Request) { r.Header.Set("Content-Type", "application/json") }, 415},
		"no Service-Version":     {func(r *http.Request) { r.Header.Del("Service-Version") }, 400},
	} {
		t.Run(name, func(t *testing.T) {
			s := idvtest.Start(t, idvtest.WithWebhookKey(s.WebhookKeyID, s.WebhookSecret))
			req := flowAPI{t, s}.request("POST", target, body)
			tt.spoil(req)
			answer := api.send(req)
			if assert.Equal(t, tt.status, answer.status, string(answer.body)); answer.status != 201 && answer.status != 404 {
				answer.pointer(tt.status)
			}
		})
	}
}
