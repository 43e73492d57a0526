package webhook_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	signer := signer
	signer.Now = clock
	r := receiveWith(t, newVerifier(t, webhook.WithClock(clock)))
	fails := false
	r.OnAny(func(context.Context, webhook.Event) error {
		if fails {
			return errBoom
		}
		return nil
	})
	gets := func() { r.getsRequest(signer.Event(webhooktest.Event{})) }
	after := func(d time.Duration) { now = now.Add(d) }

	assert.Zero(t, r.Health(), "nothing is known of a new receiver")
	gets()
	success := now
	assert.Equal(t, webhook.Health{LastSuccess: success}, r.Health())
	assert.False(t, r.Health().Failing())

	fails = true
	after(time.Hour)
	gets()
	failing := now
	after(2 * 24 * time.Hour)
	gets()
	assert.Equal(t, webhook.Health{
		LastSuccess: success, FailingSince: failing, Failures: 2,
		WarningAt: failing.Add(3 * 24 * time.Hour), DisabledAt: failing.Add(4 * 24 * time.Hour),
	}, r.Health())
	assert.True(t, r.Health().Failing())

	fails = false
	after(time.Hour)
	gets()
	assert.Equal(t, webhook.Health{LastSuccess: now}, r.Health(), "one success ends it")
}

func TestHealthTellsForgedRequestsFromFailedDeliveries(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	signer := signer
	signer.Now = func() time.Time { return now }
	for name, tt := range map[string]struct {
		change func(*http.Request)
		own    bool
	}{
		"forged":       {func(r *http.Request) { r.Header.Set("Digest", r.Header.Get("Digest")+"=") }, false},
		"not signed":   {func(r *http.Request) { r.Header.Del("Authorization") }, false},
		"not POST":     {func(r *http.Request) { r.Method = http.MethodGet }, false},
		"altered body": {func(r *http.Request) { r.Body, r.ContentLength = http.NoBody, 0 }, true},
	} {
		r := receiveWith(t, newVerifier(t, webhook.WithClock(signer.Now)))
		req := signer.Request(succeeded)
		tt.change(req)
		r.getsRequest(req)
		h := r.Health()
		assert.Equal(t, tt.own, h.Failing(), name)
		assert.Equal(t, !tt.own, h.Refused == 1 && h.RefusedSince.Equal(now), name)
	}
	// A wrong clock refuses authentic deliveries: these do count.
	late := receiveWith(t, newVerifier(t, webhook.WithClock(func() time.Time { return now.Add(time.Hour) })))
	late.getsRequest(signer.Request(succeeded))
	assert.True(t, late.Health().Failing())
}
