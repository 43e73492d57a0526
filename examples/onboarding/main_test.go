package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"example.com/idv/idvtest"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// application is the app of a test, on a port, with the service that it goes by.
type application struct {
	*app
	t       *testing.T
	service *idvtest.Server
	base    string
}

func newApplication(t *testing.T, opts ...idvtest.Option) application {
	t.Helper()
	service := idvtest.Start(t, opts...)
	server := httptest.NewUnstartedServer(nil)
	a, err := start(service, "http://"+server.Listener.Addr().String())
	require.NoError(t, err)
	server.Config.Handler = a.routes()
	server.Start()
	t.Cleanup(func() { a.stop(); server.Close(); a.api.CloseIdleConnections() })
	return application{a, t, service, server.URL}
}

// post sends a form as the page does.
func (a application) post(path string, form url.Values) *http.Response {
	a.t.Helper()
	resp, err := http.PostForm(a.base+path, form)
	require.NoError(a.t, err)
	_ = resp.Body.Close()
	return resp
}

func (a application) plays(actions ...string) {
	a.t.Helper()
	for _, action := range actions {
		path := "/customers/c-42/play"
		if action == "retry" {
			path = "/customers/c-42/retry"
		}
		resp := a.post(path, url.Values{"action": {action}})
		require.Equal(a.t, http.StatusNoContent, resp.StatusCode, action)
	}
}

func (a application) begin() {
	a.t.Helper()
	resp := a.post("/customers", url.Values{"reference": {"c-42"}})
	require.Equal(a.t, http.StatusOK, resp.StatusCode)
	require.Equal(a.t, "/customers/c-42", resp.Request.URL.Path)
}

func (a application) now() view {
	v, _, _ := a.view("c-42")
	return v
}

func TestAVerificationFromTheFirstPageToTheApproval(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	assert.Equal(t, "not begun", a.now().Status)
	a.begin() // a second click
	a.plays("next", "next", "next")
	v := a.now()
	assert.Equal(t, "active", v.Status)
	assert.Equal(t, []stepView{{"accept_tos", "done"}, {"verify_sms", "done"}, {"kyc_check", "current"}}, v.Steps[:3])
	assert.Equal(t, counts{Events: 3}, v.Counts)
	a.plays("success")
	v = a.now()
	assert.Equal(t, []string{"success", "approved"}, []string{v.Status, v.Decision})
	assert.Equal(t, counts{Events: 4, LookUps: 1}, v.Counts, "a success counts once the service itself has said so")
	assert.Equal(t, "approved", v.Log[0].Text)
}

func TestAFailureAndARetryThroughTheAPI(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	a.plays("next", "failed")
	v := a.now()
	assert.Equal(t, []string{"failed", "not approved"}, []string{v.Status, v.Decision})
	assert.Equal(t, stepView{"accept_tos", "ended"}, v.Steps[0])
	a.plays("retry", "next")
	again := a.now()
	assert.NotEqual(t, v.SessionID, again.SessionID)
	assert.Equal(t, []string{"active", "waiting"}, []string{again.Status, again.Decision})
	a.plays("pending_review")
	assert.Equal(t, "in review", a.now().Decision)
	a.plays("success")
	assert.Equal(t, "approved", a.now().Decision)
	assert.Len(t, a.now().Sessions, 2)
}

// The events come in any order, and half of them twice: the state is that of the service, for every order.
func TestTheStateIsRightWhateverArrives(t *testing.T) {
	t.Parallel()
	for seed := range uint64(30) {
		a := newApplication(t, idvtest.WithSeed(seed), idvtest.WithShuffledDeliveries(seed), idvtest.WithDuplicatedDeliveries(seed))
		a.begin()
		first := a.now().SessionID
		s, err := a.service.FlowSession(first)
		require.NoError(t, err)
		require.NoError(t, s.EnterStep(idvtest.StepAcceptTOS))
		require.NoError(t, s.EnterStep(idvtest.StepSelfieCheck))
		a.service.Clock.Advance(time.Minute)
		next, err := s.Retry()
		require.NoError(t, err)
		require.NoError(t, next.EnterStep(idvtest.StepKYCCheck))
		require.NoError(t, next.Finish("pending_review"))
		require.NoError(t, next.Finish("success"))
		a.service.Clock.Advance(time.Minute)
		v := a.now()
		require.Equal(t, next.ID, v.SessionID, "seed %d", seed)
		require.Equal(t, []string{"success", "approved"}, []string{v.Status, v.Decision}, "seed %d", seed)
		require.Equal(t, []sessionView{{first, "canceled"}, {next.ID, "success"}}, v.Sessions, "seed %d", seed)
	}
}

// Events that contradict each other: the service says what is true.
func TestAContradictionIsLookedUp(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	a.plays("next", "failed")
	signer := webhooktest.Signer{KeyID: a.service.WebhookKeyID, Secret: a.service.WebhookSecret, Path: receiverPath, Now: a.service.Clock.Now}
	event := webhooktest.Event{ID: "whkevt_1", SessionID: a.now().SessionID, CustomerReference: "c-42", Status: "success", Timestamp: a.service.Clock.Now().Add(time.Hour)}
	for range 2 { // and its redelivery
		w := httptest.NewRecorder()
		a.routes().ServeHTTP(w, signer.Event(event))
		assert.Equal(t, http.StatusOK, w.Code)
	}
	v := a.now()
	assert.Equal(t, []string{"failed", "not approved"}, []string{v.Status, v.Decision})
	assert.Equal(t, 1, v.Counts.LookUps)
}

// While the API is down nobody is approved; the service delivers again, and the customer is.
func TestALookUpThatFailsIsMadeUpFor(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	a.service.Fail(idvtest.Fault{Method: "GET", Path: "/flow_sessions/{id}", Status: http.StatusForbidden, Times: 2})
	a.plays("next", "success")
	assert.Equal(t, []string{"success", "not approved"}, []string{a.now().Status, a.now().Decision})
	a.service.Clock.Advance(96 * time.Hour)
	assert.Equal(t, "approved", a.now().Decision)
}

func TestThePagesShowTheState(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	a.plays("next", "next")
	for path, want := range map[string][]string{
		"/":               {`name="reference"`, "Open an account"},
		"/customers/c-42": {`data-status="active"`, `<li class="current">verify sms</li>`, a.now().Signature, `data-live="/customers/c-42/live"`},
		"/web/live.js":    {"EventSource"},
	} {
		resp, err := http.Get(a.base + path)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		assert.Contains(t, resp.Header.Get("Content-Security-Policy"), "default-src 'self'")
		for _, text := range want {
			assert.Contains(t, strings.ReplaceAll(string(body), "&#43;", "+"), text, path)
		}
	}
}

func TestThePageIsLive(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	a.begin()
	resp, err := http.Get(a.base + "/customers/c-42/live")
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	lines := bufio.NewScanner(resp.Body)
	status := func() string {
		for lines.Scan() {
			if _, rest, found := strings.Cut(lines.Text(), `data-status="`); found {
				status, _, _ := strings.Cut(rest, `"`)
				return status
			}
		}
		return "the end"
	}
	assert.Equal(t, "not begun", status())
	a.plays("next")
	assert.Equal(t, "active", status())
	a.stop()
	for status() != "the end" { // the application ends its pages
	}
}

func TestWhatIsRefused(t *testing.T) {
	t.Parallel()
	a := newApplication(t)
	assert.Equal(t, http.StatusBadRequest, a.post("/customers", url.Values{"reference": {" "}}).StatusCode)
	assert.Equal(t, http.StatusBadRequest, a.post("/customers", url.Values{"reference": {"(request-target): post /\ndate: x\ndigest: y"}}).StatusCode,
		"a page must not show a signature that would do for a webhook")
	assert.Equal(t, http.StatusNotFound, a.post("/customers/nobody/play", nil).StatusCode)
	assert.Equal(t, http.StatusConflict, a.post("/customers/nobody/retry", nil).StatusCode)
	a.begin()
	a.plays("next", "next", "next", "next", "next", "next", "next")
	assert.Equal(t, http.StatusConflict, a.post("/customers/c-42/play", url.Values{"action": {"next"}}).StatusCode, "there is no step after the last")
	a.plays("failed")
	assert.Equal(t, http.StatusConflict, a.post("/customers/c-42/play", url.Values{"action": {"success"}}).StatusCode, "it has ended")
	for _, path := range []string{"/customers/nobody", "/customers/nobody/live", "/elsewhere"} {
		resp, err := http.Get(a.base + path)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, path)
	}
	foreign, err := http.NewRequest(http.MethodPost, a.base+"/customers/c-42/retry", nil)
	require.NoError(t, err)
	foreign.Header.Set("Origin", "https://other.example")
	resp, err := http.DefaultClient.Do(foreign)
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, http.StatusForbidden, resp.StatusCode, "another site posts for a visitor")
}

func TestTheReceiverStandsHostileRequests(t *testing.T) {
	t.Parallel()
	a := newApplication(t, idvtest.WithStartTime(time.Now()))
	webhooktest.Hostile(t, webhooktest.Signer{KeyID: a.service.WebhookKeyID, Secret: a.service.WebhookSecret, Path: receiverPath, Now: a.service.Clock.Now}, a.receiver)
}

func TestRun(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0", "-delay", "1ms"}, in) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	var address string
	_, err = fmt.Sscanf(line, "open %s", &address)
	require.NoError(t, err)
	resp, err := http.Get(address)
	require.NoError(t, err)
	_ = resp.Body.Close()
	assert.Equal(t, http.StatusOK, resp.StatusCode)
	stop()
	require.NoError(t, <-ended)
}

func TestRunRefusesWhatItCannotRunWith(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for want, args := range map[string][]string{"in use": {"-addr", taken.Addr().String()}, "-adr": {"-adr", "x"}} {
		var out bytes.Buffer
		require.ErrorContains(t, run(t.Context(), args, &out), want)
	}
}
