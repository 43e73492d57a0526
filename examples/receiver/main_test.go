package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func nothing(string) string { return "" }

func TestTheDemoShowsWhatBecomesOfEachDelivery(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{"-demo"}, nothing, &out))
	columns := regexp.MustCompile(`  +`)
	var got []string
	for line := range strings.Lines(out.String()) {
		got = append(got, columns.ReplaceAllString(strings.TrimSpace(line), " | "))
	}
	assert.Equal(t, []string{
		"DELIVERY | ANSWER | THE RECEIVER | THE CUSTOMER",
		"the user accepts the terms | 200 | handled | session flwses_first active at accept_tos",
		"the same, delivered again | 200 | duplicate | session flwses_first active at accept_tos",
		"the session fails | 200 | handled | session flwses_first failed",
		"an earlier step, overtaken | 200 | handled | session flwses_first failed",
		"forged: signed with another secret | 401 | refused, the signature does not match | session flwses_first failed",
		"forged: failed made success on the way | 401 | refused, the body does not match its Digest header | session flwses_first failed",
		"replayed 20 minutes later | 401 | refused, the Date header is outside the tolerance | session flwses_first failed",
		"another event under a known id | 409 | conflict | session flwses_first failed",
		"a step of the retry, before the retry | 200 | handled | session flwses_second active at kyc_check",
		"the retry | 200 | handled | session flwses_second active at kyc_check",
		"the retry succeeds, our database is down | 500 | failed | session flwses_second success",
		"the same, delivered again | 200 | handled | session flwses_second success",
		"a kind that nobody knows yet | 200 | handled | session flwses_second success",
		"the success, to the plain handler | 200 | - | session flwses_second success",
		"forged, to the plain handler | 401 | - | session flwses_second success",
	}, got)
}

// The service's side of a receiver that run has started.
var signer = webhooktest.Signer{KeyID: "test_key_1", Secret: "a secret of some length", Path: receiverPath}

func environment(name string) string {
	return map[string]string{"IDV_WEBHOOK_KEY_ID": signer.KeyID, "IDV_WEBHOOK_SECRET": signer.Secret}[name]
}

func TestRunReceivesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	out, ended := &lines{c: make(chan string, 16)}, make(chan error, 1)
	go func() { ended <- run(ctx, []string{"-addr", "127.0.0.1:0"}, environment, out) }()
	address := strings.Fields(<-out.c)[2]
	body := webhooktest.Event{CustomerReference: "cafecafe"}.Body()
	req, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header = signer.Header(body)
	req.Close = true
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, http.StatusOK, answer.StatusCode)
	logged := <-out.c
	assert.Contains(t, logged, "outcome=handled")
	assert.NotContains(t, logged, "cafecafe")
	stop()
	require.NoError(t, <-ended)
}

// lines is a writer whose lines a test can wait for.
type lines struct{ c chan string }

func (l *lines) Write(p []byte) (int, error) { l.c <- string(p); return len(p), nil }

func TestRunRefusesWhatItCannotRunWith(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	for name, tt := range map[string]struct {
		args   []string
		getenv func(string) string
		want   string
	}{
		"no key":            {nil, nothing, "IDV_WEBHOOK_KEY_ID"},
		"a padded secret":   {[]string{"-key-id", "k", "-secret", "hush-hush "}, nothing, "blank"},
		"an unknown flag":   {[]string{"-sceret", "hush-hush"}, nothing, "-sceret"},
		"an address in use": {[]string{"-addr", taken.Addr().String()}, environment, "in use"},
	} {
		var out bytes.Buffer
		err := run(t.Context(), tt.args, tt.getenv, &out)
		require.ErrorContains(t, err, tt.want, name)
		assert.NotContains(t, err.Error()+out.String(), "hush-hush", name)
	}
}

func TestHelpShowsNoSecretOfTheEnvironment(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.Error(t, run(t.Context(), []string{"-help"}, environment, &out))
	assert.Contains(t, out.String(), "-secret")
	assert.NotContains(t, out.String(), signer.Secret)
	assert.NotContains(t, out.String(), signer.KeyID)
}

func newTestApp(t *testing.T) *app {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	a, err := newApp(key)
	require.NoError(t, err)
	return a
}

func TestBothWaysOfMountingStandHostileRequests(t *testing.T) {
	t.Parallel()
	plain := signer
	plain.Path = plainPath
	t.Run("receiver", func(t *testing.T) { webhooktest.Hostile(t, signer, newTestApp(t).routes()) })
	t.Run("middleware", func(t *testing.T) { webhooktest.Hostile(t, plain, newTestApp(t).routes()) })
}

func TestThePlainHandlerRefusesWhatIsNoEvent(t *testing.T) {
	t.Parallel()
	plain := signer
	plain.Path = plainPath
	w := httptest.NewRecorder()
	newTestApp(t).routes().ServeHTTP(w, plain.Request([]byte("no event")))
	assert.Equal(t, http.StatusBadRequest, w.Code)
}

// An event without a customer reference stays one however often it comes: to answer it with an error would have the service
// disable the webhook in the end.
func TestThePlainHandlerAcceptsWhatNoRedeliveryCanMend(t *testing.T) {
	t.Parallel()
	plain := signer
	plain.Path = plainPath
	body := bytes.Replace(webhooktest.Event{CustomerReference: "nobody"}.Body(), []byte(`"nobody"`), []byte(`""`), 1)
	w := httptest.NewRecorder()
	newTestApp(t).routes().ServeHTTP(w, plain.Request(body))
	assert.Equal(t, http.StatusOK, w.Code)
}

func TestHealthz(t *testing.T) {
	t.Parallel()
	a := newTestApp(t)
	health := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		a.routes().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
		return w
	}
	assert.Equal(t, http.StatusOK, health().Code)
	a.approve = func(string) error { return errors.New("down") }
	a.routes().ServeHTTP(httptest.NewRecorder(), signer.Event(webhooktest.Event{Status: "success"}))
	w := health()
	assert.Equal(t, http.StatusServiceUnavailable, w.Code)
	assert.Contains(t, w.Body.String(), a.receiver.Health().DisabledAt.UTC().Format(time.RFC3339))
}
