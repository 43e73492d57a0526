package webhook

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// Receiver handles a webhook from end to end: it verifies a request, parses the event, claims it in the [SeenStore],
// runs the handlers, commits, and answers exactly 200 with an empty body, since the service takes every other status as
// an error and delivers again (contract: errors). It is an http.Handler and safe for concurrent use; handlers may be
// registered at any time, and are best registered before it serves.
//
//	what happened                                     answer  the claim
//	the handlers succeeded, or there is none           200    committed
//	a handler returned Permanent(err)                  200    committed, after the dead-letter hook
//	the event was handled before                       200
//	a handler failed or panicked                       500    released: the redelivery runs the handlers again
//	a hook or the store panicked                       500    left to its lease, if there is one
//	the event is being handled, or the claim was lost  503
//	the store is down                                  503    see WithFailOpen
//	another event has this id already                  409    see WithConflictHook
//	another environment                                403    see WithOtherEnvironments
//	no webhook event                                   400    see WithPayloadErrorHook
//	not verified                                       StatusCode of the error
//
// The handlers get the request's context, with the [Delivery] in it ([FromContext]). It is cancelled when the service
// hangs up; see [WithFinishOnDisconnect]. A panic is answered with 500 and does not get to net/http: that of
// http.ErrAbortHandler as well, since an aborted connection and a 500 mean the same to the service, and one of them shows
// in its dashboard. Only the panic of what runs after the answer (observer, refusal hook, logger) gets to net/http; the
// answer leaves all the same.
type Receiver struct {
	verifier *Verifier
	options  receiverOptions
	health   healthRecord

	mu       sync.RWMutex
	handlers []handler // append-only, so that a reader may keep the slice
}

// storeTimeout bounds each call of the store: the service waits for the answer.
const storeTimeout = 5 * time.Second

// NewReceiver returns a Receiver without handlers: see [On] and [Receiver.OnAny]. It panics if v is nil, when the program
// starts and not when a request comes.
func NewReceiver(v *Verifier, opts ...ReceiverOption) *Receiver {
	if v == nil {
		panic("webhook: NewReceiver(nil): it needs a Verifier; was the error of NewVerifier ignored?")
	}
	r := &Receiver{verifier: v}
	for _, opt := range opts {
		if opt != nil {
			opt(&r.options)
		}
	}
	if r.options.seen == nil {
		r.options.seen = newMemoryStore(MemoryConfig{})
	}
	return r
}

// ServeHTTP receives one delivery.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	began := time.Now()
	var o Observation
	verified, d, err := r.verifier.accept(w, req)
	if err != nil {
		o = Observation{Outcome: OutcomeRefused, Status: StatusCode(err), Err: err}
		refuse(w, req, err)
	} else {
		o = r.deliver(verified.Context(), d)
		answer(w, o.Status)
	}
	o.Duration = time.Since(began)
	defer sendAnyway(w)
	// The connection is done with: that of a refusal has been closed for reading, which cancels the request's context.
	r.report(context.WithoutCancel(req.Context()), o)
}

// deliver handles a verified delivery. A hook or a store that panics ends it as a handler does: the service delivers again.
func (r *Receiver) deliver(ctx context.Context, d *Delivery) (o Observation) {
	o.Skew = d.Skew
	defer func() {
		if value := recover(); o.Outcome == "" {
			o = o.ended(OutcomePanicked, http.StatusInternalServerError, &PanicError{value, debug.Stack()})
		}
	}()
	event, err := ParseEvent(d.Body)
	if err != nil {
		r.options.payloadError(ctx, d, err)
		return o.ended(OutcomePayload, StatusCode(err), err)
	}
	e := event.Common()
	o.EventID, o.Kind, o.Environment = e.ID, e.Kind, e.Environment
	if !r.verifier.expects(e.Environment) {
		return o.ended(OutcomeEnvironment, r.options.otherEnvironmentStatus(), ErrEnvironment)
	}
	if r.options.finishOnDisconnect {
		ctx = context.WithoutCancel(ctx)
	}
	return r.handleOnce(ctx, event, SeenKey{e.Environment, d.KeyID, e.ID}, sha256.Sum256(d.Body), o)
}

// handleOnce runs the handlers if the event is this delivery's to handle.
func (r *Receiver) handleOnce(ctx context.Context, event Event, key SeenKey, body [sha256.Size]byte, o Observation) Observation {
	c, err := r.claim(ctx, key, body)
	if err != nil {
		if !r.options.failOpen || ctx.Err() != nil {
			return o.ended(OutcomeStoreDown, http.StatusServiceUnavailable, err)
		}
		r.health.unguarded()
		o.StoreErr = err
		return r.handle(ctx, event, unguarded{}, o)
	}
	switch c.Outcome {
	case Claimed:
		g := &storeGuard{store: r.options.seen, ctx: context.WithoutCancel(ctx), key: key, token: c.Token}
		return r.handle(withToken(ctx, c.Token), event, g, o)
	case Done:
		return o.ended(OutcomeDuplicate, http.StatusOK, nil)
	case Conflict:
		r.options.conflict(ctx, event)
		return o.ended(OutcomeConflict, http.StatusConflict, nil)
	}
	return o.ended(OutcomeInFlight, http.StatusServiceUnavailable, nil)
}

func (r *Receiver) claim(ctx context.Context, key SeenKey, body [sha256.Size]byte) (Claim, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	c, err := r.options.seen.Claim(ctx, key, body)
	if err == nil && (c.Outcome < Claimed || c.Outcome > Conflict) {
		err = errors.New("webhook: the SeenStore's Claim returned an unknown outcome")
	}
	return c, err
}

// handle runs the handlers and ends the claim: also when a handler leaves by runtime.Goexit.
func (r *Receiver) handle(ctx context.Context, event Event, g guard, o Observation) (ended Observation) {
	committing := false
	defer func() {
		if committing {
			return
		}
		if err := g.release(); err != nil {
			ended.StoreErr = err
		}
	}()
	outcome, err := r.dispatch(ctx, event)
	if outcome == OutcomeFailed || outcome == OutcomePanicked {
		return o.ended(outcome, http.StatusInternalServerError, err)
	}
	committing = true
	switch lost := g.commit(); {
	case errors.Is(lost, ErrClaimLost):
		return o.ended(OutcomeClaimLost, http.StatusServiceUnavailable, lost)
	case lost != nil:
		// The work is done. To have it delivered again would only have it done again.
		o.StoreErr = lost
	}
	return o.ended(outcome, http.StatusOK, err)
}

// report tells everybody who wants to know. The answer is written, but has not left yet.
func (r *Receiver) report(ctx context.Context, o Observation) {
	r.health.record(r.verifier.now(), o)
	switch o.Outcome {
	case OutcomeRefused, OutcomePayload, OutcomeEnvironment:
		r.verifier.refused(ctx, o.Err)
	}
	r.options.log(ctx, o)
	r.options.observe(ctx, o)
}

const receiverText = "webhook.Receiver"

// Format writes a constant text, whatever the verb: the fields of a receiver lead to key ids.
func (r *Receiver) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, receiverText) }

// LogValue returns a constant text.
func (r *Receiver) LogValue() slog.Value { return slog.StringValue(receiverText) }

func answer(w http.ResponseWriter, status int) {
	if status != http.StatusOK {
		writeRefusal(w, status)
		return
	}
	w.Header().Set("Content-Length", "0")
	w.WriteHeader(http.StatusOK)
}
