package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/idv"
	idvotel "example.com/idv/adapters/otel"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/prometheus/client_golang/prometheus"
	exporter "go.opentelemetry.io/otel/exporters/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"
)

// traffic is a program that uses the client and receives webhooks, and the other side of both.
type traffic struct {
	registry *prometheus.Registry
	provider *metric.MeterProvider
	service  *idvtest.Server
	client   *idv.Client
	receiver *webhook.Receiver
	signer   webhooktest.Signer
	failing  bool // the handlers
}

func newTraffic() (*traffic, error) {
	t := &traffic{registry: prometheus.NewRegistry(), service: idvtest.NewServer()}
	t.signer = webhooktest.Signer{KeyID: "demo_key", Secret: "demo_secret_" + rand.Text(), Path: "/webhooks/flow"}
	if err := t.instrumented(); err != nil {
		t.service.Close()
		return nil, err
	}
	return t, nil
}

// instrumented is all that a program has to do.
func (t *traffic) instrumented() error {
	reader, err := exporter.New(exporter.WithRegisterer(t.registry))
	if err != nil {
		return err
	}
	t.provider = metric.NewMeterProvider(metric.WithReader(reader))
	telemetry, err := idvotel.New(idvotel.WithMeterProvider(t.provider), idvotel.WithBaseURL(t.service.URL))
	if err != nil {
		return err
	}
	t.client, err = idv.New(t.service.URL, t.service.TestKey, idv.WithObserver(telemetry.Attempt))
	if err != nil {
		return err
	}
	key, err := webhook.NewSigningKey(t.signer.KeyID, t.signer.Secret)
	if err != nil {
		return err
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		return err
	}
	t.receiver = webhook.NewReceiver(verifier, webhook.WithObserver(telemetry.Delivery))
	t.receiver.OnAny(func(context.Context, webhook.Event) error {
		if t.failing {
			return errors.New("the database is down")
		}
		return nil
	})
	_, err = telemetry.ObserveHealth(t.receiver)
	return err
}

func (t *traffic) close() {
	t.client.CloseIdleConnections()
	t.service.Close()
	_ = t.provider.Shutdown(context.Background())
}

// play goes on until ctx ends.
func (t *traffic) play(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for i := 0; ; i++ {
		if err := t.round(ctx, i); err != nil && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (t *traffic) round(ctx context.Context, i int) error {
	if i%5 == 0 {
		t.service.Fail(idvtest.Fault{Method: http.MethodGet, Path: "/people/{id}", Status: http.StatusServiceUnavailable})
	}
	person, err := t.client.People.Create(ctx, &idv.PersonParams{
		NameFirst: "Ada", NameLast: fmt.Sprint("Number", i), BirthDay: 10, BirthMonth: 12, BirthYear: 1985,
		DocumentType: idv.DocumentSSN, DocumentValue: idv.TestDocumentValid,
		AddressStreet1: "1 Analytical Way", AddressCity: "Springfield", AddressSubdivision: "IL", AddressPostalCode: "62701", AddressCountryCode: "US",
	})
	if err != nil {
		return err
	}
	if _, err := t.client.People.Get(ctx, person.ID); err != nil {
		return err
	}
	if _, err := t.client.Candidates.Get(ctx, "nobody"); !errors.Is(err, idv.ErrNotFound) {
		return err
	}
	t.webhooks(i)
	return nil
}

func (t *traffic) webhooks(i int) {
	session := fmt.Sprint("flwses_", i)
	forger := t.signer
	forger.Secret = "what a forger would guess"
	t.failing = i%7 == 3
	for _, r := range []*http.Request{
		t.signer.Event(webhooktest.Event{SessionID: session, Step: "kyc_check"}),
		forger.Event(webhooktest.Event{SessionID: session, Status: "success"}),
		t.signer.Event(webhooktest.Event{SessionID: session, Status: "failed"}),
	} {
		t.receiver.ServeHTTP(httptest.NewRecorder(), r)
	}
}
