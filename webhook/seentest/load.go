package seentest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// loadCallers is how many deliveries are under way at once.
const loadCallers = 64

// RunLoad measures how many new events a second the stores hold, which share their events as those of several machines do, with a
// receiver before each: signing, verifying, claiming, a handler that does nothing, and committing, without the connections of HTTP.
func RunLoad(b *testing.B, stores ...webhook.SeenStore) {
	b.Helper()
	signer := webhooktest.Signer{KeyID: "load_key", Secret: "a secret of some length"}
	var handlers []http.Handler
	for _, store := range stores {
		key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
		if err != nil {
			b.Fatal(err)
		}
		verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
		if err != nil {
			b.Fatal(err)
		}
		r := webhook.NewReceiver(verifier, webhook.WithSeen(store))
		r.OnAny(func(context.Context, webhook.Event) error { return nil })
		handlers = append(handlers, r)
	}
	RunDeliveries(b, signer, handlers...)
}

// RunDeliveries measures how many new events a second the handlers take, each signed by the signer and delivered to one of them. It
// ends when all are answered 200, and fails the benchmark where one is not.
func RunDeliveries(b *testing.B, signer webhooktest.Signer, handlers ...http.Handler) {
	b.Helper()
	var next atomic.Int64
	b.SetParallelism(max(1, loadCallers/runtime.GOMAXPROCS(0))) // of each processor
	b.ResetTimer()
	b.RunParallel(func(p *testing.PB) {
		for p.Next() {
			n := next.Add(1)
			event := webhooktest.Event{ID: fmt.Sprintf("whkevt_load_%d", n), CustomerReference: fmt.Sprintf("customer-%d", n/6)}
			w := httptest.NewRecorder()
			handlers[int(n)%len(handlers)].ServeHTTP(w, signer.Event(event))
			if w.Code != http.StatusOK {
				b.Errorf("an event was answered %d", w.Code)
				return
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "events/s")
}
