package webhook

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"
)

// Outcome says what became of a request.
type Outcome string

// The outcomes. The first five are answered 200 (OutcomeEnvironment as [WithOtherEnvironments] says), the others are
// errors to the service.
const (
	OutcomeHandled     Outcome = "handled"     // the handlers succeeded
	OutcomeUnhandled   Outcome = "unhandled"   // no handler is registered for the event
	OutcomePermanent   Outcome = "permanent"   // a handler returned Permanent
	OutcomeDuplicate   Outcome = "duplicate"   // handled before
	OutcomeEnvironment Outcome = "environment" // of an environment that is not expected
	OutcomeInFlight    Outcome = "in_flight"   // being handled by another delivery of the same event
	OutcomeFailed      Outcome = "failed"      // a handler, or the dead-letter hook, returned an error
	OutcomePanicked    Outcome = "panicked"    // a handler, a hook or the store panicked
	OutcomeClaimLost   Outcome = "claim_lost"  // the handlers succeeded, but outlived their lease
	OutcomeStoreDown   Outcome = "store_down"  // the store could not be asked
	OutcomeConflict    Outcome = "conflict"    // the id of the event has come with another body
	OutcomePayload     Outcome = "payload"     // authentic, but no webhook event
	OutcomeRefused     Outcome = "refused"     // not verified
)

// Observation is what an observer is told of a request. It holds no personal data, except in what the text of Err may quote
// where it comes from a handler.
type Observation struct {
	Outcome     Outcome
	Status      int           // of the answer
	EventID     string        // "" where there is no event
	Kind        Kind          // "" where there is no event
	Environment Environment   // "" where there is no event
	Skew        time.Duration // the clock minus the Date of the request; 0 where it is not verified
	Duration    time.Duration // from the header's arrival until the answer was written
	Err         error         // why; nil where the outcome says it all. A panic is a *PanicError
	StoreErr    error         // of a commit, a release, or a claim that WithFailOpen ran without
}

func (o Observation) ended(outcome Outcome, status int, err error) Observation {
	o.Outcome, o.Status, o.Err = outcome, status, err
	return o
}

// Format writes what a log would show, whatever the verb.
func (o Observation) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, o.LogValue().String()) }

// LogValue is the observation with the types of errors in the place of texts that may quote a payload.
func (o Observation) LogValue() slog.Value { return slog.GroupValue(o.attrs()...) }

func (o Observation) attrs() []slog.Attr {
	attrs := []slog.Attr{
		slog.String("outcome", string(o.Outcome)),
		slog.Int("status", o.Status),
		slog.String("kind", string(o.Kind)),
		slog.String("event_id", o.EventID),
		slog.String("environment", string(o.Environment)),
		slog.Duration("skew", o.Skew),
		slog.Duration("duration", o.Duration),
	}
	if o.Err != nil {
		attrs = append(attrs, slog.String("error", o.reason()))
	}
	if o.StoreErr != nil {
		attrs = append(attrs, slog.String("store_error", fmt.Sprintf("%T", o.StoreErr)))
	}
	return attrs
}

// reason is the text of this package's errors, and the type of all others.
func (o Observation) reason() string {
	switch o.Outcome {
	case OutcomeRefused, OutcomePayload, OutcomeEnvironment, OutcomePanicked:
		return o.Err.Error()
	}
	if gaveUp, ok := o.Err.(*permanentError); ok {
		return fmt.Sprintf("%T", gaveUp.err)
	}
	return fmt.Sprintf("%T", o.Err)
}

func (o Observation) level() slog.Level {
	switch {
	case o.Status == http.StatusOK && o.StoreErr == nil && o.Outcome != OutcomePermanent:
		return slog.LevelInfo
	case o.Outcome == OutcomeRefused, o.Outcome == OutcomeInFlight:
		return slog.LevelWarn
	}
	return slog.LevelError
}
