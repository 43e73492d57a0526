package webhook

import (
	"context"
	"log/slog"
	"net/http"
)

// ReceiverOption is a setting of a [Receiver]. Hooks and observers are called concurrently, on the request's goroutine,
// while the service waits for the answer. The context of what runs after the answer was written is not cancelled with the
// request. A nil argument means the default.
type ReceiverOption func(*receiverOptions)

type receiverOptions struct {
	seen               SeenStore
	failOpen           bool
	finishOnDisconnect bool
	otherEnvironments  bool

	onDeadLetter   func(context.Context, Event, error) error
	onPayloadError func(context.Context, *Delivery, error)
	onConflict     func(context.Context, Event)
	observer       func(context.Context, Observation)
	logger         *slog.Logger
}

// WithSeen sets where the receiver remembers which events were handled. The default is a [MemoryStore] of this process
// with its default settings.
func WithSeen(s SeenStore) ReceiverOption {
	return func(o *receiverOptions) { o.seen = s }
}

// WithFailOpen runs the handlers although the store cannot say whether the event was handled before, which
// [Health.Unguarded] counts. It is for handlers to which a second run does no harm. The default is to fail closed: such a
// delivery is answered 503 and comes again.
func WithFailOpen() ReceiverOption {
	return func(o *receiverOptions) { o.failOpen = true }
}

// WithFinishOnDisconnect lets handlers finish when the service hangs up, as it may when they are slow: their context is
// not cancelled, and their claim is held until they end. The default is to cancel the context; a handler that fails for
// it gives the claim up, so that the redelivery runs it again.
func WithFinishOnDisconnect() ReceiverOption {
	return func(o *receiverOptions) { o.finishOnDisconnect = true }
}

// WithOtherEnvironments answers 200 to events of other environments than those of [WithEnvironments], without handling
// them. The default is 403, for which the service disables the misdirected webhook after some days.
func WithOtherEnvironments() ReceiverOption {
	return func(o *receiverOptions) { o.otherEnvironments = true }
}

// WithDeadLetter sets what happens to an event whose handler returned [Permanent](err): f gets the event and what the
// handler returned, and puts both where somebody looks. An error or a panic of f is that of a handler: the event is delivered again.
func WithDeadLetter(f func(ctx context.Context, e Event, err error) error) ReceiverOption {
	return func(o *receiverOptions) { o.onDeadLetter = f }
}

// WithPayloadErrorHook sets a function that gets the deliveries which are authentic and no webhook event, with their raw
// body and the [ErrPayload]: either the format has changed or the secret is known to somebody else.
func WithPayloadErrorHook(f func(ctx context.Context, d *Delivery, err error)) ReceiverOption {
	return func(o *receiverOptions) { o.onPayloadError = f }
}

// WithConflictHook sets a function that gets the events whose id has come before with another body. They are authentic
// and not handled: only the sender, or a thief of its secret, can make them.
func WithConflictHook(f func(ctx context.Context, e Event)) ReceiverOption {
	return func(o *receiverOptions) { o.onConflict = f }
}

// WithObserver sets a function that is told of every request, refused ones included, before the answer leaves.
func WithObserver(f func(ctx context.Context, o Observation)) ReceiverOption {
	return func(o *receiverOptions) { o.observer = f }
}

// WithLogger sets where the receiver logs every request: what the service takes as delivered at Info, what it redelivers
// at Error, and what is not verified at Warn. The default is silence. Nothing of a payload is logged, nor the text of a
// handler's error, which may quote it: an [Observation] has the error itself.
func WithLogger(l *slog.Logger) ReceiverOption {
	return func(o *receiverOptions) { o.logger = l }
}

func (o *receiverOptions) deadLetter(ctx context.Context, e Event, err error) error {
	if o.onDeadLetter == nil {
		return nil
	}
	return o.onDeadLetter(ctx, e, err)
}

func (o *receiverOptions) payloadError(ctx context.Context, d *Delivery, err error) {
	if o.onPayloadError != nil {
		o.onPayloadError(ctx, d, err)
	}
}

func (o *receiverOptions) conflict(ctx context.Context, e Event) {
	if o.onConflict != nil {
		o.onConflict(ctx, e)
	}
}

func (o *receiverOptions) observe(ctx context.Context, seen Observation) {
	if o.observer != nil {
		o.observer(ctx, seen)
	}
}

func (o *receiverOptions) log(ctx context.Context, seen Observation) {
	if o.logger != nil {
		o.logger.LogAttrs(ctx, seen.level(), "webhook delivery", seen.attrs()...)
	}
}

func (o *receiverOptions) otherEnvironmentStatus() int {
	if o.otherEnvironments {
		return http.StatusOK
	}
	return StatusCode(ErrEnvironment)
}
