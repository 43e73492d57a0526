package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
)

func TestAnObservationTellsKindSkewAndDuration(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := receive(t)
		r.OnAny(func(context.Context, webhook.Event) error { time.Sleep(3 * time.Second); return nil })
		late := signer
		late.Now = func() time.Time { return time.Now().Add(-5 * time.Minute) }
		assert.Equal(t, 200, r.getsRequest(late.Event(webhooktest.Event{ID: "whkevt_7", Step: "kyc_check", Environment: "live"})))
		assert.Equal(t, webhook.Observation{
			Outcome: webhook.OutcomeHandled, Status: 200, EventID: "whkevt_7", Kind: webhook.KindStepUpdated,
			Environment: webhook.EnvironmentLive, Skew: 5 * time.Minute, Duration: 3 * time.Second,
		}, r.last())
	})
}

// Whatever happens, neither the log nor the text of an observation has anything of the customer.
func TestLogsAndObservationsHoldNoPersonalData(t *testing.T) {
	t.Parallel()
	synctest.Test(t, logsAndObservationsHoldNoPersonalData) // it waits for a store that is down
}

func logsAndObservationsHoldNoPersonalData(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r := receive(t, webhook.WithLogger(logger), webhook.WithSeen(&failingStore{
		SeenStore: newMemory(t, webhook.MemoryConfig{}), release: errors.New("store of cafecafe"), commit: errors.New("store of cafecafe"),
	}))
	outcomes := []error{nil, errBoom, webhook.Permanent(errBoom)}
	webhook.On(r.Receiver, func(context.Context, *webhook.StatusUpdated) error {
		err := outcomes[0]
		outcomes = outcomes[1:]
		return err
	})
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.StepUpdated) error { panic(e.Session.CustomerReference) })
	webhook.On(r.Receiver, func(context.Context, *webhook.Retried) error { var none []int; _ = none[len(none)]; return nil })
	event := webhooktest.Event{CustomerReference: "cafecafe"}
	for range 3 {
		r.getsEvent(event)
	}
	event.Step = "kyc_check"
	r.getsEvent(event)
	event.Kind = "flow_session.retried"
	r.getsEvent(event)
	r.gets([]byte(`{"id":"cafecafe"`))
	forged := signer.Request(succeeded)
	forged.Header.Set("Authorization", `Signature keyId="cafecafe"`)
	r.getsRequest(forged)

	for _, o := range r.observed {
		fmt.Fprintf(&log, "%v %+v %#v %s", o, &o, o, o)
	}
	text := log.String()
	assert.NotContains(t, text, "cafecafe")
	assert.NotContains(t, text, signer.KeyID)
	for _, want := range []string{
		`"outcome":"handled"`, `"outcome":"failed"`, `"outcome":"permanent"`, `"outcome":"panicked"`, `"outcome":"payload"`, `"outcome":"refused"`,
		`"level":"ERROR"`, `"level":"WARN"`, "panicked with a value of type string", "index out of range", `"store_error":"*errors.errorString"`,
	} {
		assert.Contains(t, text, want)
	}
	assert.Equal(t, 7, strings.Count(text, `"msg":"webhook delivery"`))
}

func TestLogLevels(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	r := receive(t, webhook.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	level := func(status int, body []byte) string {
		log.Reset()
		assert.Equal(t, status, r.gets(body))
		_, rest, _ := strings.Cut(log.String(), "level=")
		level, _, _ := strings.Cut(rest, " ")
		return level
	}
	assert.Equal(t, "INFO", level(200, succeeded))
	assert.Equal(t, "INFO", level(200, succeeded))
	assert.Equal(t, "ERROR", level(409, append([]byte(" "), succeeded...)))
	assert.Equal(t, "ERROR", level(400, []byte("x")))
}
