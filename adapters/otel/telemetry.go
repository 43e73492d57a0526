package idvotel

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

const (
	scope = "example.com/idv/adapters/otel"
	other = "_OTHER" // what the semantic conventions have for a value outside a known set
)

// Telemetry records calls and deliveries. It is safe for concurrent use and holds no state of either.
type Telemetry struct {
	tracer trace.Tracer
	meter  metric.Meter
	server []attribute.KeyValue // server.address and server.port, if they are known

	request  metric.Float64Histogram
	delivery metric.Float64Histogram
	skew     metric.Float64Histogram
}

// Option is a setting of New.
type Option func(*settings) error

type settings struct {
	traces  trace.TracerProvider
	metrics metric.MeterProvider
	server  []attribute.KeyValue
}

// WithTracerProvider sets where spans go; the default is the global provider.
func WithTracerProvider(p trace.TracerProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("idvotel: WithTracerProvider(nil)")
		}
		s.traces = p
		return nil
	}
}

// WithMeterProvider sets where metrics go; the default is the global provider.
func WithMeterProvider(p metric.MeterProvider) Option {
	return func(s *settings) error {
		if p == nil {
			return errors.New("idvotel: WithMeterProvider(nil)")
		}
		s.metrics = p
		return nil
	}
}

// WithBaseURL adds server.address and server.port of the client's base URL to what is recorded of calls.
func WithBaseURL(baseURL string) Option {
	return func(s *settings) error {
		u, err := url.Parse(baseURL)
		if err != nil || u.Hostname() == "" {
			return errors.New("idvotel: WithBaseURL: it is no URL with a host") // the parse error would quote it
		}
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			port = map[string]int{"http": 80, "https": 443}[u.Scheme]
		}
		s.server = []attribute.KeyValue{semconv.ServerAddress(u.Hostname()), semconv.ServerPort(port)}
		return nil
	}
}

// New makes a Telemetry. The errors name a bad option, or are those of the meter.
func New(opts ...Option) (*Telemetry, error) {
	s := settings{traces: otel.GetTracerProvider(), metrics: otel.GetMeterProvider()}
	for _, o := range opts {
		if o == nil {
			return nil, errors.New("idvotel: a nil Option")
		}
		if err := o(&s); err != nil {
			return nil, err
		}
	}
	t := &Telemetry{
		tracer: s.traces.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)),
		meter:  s.metrics.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL)),
		server: s.server,
	}
	if err := t.instruments(); err != nil {
		return nil, fmt.Errorf("idvotel: %w", err)
	}
	return t, nil
}

var (
	// The boundaries of the semantic conventions for HTTP.
	durations = metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10)
	// To either side up to the 900 seconds at which a delivery is refused.
	skews = metric.WithExplicitBucketBoundaries(-600, -60, -10, -1, 0, 1, 5, 10, 30, 60, 300, 600)
)

func (t *Telemetry) instruments() (err error) {
	histogram := func(name, what string, bounds metric.HistogramOption) metric.Float64Histogram {
		h, failed := t.meter.Float64Histogram(name, metric.WithUnit("s"), metric.WithDescription(what), bounds)
		err = errors.Join(err, failed)
		return h
	}
	t.request = histogram("http.client.request.duration", "Duration of HTTP client requests.", durations)
	t.delivery = histogram("idv.webhook.duration", "From the arrival of a delivery until it was answered.", durations)
	t.skew = histogram("idv.webhook.skew", "The clock minus the Date of a verified delivery.", skews)
	return err
}

// span records what has just ended and took that long.
func (t *Telemetry) span(ctx context.Context, name string, kind trace.SpanKind, took time.Duration, attrs []attribute.KeyValue, failed bool) {
	end := time.Now()
	_, s := t.tracer.Start(ctx, name, trace.WithSpanKind(kind), trace.WithTimestamp(end.Add(-took)), trace.WithAttributes(attrs...))
	if failed {
		s.SetStatus(codes.Error, "") // a description would be the text of an error
	}
	s.End(trace.WithTimestamp(end))
}
