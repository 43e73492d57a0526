package idvotel

import (
	"context"
	"errors"
	"net/http"

	"example.com/idv/webhook"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// The attributes of deliveries.
const (
	OutcomeKey     = attribute.Key("idv.webhook.outcome")     // a webhook.Outcome
	KindKey        = attribute.Key("idv.webhook.kind")        // a webhook.Kind of the contract, or _OTHER
	EnvironmentKey = attribute.Key("idv.webhook.environment") // sandbox, live or _OTHER
	StoreErrorKey  = attribute.Key("idv.webhook.store_error") // true where the seen-store failed and the delivery went on
	EventIDKey     = attribute.Key("idv.webhook.event_id")    // spans only
	SkewKey        = attribute.Key("idv.webhook.skew")        // seconds; spans only
)

// Delivery records one request to a webhook.Receiver, a refused one too. It is for webhook.WithObserver.
func (t *Telemetry) Delivery(ctx context.Context, o webhook.Observation) {
	attrs := deliveryAttributes(o)
	t.delivery.Record(ctx, o.Duration.Seconds(), metric.WithAttributes(attrs...))
	name := "webhook"
	if o.Kind != "" {
		name += " " + kind(o.Kind)
	}
	if verified := o.Outcome != webhook.OutcomeRefused; verified {
		t.skew.Record(ctx, o.Skew.Seconds(), metric.WithAttributes(environments(o)...))
		attrs = append(attrs, SkewKey.Float64(o.Skew.Seconds()))
	}
	if o.EventID != "" {
		attrs = append(attrs, EventIDKey.String(o.EventID))
	}
	// As for HTTP servers: what the other side did wrong is no error of this one. A dead letter is.
	failed := o.Status >= http.StatusInternalServerError || o.Outcome == webhook.OutcomePermanent
	t.span(ctx, name, trace.SpanKindInternal, o.Duration, attrs, failed)
}

// deliveryAttributes is the attributes of few values, which metrics can have.
func deliveryAttributes(o webhook.Observation) []attribute.KeyValue {
	attrs := append(environments(o), OutcomeKey.String(string(o.Outcome)), semconv.HTTPResponseStatusCode(o.Status))
	if o.Kind != "" {
		attrs = append(attrs, KindKey.String(kind(o.Kind)))
	}
	if class := errorType(o); class != "" {
		attrs = append(attrs, semconv.ErrorTypeKey.String(class))
	}
	if o.StoreErr != nil {
		attrs = append(attrs, StoreErrorKey.Bool(true))
	}
	return attrs
}

func environments(o webhook.Observation) []attribute.KeyValue {
	switch o.Environment {
	case "":
		return nil
	case webhook.EnvironmentSandbox, webhook.EnvironmentLive:
		return []attribute.KeyValue{EnvironmentKey.String(string(o.Environment))}
	}
	return []attribute.KeyValue{EnvironmentKey.String(other)}
}

func kind(k webhook.Kind) string {
	switch k {
	case webhook.KindStepUpdated, webhook.KindStatusUpdated, webhook.KindRetried, webhook.KindScreeningUpdated, webhook.KindEntityScreeningUpdated:
		return string(k)
	}
	return other
}

// refusals are told apart by name: an operator has to see whether it is a wrong secret, a wrong clock or a scan of the internet.
var refusals = []struct {
	err  error
	name string
}{
	{webhook.ErrNotSigned, "not_signed"}, {webhook.ErrMalformed, "malformed"}, {webhook.ErrUnknownKey, "unknown_key"},
	{webhook.ErrSignatureMismatch, "signature_mismatch"}, {webhook.ErrTimestamp, "timestamp"}, {webhook.ErrDigestMismatch, "digest_mismatch"},
	{webhook.ErrMethod, "method"}, {webhook.ErrBodyTooLarge, "body_too_large"}, {webhook.ErrBodyRead, "body_read"},
	{webhook.ErrKeyLookup, "key_lookup"}, {webhook.ErrPayload, "payload"}, {webhook.ErrEnvironment, "environment"},
}

// errorType is empty where the service takes the event as delivered and nothing is wrong. Of a handler's error, only that there is one.
func errorType(o webhook.Observation) string {
	switch o.Outcome {
	case webhook.OutcomeRefused, webhook.OutcomePayload, webhook.OutcomeEnvironment:
		for _, r := range refusals {
			if errors.Is(o.Err, r.err) {
				return r.name
			}
		}
	case webhook.OutcomeHandled, webhook.OutcomeUnhandled, webhook.OutcomeDuplicate:
		return ""
	}
	return string(o.Outcome)
}
