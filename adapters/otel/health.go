package idvotel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/idv/webhook"
	"go.opentelemetry.io/otel/metric"
)

// ObserveHealth makes gauges of a receiver's Health, read whenever metrics are collected: how long and how often every delivery has failed.
// stop takes them away again. Where several processes serve a webhook, each knows its own deliveries only.
func (t *Telemetry) ObserveHealth(r *webhook.Receiver) (stop func() error, err error) {
	if r == nil {
		return nil, errors.New("idvotel: ObserveHealth(nil)")
	}
	since, err := t.meter.Float64ObservableGauge("idv.webhook.failing.duration", metric.WithUnit("s"),
		metric.WithDescription("How long every delivery has failed; the service disables the webhook after 4 days."))
	if err != nil {
		return nil, fmt.Errorf("idvotel: %w", err)
	}
	failures, err := t.meter.Int64ObservableGauge("idv.webhook.failures", metric.WithUnit("{delivery}"),
		metric.WithDescription("Deliveries that failed since the last that succeeded."))
	if err != nil {
		return nil, fmt.Errorf("idvotel: %w", err)
	}
	registration, err := t.meter.RegisterCallback(func(_ context.Context, o metric.Observer) error {
		h := r.Health()
		var failing time.Duration
		if h.Failing() {
			failing = max(0, time.Since(h.FailingSince))
		}
		o.ObserveFloat64(since, failing.Seconds())
		o.ObserveInt64(failures, int64(h.Failures))
		return nil
	}, since, failures)
	if err != nil {
		return nil, fmt.Errorf("idvotel: %w", err)
	}
	return registration.Unregister, nil
}
