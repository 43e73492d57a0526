package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var errBoom = errors.New("boom, said cafecafe")

func TestReceiverAnswersWhatTheHandlerDid(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		handler func(context.Context, *webhook.StatusUpdated) error
		outcome webhook.Outcome
		status  int
		err     error
	}{
		"G75 it succeeds":                  {func(context.Context, *webhook.StatusUpdated) error { return nil }, webhook.OutcomeHandled, 200, nil},
		"G75 it returns an error":          {func(context.Context, *webhook.StatusUpdated) error { return errBoom }, webhook.OutcomeFailed, 500, errBoom},
		"G75 it returns a permanent error": {func(context.Context, *webhook.StatusUpdated) error { return webhook.Permanent(errBoom) }, webhook.OutcomePermanent, 200, errBoom},
		"G75 it wraps a permanent error": {func(context.Context, *webhook.StatusUpdated) error {
			return fmt.Errorf("x: %w", webhook.Permanent(errBoom))
		}, webhook.OutcomePermanent, 200, errBoom},
		"F71 it panics":                       {func(context.Context, *webhook.StatusUpdated) error { panic("boom") }, webhook.OutcomePanicked, 500, nil},
		"F71 it panics with an error":         {func(context.Context, *webhook.StatusUpdated) error { panic(errBoom) }, webhook.OutcomePanicked, 500, errBoom},
		"F71 it panics with nil":              {func(context.Context, *webhook.StatusUpdated) error { panic(nil) }, webhook.OutcomePanicked, 500, nil},
		"F71 it aborts":                       {func(context.Context, *webhook.StatusUpdated) error { panic(http.ErrAbortHandler) }, webhook.OutcomePanicked, 500, http.ErrAbortHandler},
		"G74 it is for another type of event": {nil, webhook.OutcomeUnhandled, 200, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := receive(t)
			if tt.handler != nil {
				webhook.On(r.Receiver, tt.handler)
			}
			webhook.On(r.Receiver, func(context.Context, *webhook.Retried) error { return errBoom })
			assert.Equal(t, tt.status, r.gets(succeeded))
			r.expect(tt.outcome, tt.status)
			if tt.err != nil {
				require.ErrorIs(t, r.last().Err, tt.err)
			}
		})
	}
}

// Programs that still ask for the panics of old Go: recover gives nil for panic(nil), which must not pass for a return.
func TestF71PanicNilOfOldGoIsNoSuccess(t *testing.T) {
	t.Setenv("GODEBUG", "panicnil=1")
	r, runs := receive(t), 0
	r.OnAny(func(context.Context, webhook.Event) error {
		if runs++; runs == 1 {
			panic(nil)
		}
		return nil
	})
	assert.Equal(t, 500, r.gets(succeeded))
	r.expect(webhook.OutcomePanicked, 500)
	assert.Equal(t, 200, r.gets(succeeded), "the redelivery runs")
	assert.Equal(t, 2, runs)
}

// What panics before the answer is written is an error to the service, is observed, and counts in Health.
func TestAHookThatPanicsIsAHandlerThatPanics(t *testing.T) {
	t.Parallel()
	conflicting := append([]byte(" "), succeeded...)
	for name, tt := range map[string]struct {
		option webhook.ReceiverOption
		body   []byte
	}{
		"payload error hook": {webhook.WithPayloadErrorHook(func(context.Context, *webhook.Delivery, error) { panic(errBoom) }), []byte("no event")},
		"conflict hook":      {webhook.WithConflictHook(func(context.Context, webhook.Event) { panic(errBoom) }), conflicting},
		"store":              {webhook.WithSeen(panicking{}), succeeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := receive(t, tt.option)
			if name == "conflict hook" {
				assert.Equal(t, 200, r.gets(succeeded))
			}
			assert.Equal(t, 500, r.gets(tt.body))
			r.expect(webhook.OutcomePanicked, 500)
			require.ErrorIs(t, r.last().Err, errBoom)
			assert.True(t, r.Health().Failing())
		})
	}
}

type panicking struct{ webhook.SeenStore }

func (panicking) Claim(context.Context, webhook.SeenKey, [32]byte) (webhook.Claim, error) {
	panic(errBoom)
}

func TestAFailedDeliveryIsHandledAgain(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() error{
		"H87 after an error":          func() error { return errBoom },
		"F71 after a panic":           func() error { panic(errBoom) },
		"F71 after an aborted answer": func() error { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, runs := receive(t), 0
			r.OnAny(func(context.Context, webhook.Event) error {
				if runs++; runs == 1 {
					return fail()
				}
				return nil
			})
			assert.Equal(t, 500, r.gets(succeeded))
			assert.Equal(t, 200, r.gets(succeeded))
			assert.Equal(t, 200, r.gets(succeeded))
			assert.Equal(t, 2, runs)
			r.expect(webhook.OutcomeDuplicate, 200)
		})
	}
}

// A handler that ends its goroutine, as a FailNow in a test's handler does, gives the claim up as well.
func TestAHandlerThatLeavesByGoexitReleasesItsClaim(t *testing.T) {
	t.Parallel()
	store := newMemory(t, webhook.MemoryConfig{})
	r, runs := receive(t, webhook.WithSeen(store)), 0
	r.OnAny(func(context.Context, webhook.Event) error {
		runs++
		runtime.Goexit()
		return nil
	})
	var left sync.WaitGroup
	left.Go(func() { r.ServeHTTP(httptest.NewRecorder(), signer.Request(succeeded)) })
	left.Wait()
	assert.Equal(t, 1, runs)
	assert.Zero(t, store.Len())
}

func TestPermanentErrorsGoToTheDeadLetterHook(t *testing.T) {
	t.Parallel()
	var letters []string
	hookErr := error(nil)
	r := receive(t, webhook.WithDeadLetter(func(_ context.Context, e webhook.Event, err error) error {
		letters = append(letters, e.Common().ID+": "+err.Error())
		return hookErr
	}))
	runs := 0
	r.OnAny(func(context.Context, webhook.Event) error { runs++; return webhook.Permanent(errBoom) })

	hookErr = errors.New("the dead-letter queue is down")
	assert.Equal(t, 500, r.gets(succeeded), "an event that could not be put aside is delivered again")
	require.ErrorIs(t, r.last().Err, hookErr)
	hookErr = nil
	assert.Equal(t, 200, r.gets(succeeded))
	assert.Equal(t, 200, r.gets(succeeded))
	assert.Equal(t, []string{"whkevt_1: boom, said cafecafe", "whkevt_1: boom, said cafecafe"}, letters)
	assert.Equal(t, 2, runs, "a dead letter is not delivered again")
	assert.NoError(t, webhook.Permanent(nil))
}

func TestHandlersRunInTheOrderOfTheirRegistration(t *testing.T) {
	t.Parallel()
	var ran []string
	note := func(name string, err error) func(context.Context, webhook.Event) error {
		return func(context.Context, webhook.Event) error { ran = append(ran, name); return err }
	}
	r := receive(t)
	r.OnAny(note("any", nil))
	webhook.On(r.Receiver, func(ctx context.Context, e *webhook.StatusUpdated) error { return note("typed", nil)(ctx, e) })
	webhook.On(r.Receiver, func(ctx context.Context, e *webhook.StepUpdated) error { return note("other", nil)(ctx, e) })
	r.OnAny(note("fails", errBoom))
	r.OnAny(note("never", nil))
	assert.Equal(t, 500, r.gets(succeeded))
	assert.Equal(t, []string{"any", "typed", "fails"}, ran)
}

func TestReceiverDispatchesByType(t *testing.T) {
	t.Parallel()
	r, got := receive(t), map[string]int{}
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.StepUpdated) error {
		got["step "+string(e.Session.Step)]++
		return nil
	})
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.StatusUpdated) error {
		got["status "+string(e.Session.Status)]++
		return nil
	})
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.Retried) error { got["retried "+e.Session.ID]++; return nil })
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.ScreeningUpdated) error {
		got["screening "+string(e.Data)]++
		return nil
	})
	r.OnUnknown(func(_ context.Context, e *webhook.UnknownEvent) error { got["unknown "+string(e.Kind)]++; return nil })

	r.getsEvent(webhooktest.Event{Step: "kyc_check"})
	r.getsEvent(webhooktest.Event{Status: "success"})
	r.getsEvent(webhooktest.Event{Kind: "flow_session.retried", SessionID: "flwses_2"})
	t.Run("G76 screening.status.updated gives its raw data", func(t *testing.T) {
		r.gets([]byte(`{"id":"whkevt_s","event":"screening.status.updated","data":{ "a":1.0 },"environment":"sandbox"}`))
		assert.Equal(t, 1, got[`screening { "a":1.0 }`])
	})
	t.Run("G76 unknown event kind gives 200 and OnUnknown", func(t *testing.T) {
		assert.Equal(t, 200, r.getsEvent(webhooktest.Event{Kind: "flow_session.paused"}))
		assert.Equal(t, 1, got["unknown flow_session.paused"])
	})
	assert.Equal(t, map[string]int{
		"step kyc_check": 1, "status success": 1, "retried flwses_2": 1, `screening { "a":1.0 }`: 1, "unknown flow_session.paused": 1,
	}, got)
}

func TestReceiverKeepsWhatTheContractDoesNotKnow(t *testing.T) {
	t.Parallel()
	r := receive(t)
	var seen *webhook.StepUpdated
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.StepUpdated) error { seen = e; return nil })
	t.Run("G77 unknown status, step, members and _meta", func(t *testing.T) {
		body := `{"id":"whkevt_1","event":"flow_session.step.updated","environment":"sandbox","new":[1],"data":{"object":"flow_session",` +
			`"id":"flwses_1","status":"on_hold","step":"iris_scan","customer_reference":"c","_meta":"v1.0","score":7}}`
		assert.Equal(t, 200, r.gets([]byte(body)))
		assert.Equal(t, webhook.Status("on_hold"), seen.Session.Status)
		assert.Equal(t, webhook.Step("iris_scan"), seen.Session.Step)
		assert.Equal(t, "v1.0", seen.Session.Meta)
		assert.Equal(t, "7", string(seen.DataExtra()["score"]))
		assert.Equal(t, body, string(seen.Raw))
	})
	t.Run("G80 oddities are flagged and not refused", func(t *testing.T) {
		body := `{"id":"evt_2","event":"flow_session.step.updated","environment":"sandbox",` +
			`"data":{"object":"session","id":"ses_1","status":"active","step":null,"customer_reference":"c"}}`
		assert.Equal(t, 200, r.gets([]byte(body)))
		for _, odd := range []string{"data.object", "id does not", "data.id", "data.step"} {
			assert.ErrorContains(t, seen.Validate(), odd)
		}
	})
}

func TestPayloadErrors(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"G78 undecodable JSON":      `{"id":"cafecafe`,
		"A15 gzip":                  gzipped(published),
		"A16 1 MiB of brackets":     strings.Repeat("[", 1<<20),
		"A17 duplicate JSON keys":   strings.Replace(published, `"status":"failed"`, `"status":"failed","status":"success"`, 1),
		"an event without id":       `{"event":"x"}`,
		"a Flow event without data": `{"id":"whkevt_1","event":"flow_session.retried"}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var hooked *webhook.Delivery
			r := receive(t, webhook.WithPayloadErrorHook(func(_ context.Context, d *webhook.Delivery, err error) {
				hooked = d
				assert.ErrorIs(t, err, webhook.ErrPayload)
			}))
			r.OnAny(func(context.Context, webhook.Event) error { t.Error("a handler ran"); return nil })
			assert.Equal(t, 400, r.gets([]byte(body)))
			r.expect(webhook.OutcomePayload, 400)
			require.NotNil(t, hooked)
			assert.Equal(t, body, string(hooked.Body))
			assert.NotContains(t, r.last().Err.Error(), "cafe")
		})
	}
}

func TestEnvironments(t *testing.T) {
	t.Parallel()
	live := newVerifier(t, webhook.WithEnvironments(webhook.EnvironmentLive))
	for name, tt := range map[string]struct {
		options []webhook.ReceiverOption
		env     string
		outcome webhook.Outcome
		status  int
	}{
		"G79 sandbox on a live receiver":           {nil, "sandbox", webhook.OutcomeEnvironment, 403},
		"G79 sandbox on a live receiver, accepted": {[]webhook.ReceiverOption{webhook.WithOtherEnvironments()}, "sandbox", webhook.OutcomeEnvironment, 200},
		"G79 live on a live receiver":              {nil, "live", webhook.OutcomeHandled, 200},
		"G79 an unknown environment":               {nil, "canary", webhook.OutcomeEnvironment, 403},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ran := receiveWith(t, live, tt.options...), false
			r.OnAny(func(context.Context, webhook.Event) error { ran = true; return nil })
			assert.Equal(t, tt.status, r.getsEvent(webhooktest.Event{Environment: tt.env}))
			r.expect(tt.outcome, tt.status)
			assert.Equal(t, tt.env == "live", ran)
			if tt.env != "live" {
				assert.ErrorIs(t, r.last().Err, webhook.ErrEnvironment)
			}
		})
	}
}

func TestReceiverRefusesWhatIsNotVerified(t *testing.T) {
	t.Parallel()
	var refused error
	r := receiveWith(t, newVerifier(t, webhook.WithRefusalHook(func(_ context.Context, err error) { refused = err })))
	r.OnAny(func(context.Context, webhook.Event) error { t.Error("a handler ran"); return nil })
	for name, tt := range map[string]struct {
		change func(*http.Request)
		want   error
		status int
	}{
		"a forged signature": {func(r *http.Request) { r.Header.Set("Date", "Sat, 23 Jan 2021 21:43:14 GMT") }, webhook.ErrSignatureMismatch, 401},
		"no signature":       {func(r *http.Request) { r.Header.Del("Authorization") }, webhook.ErrNotSigned, 401},
		"another method":     {func(r *http.Request) { r.Method = http.MethodPut }, webhook.ErrMethod, 405},
		"another body":       {func(r *http.Request) { r.Body = http.NoBody; r.ContentLength = 0 }, webhook.ErrDigestMismatch, 401},
	} {
		req := signer.Request(succeeded)
		tt.change(req)
		assert.Equal(t, tt.status, r.getsRequest(req), name)
		r.expect(webhook.OutcomeRefused, tt.status)
		require.ErrorIs(t, r.last().Err, tt.want, name)
		require.ErrorIs(t, refused, tt.want, name)
	}
}

func TestHandlersSeeTheDelivery(t *testing.T) {
	t.Parallel()
	r := receive(t)
	r.OnAny(func(ctx context.Context, _ webhook.Event) error {
		d, ok := webhook.FromContext(ctx)
		if assert.True(t, ok) {
			assert.Equal(t, signer.KeyID, d.KeyID)
			assert.Equal(t, succeeded, d.Body)
		}
		token, ok := webhook.FencingToken(ctx)
		assert.True(t, ok)
		assert.NotZero(t, token)
		return nil
	})
	assert.Equal(t, 200, r.gets(succeeded))
	_, ok := webhook.FencingToken(t.Context())
	assert.False(t, ok)
}

func TestMountingWithoutWhatIsNeededPanicsAtOnce(t *testing.T) {
	t.Parallel()
	assert.PanicsWithValue(t, "webhook: NewReceiver(nil): it needs a Verifier; was the error of NewVerifier ignored?",
		func() { webhook.NewReceiver(nil) })
	assert.PanicsWithValue(t, "webhook: On needs a handler, not nil", func() { receive(t).OnAny(nil) })
}

func TestNilOptionsMeanTheDefault(t *testing.T) {
	t.Parallel()
	r := webhook.NewReceiver(newVerifier(t), nil, webhook.WithSeen(nil), webhook.WithLogger(nil), webhook.WithObserver(nil),
		webhook.WithDeadLetter(nil), webhook.WithConflictHook(nil), webhook.WithPayloadErrorHook(nil))
	webhook.On(r, func(_ context.Context, e *webhook.StatusUpdated) error { return webhook.Permanent(errBoom) })
	for _, body := range []string{string(succeeded), string(succeeded), strings.Replace(string(succeeded), "success", "failed", 1), "x"} {
		r.ServeHTTP(httptest.NewRecorder(), signer.Request([]byte(body)))
	}
	assert.Equal(t, 2, r.Health().Failures, "the conflict and the payload error")
}
