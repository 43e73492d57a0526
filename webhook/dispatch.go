package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"runtime/debug"
)

// handler runs on the events it is for.
type handler func(ctx context.Context, e Event) (ran bool, err error)

// On registers a handler for one type of event:
//
//	webhook.On(receiver, func(ctx context.Context, e *webhook.StatusUpdated) error { ... })
//
// Handlers run in the order in which they were registered, typed ones and those of OnAny alike. The first error ends the
// delivery: the service delivers again, and then every handler runs again, those too that had succeeded. An error that no
// redelivery can mend is for [Permanent]. On panics if f is nil, when the program starts.
func On[E Event](r *Receiver, f func(ctx context.Context, e E) error) {
	if f == nil {
		panic("webhook: On needs a handler, not nil")
	}
	r.register(func(ctx context.Context, e Event) (bool, error) {
		own, ok := e.(E)
		if !ok {
			return false, nil
		}
		return true, f(ctx, own)
	})
}

// OnAny registers a handler for every event, those of unknown kinds included; see [On].
func (r *Receiver) OnAny(f func(ctx context.Context, e Event) error) { On(r, f) }

// OnUnknown registers a handler for the events of kinds that this version does not know; see [On]. Without one they are
// answered 200 and nothing else happens.
func (r *Receiver) OnUnknown(f func(ctx context.Context, e *UnknownEvent) error) { On(r, f) }

func (r *Receiver) register(h handler) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers = append(r.handlers, h)
}

// dispatch runs the handlers of an event, and the dead-letter hook where one of them gave up.
func (r *Receiver) dispatch(ctx context.Context, e Event) (outcome Outcome, err error) {
	returned := false
	defer func() {
		// Not "value != nil": with GODEBUG=panicnil=1, panic(nil) would count as a success and lose the event.
		if value := recover(); !returned {
			outcome, err = OutcomePanicked, &PanicError{value, debug.Stack()}
		}
	}()
	outcome, err = r.handleAll(ctx, e)
	returned = true
	return outcome, err
}

func (r *Receiver) handleAll(ctx context.Context, e Event) (Outcome, error) {
	ran, err := r.runHandlers(ctx, e)
	var gaveUp *permanentError
	switch {
	case errors.As(err, &gaveUp):
		if failed := r.options.deadLetter(ctx, e, err); failed != nil {
			return OutcomeFailed, failed
		}
		return OutcomePermanent, err
	case err != nil:
		return OutcomeFailed, err
	case !ran:
		return OutcomeUnhandled, nil
	}
	return OutcomeHandled, nil
}

func (r *Receiver) runHandlers(ctx context.Context, e Event) (ran bool, err error) {
	r.mu.RLock()
	handlers := r.handlers
	r.mu.RUnlock()
	for _, h := range handlers {
		own, err := h(ctx, e)
		if err != nil {
			return true, err
		}
		ran = ran || own
	}
	return ran, nil
}

// Permanent marks an error of a handler as one that no redelivery can mend: the event is answered 200 and handed to the
// hook of [WithDeadLetter]. errors.Is and errors.As see err through it. Permanent(nil) is nil.
func Permanent(err error) error {
	if err == nil {
		return nil
	}
	return &permanentError{err}
}

type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

// PanicError is what an observer gets for a panic of a handler.
type PanicError struct {
	Value any    // what it panicked with
	Stack []byte // of the goroutine, as debug.Stack gives it
}

// Error gives the text of a runtime error, and of any other value its type: its text may quote the payload.
func (e *PanicError) Error() string {
	if err, ok := e.Value.(runtime.Error); ok {
		return "webhook: a handler panicked: " + err.Error()
	}
	return fmt.Sprintf("webhook: a handler panicked with a value of type %T", e.Value)
}

// Format writes what Error says, whatever the verb: neither the value nor the stack.
func (e PanicError) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, e.Error()) }

// LogValue gives what Error says.
func (e PanicError) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// Unwrap returns the value of the panic where it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
