package webhook_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"example.com/idv/webhook"
)

// silent is a ResponseWriter that keeps nothing.
type silent struct{ header http.Header }

func (w silent) Header() http.Header         { return w.header }
func (w silent) WriteHeader(int)             {}
func (w silent) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkReceiver is the whole way of a delivery that was handled before, beside its verification alone.
func BenchmarkReceiver(b *testing.B) {
	v := newVerifier(b)
	r := webhook.NewReceiver(v)
	webhook.On(r, func(context.Context, *webhook.StatusUpdated) error { return nil })
	req := signer.Request(succeeded)
	header, w := req.Header, silent{http.Header{}}
	deliver := func(h http.Handler) {
		again := *req
		again.Header = header
		again.Body = io.NopCloser(bytes.NewReader(succeeded))
		h.ServeHTTP(w, &again)
	}
	middleware := v.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	run := func(h http.Handler) func(*testing.B) {
		return func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				deliver(h)
			}
		}
	}
	b.Run("verify", run(middleware))
	b.Run("receive", run(r))
}
