package trust_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"example.com/idv"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deliveries are requests that a receiver gets, good ones and others, with canaries in all they hold.
func deliveries(s webhooktest.Signer) map[string]*http.Request {
	event := webhooktest.Event{CustomerReference: canaryData}
	changed := func(f func(*http.Request)) *http.Request {
		r := s.Event(event)
		f(r)
		return r
	}
	other := s
	other.Secret += "x"
	return map[string]*http.Request{
		"good":          s.Event(event),
		"unknown kind":  s.Event(webhooktest.Event{Kind: "later.event", CustomerReference: canaryData}),
		"forged":        other.Event(event),
		"not JSON":      s.Request([]byte(canaryData)),
		"wrong types":   s.Request([]byte(`{"id":{"` + canaryData + `":"` + canaryData + `"},"data":"` + canaryData + `"}`)),
		"bad timestamp": s.Request([]byte(`{"id":"1","event":"x","environment":"live","timestamp":"` + canaryData + `","data":{}}`)),
		"altered":       changed(func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(canaryData)) }),
		"cut":           changed(func(r *http.Request) { r.Body = io.NopCloser(io.MultiReader()); r.ContentLength = 99 }),
		"failing body":  changed(func(r *http.Request) { r.Body = io.NopCloser(failing{}); r.ContentLength = 99 }),
		"other path":    changed(func(r *http.Request) { r.RequestURI = "/" + canaryData }),
		"bad path":      changed(func(r *http.Request) { r.RequestURI = canaryData }),
		"method":        changed(func(r *http.Request) { r.Method = canaryData }),
		"authorization": changed(func(r *http.Request) { r.Header.Set("Authorization", canarySecret) }),
		"another key id": changed(func(r *http.Request) {
			r.Header.Set("Authorization", strings.ReplaceAll(r.Header.Get("Authorization"), canaryKey, canarySecret))
		}),
		"date":    changed(func(r *http.Request) { r.Header.Set("Date", canaryData) }),
		"digest":  changed(func(r *http.Request) { r.Header.Set("Digest", canaryData) }),
		"version": changed(func(r *http.Request) { r.Header.Set("Service-Version", canaryData) }),
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New(canaryData) }

// handlers are what a program may do with an event whose data ends up in an error or a panic.
var handlers = map[string]func(*webhook.StatusUpdated) error{
	"fine":  func(*webhook.StatusUpdated) error { return nil },
	"fails": func(e *webhook.StatusUpdated) error { return errors.New(e.Session.CustomerReference) },
	"gives up": func(e *webhook.StatusUpdated) error {
		return webhook.Permanent(errors.New(e.Session.CustomerReference))
	},
	"panics": func(e *webhook.StatusUpdated) error { panic(e.Session.CustomerReference) },
	"panics with an error": func(e *webhook.StatusUpdated) error {
		panic(fmt.Errorf("no account for %s", e.Session.CustomerReference))
	},
}

func TestNoTextOfTheReceiverHoldsACanary(t *testing.T) {
	t.Parallel()
	signer := webhooktest.Signer{KeyID: canaryKey, Secret: canarySecret, Path: "/hook"}
	for how, handler := range handlers {
		for what, request := range deliveries(signer) {
			t.Run(how+"/"+what, func(t *testing.T) {
				t.Parallel()
				var logged bytes.Buffer
				receiver := webhook.NewReceiver(verifier(t, func(err error) { assertSilent(t, err, "the refusal") }),
					webhook.WithLogger(slog.New(slog.NewJSONHandler(&logged, nil))),
					webhook.WithPayloadErrorHook(func(_ context.Context, d *webhook.Delivery, err error) {
						assertSilent(t, err, "the payload error")
						assertSilent(t, d, "the delivery")
					}),
					webhook.WithObserver(func(_ context.Context, o webhook.Observation) { assertSilent(t, o, "the observation") }))
				webhook.On(receiver, func(ctx context.Context, e *webhook.StatusUpdated) error {
					d, _ := webhook.FromContext(ctx)
					assertSilent(t, d, "the delivery")
					assertSilent(t, e, "the event")
					return handler(e)
				})
				answer := httptest.NewRecorder()
				receiver.ServeHTTP(answer, request)
				assertClean(t, fmt.Sprint(answer.Result().Header, answer.Body), "the answer")
				assertClean(t, logged.String(), "the log")
				assert.NotEmpty(t, logged.String())
				assertSilent(t, receiver.Health(), "the health")
			})
		}
	}
}

func verifier(t *testing.T, refused func(error)) *webhook.Verifier {
	t.Helper()
	key, err := webhook.NewSigningKey(canaryKey, canarySecret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithRefusalHook(func(_ context.Context, err error) { refused(err) }))
	require.NoError(t, err)
	return v
}

func TestNoRefusedKeyIsQuoted(t *testing.T) {
	t.Parallel()
	for id, secret := range map[string]string{canaryKey + "\n": "x", canaryKey + `"`: "x", "id": canarySecret + "\n", "id2": canarySecret + "\x00"} {
		_, err := webhook.NewSigningKey(id, secret)
		require.Error(t, err)
		assertSilent(t, err, "NewSigningKey")
	}
}

// failedTest is a testing.TB that has failed, and keeps what is logged.
type failedTest struct {
	testing.TB
	logged   strings.Builder
	cleanups []func()
}

func (f *failedTest) Helper()          {}
func (f *failedTest) Failed() bool     { return true }
func (f *failedTest) Cleanup(c func()) { f.cleanups = append(f.cleanups, c) }
func (f *failedTest) Log(args ...any)  { fmt.Fprintln(&f.logged, args...) }

// TestTheLogOfAFailedTestHoldsNoCanary: the test service tells a failed test what arrived.
func TestTheLogOfAFailedTestHoldsNoCanary(t *testing.T) {
	t.Parallel()
	failed := &failedTest{TB: t}
	service := idvtest.Start(failed)
	said := new(spoken)
	c, err := idv.New(service.URL, service.TestKey, idv.WithMaxRetries(0))
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	for _, call := range calls {
		said.error(t, call.name, call.call(t.Context(), c))
	}
	for _, r := range service.Requests() {
		assertSilent(t, r, "a request")
		assert.Equal(t, []string{"Basic"}, r.Header["Authorization"], "the key is not kept")
	}
	assertSilent(t, service, "the service")
	for _, cleanup := range failed.cleanups {
		cleanup()
	}
	assert.Contains(t, failed.logged.String(), "POST")
	assertClean(t, failed.logged.String(), "the log of the test")
	assert.NotContains(t, failed.logged.String(), service.TestKey)
}
