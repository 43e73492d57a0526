package idvotel

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"example.com/idv"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Attempt records one sending of a request. It is for idv.WithObserver.
func (t *Telemetry) Attempt(ctx context.Context, a idv.Attempt) {
	common := t.attempt(a)
	t.request.Record(ctx, a.Duration.Seconds(), metric.WithAttributes(common...))

	name := method(a.Method)
	if name == other {
		name = "HTTP" // semantic conventions: HTTP span names
	}
	if a.Route != "" {
		name += " " + a.Route
	}
	attrs := slices.Clone(common)
	if a.Number > 1 {
		attrs = append(attrs, semconv.HTTPRequestResendCount(a.Number-1))
	}
	if a.RequestID != "" {
		attrs = append(attrs, semconv.HTTPResponseHeader("x-request-id", a.RequestID))
	}
	t.span(ctx, name, trace.SpanKindClient, a.Duration, attrs, a.ErrorClass != "")
}

// attempt is the attributes of few values, which metrics can have.
func (t *Telemetry) attempt(a idv.Attempt) []attribute.KeyValue {
	attrs := append(slices.Clone(t.server), semconv.HTTPRequestMethodKey.String(method(a.Method)))
	if a.Route != "" {
		attrs = append(attrs, semconv.URLTemplate(a.Route))
	}
	if a.StatusCode != 0 {
		attrs = append(attrs, semconv.HTTPResponseStatusCode(a.StatusCode))
	}
	switch {
	case a.ErrorClass == "":
	case a.ErrorClass == "status":
		attrs = append(attrs, semconv.ErrorTypeKey.String(strconv.Itoa(a.StatusCode)))
	default:
		attrs = append(attrs, semconv.ErrorTypeKey.String(a.ErrorClass))
	}
	return attrs
}

// method is one of those that the semantic conventions know: Client.Call takes any.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodDelete, http.MethodPut, http.MethodHead, http.MethodOptions:
		return m
	}
	return other
}
