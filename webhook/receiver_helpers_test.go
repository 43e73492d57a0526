package webhook_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// receiving is a Receiver under test, which notes what its observer was told.
type receiving struct {
	*webhook.Receiver
	t testing.TB

	mu       sync.Mutex
	observed []webhook.Observation
}

func receive(t testing.TB, opts ...webhook.ReceiverOption) *receiving {
	t.Helper()
	return receiveWith(t, newVerifier(t), opts...)
}

func receiveWith(t testing.TB, v *webhook.Verifier, opts ...webhook.ReceiverOption) *receiving {
	t.Helper()
	r := &receiving{t: t}
	r.Receiver = webhook.NewReceiver(v, append(opts, webhook.WithObserver(func(_ context.Context, o webhook.Observation) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.observed = append(r.observed, o)
	}))...)
	return r
}

// last is what the observer was told of the latest request.
func (r *receiving) last() webhook.Observation {
	r.mu.Lock()
	defer r.mu.Unlock()
	require.NotEmpty(r.t, r.observed)
	return r.observed[len(r.observed)-1]
}

// gets delivers a body and returns the status of the answer.
func (r *receiving) gets(body []byte) int { return r.getsRequest(signer.Request(body)) }

func (r *receiving) getsEvent(e webhooktest.Event) int { return r.gets(e.Body()) }

func (r *receiving) getsRequest(req *http.Request) int {
	w := httptest.NewRecorder()
	r.ServeHTTP(w, req)
	if w.Code == http.StatusOK {
		assert.Empty(r.t, w.Body.String(), "a 200 has no body")
	} else {
		assert.Equal(r.t, "webhook refused\n", w.Body.String(), "every other answer has the same body")
	}
	return w.Code
}

// expect asserts the outcome and the status of the latest request.
func (r *receiving) expect(outcome webhook.Outcome, status int) {
	r.t.Helper()
	got := r.last()
	assert.Equal(r.t, outcome, got.Outcome)
	assert.Equal(r.t, status, got.Status)
}

// succeeded is an event that several deliveries share.
var succeeded = webhooktest.Event{ID: "whkevt_1", SessionID: "flwses_1", Status: "success", CustomerReference: "cafecafe"}.Body()
