package webhook

import (
	"context"
	"net/http"
	"strconv"
	"time"
)

// Middleware verifies every request before next sees it. next finds the [Delivery] with [FromContext] and the raw body in r.Body (and
// r.GetBody). What is refused never reaches next: it is answered with [StatusCode] and a constant body; see [WithRefusalHook] to learn why.
//
// A refusal that the headers decide is answered before a byte of the body is read, "Expect: 100-continue" unanswered, on a connection
// that is closed afterwards and not drained.
//
// The service takes status 200 only as delivered (contract: limits): any other 2xx that next writes is sent as 200. Flusher, Hijacker and the
// like are reached through http.ResponseController.
//
// The signed path is the one on the request line. http.ServeMux redirects paths that are not clean ("//hook") before anything is verified:
// register the receiver URL exactly as it is mounted.
//
// Middleware panics if next is nil, when it is mounted and not when a request comes.
func (v *Verifier) Middleware(next http.Handler) http.Handler {
	if next == nil {
		panic("webhook: Middleware(nil): it needs a handler for what is verified")
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		verified, d, err := v.accept(w, r)
		if err == nil {
			err = v.checkEnvironment(d.Body)
		}
		if err != nil {
			refuse(w, r, err)
			defer sendAnyway(w)
			v.refused(context.WithoutCancel(r.Context()), err)
			return
		}
		next.ServeHTTP(&okWriter{ResponseWriter: w}, verified)
	})
}

type deliveryKey struct{}

// FromContext returns the Delivery of a request that [Verifier.Middleware] has verified, from the request's context. It must not be
// changed; its Body is not used by anybody else.
func FromContext(ctx context.Context) (*Delivery, bool) {
	d, ok := ctx.Value(deliveryKey{}).(*Delivery)
	return d, ok
}

// accept verifies a request that a server has received. The request it returns carries the delivery and its body; r itself is
// left as it is, as a handler should.
func (v *Verifier) accept(w http.ResponseWriter, r *http.Request) (*http.Request, *Delivery, error) {
	d, err := v.VerifyHeader(r)
	if err != nil {
		return nil, nil, err
	}
	lift := v.limitBodyTime(w, r)
	if err := v.readInto(d, r); err != nil {
		return nil, nil, err
	}
	lift()
	verified := r.WithContext(context.WithValue(r.Context(), deliveryKey{}, d))
	setBody(verified, d.Body)
	return verified, d, nil
}

// limitBodyTime sets a deadline for reading the body, unless the server has a shorter one. It must be lifted when the body is there: where
// a handler before this one has already read it, the server's watch for a client that goes away is reading, and would take the deadline for
// that.
func (v *Verifier) limitBodyTime(w http.ResponseWriter, r *http.Request) (lift func()) {
	if s, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && s.ReadTimeout > 0 && s.ReadTimeout <= v.bodyTimeout {
		return func() {}
	}
	rc := http.NewResponseController(w)
	if rc.SetReadDeadline(time.Now().Add(v.bodyTimeout)) != nil {
		return func() {} // a recorder in a test, or a wrapper without Unwrap
	}
	return func() { _ = rc.SetReadDeadline(time.Time{}) }
}

const refusalBody = "webhook refused\n"

// refuse answers a request with err's status and nothing else that tells one refusal from another.
func refuse(w http.ResponseWriter, r *http.Request, err error) {
	leaveBody(w, r)
	writeRefusal(w, StatusCode(err))
}

func writeRefusal(w http.ResponseWriter, status int) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(refusalBody)))
	if status == http.StatusMethodNotAllowed {
		h.Set("Allow", http.MethodPost)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(refusalBody))
}

// sendAnyway is deferred where hooks run after the answer was written. A hook that panics would take the answer with it, and the service
// would count a delivery as failed that was not. The panic goes on to net/http, which logs it.
func sendAnyway(w http.ResponseWriter) {
	if value := recover(); value != nil {
		_ = http.NewResponseController(w).Flush()
		panic(value)
	}
}

// leaveBody keeps the server from reading what is left of a refused request's body.
func leaveBody(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close") // with HTTP/2 it would end the other streams too; there the stream is reset
	}
	if r.ContentLength != 0 {
		// Without this, net/http would wait for up to 256 KiB of it after the answer.
		_ = http.NewResponseController(w).SetReadDeadline(time.Unix(1, 0))
	}
}

// okWriter sends every 2xx as 200.
type okWriter struct{ http.ResponseWriter }

func (w *okWriter) WriteHeader(status int) {
	if status > 200 && status < 300 {
		status = http.StatusOK
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *okWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
