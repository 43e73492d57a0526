package idvotel_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	idvotel "example.com/idv/adapters/otel"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	oteltrace "go.opentelemetry.io/otel/trace"
)

// recording is a Telemetry whose spans and metrics stay in memory.
type recording struct {
	*idvotel.Telemetry
	spans  *tracetest.InMemoryExporter
	reader *metric.ManualReader
	tracer oteltrace.Tracer
}

func record(t *testing.T, opts ...idvotel.Option) *recording {
	t.Helper()
	r := &recording{spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	traces := trace.NewTracerProvider(trace.WithSyncer(r.spans))
	r.tracer = traces.Tracer("the program")
	var err error
	r.Telemetry, err = idvotel.New(append([]idvotel.Option{
		idvotel.WithTracerProvider(traces), idvotel.WithMeterProvider(metric.NewMeterProvider(metric.WithReader(r.reader))),
	}, opts...)...)
	require.NoError(t, err)
	return r
}

func (r *recording) metrics(t *testing.T) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	require.NoError(t, r.reader.Collect(t.Context(), &all))
	byName := map[string]metricdata.Metrics{}
	for _, s := range all.ScopeMetrics {
		for _, m := range s.Metrics {
			byName[m.Name] = m
		}
	}
	return byName
}

// points is a histogram as the attributes of each point, with its count.
func (r *recording) points(t *testing.T, name string) map[string]uint64 {
	t.Helper()
	m := r.metrics(t)[name]
	h, ok := m.Data.(metricdata.Histogram[float64])
	require.True(t, ok, name)
	require.Equal(t, "s", m.Unit)
	counts := map[string]uint64{}
	for _, p := range h.DataPoints {
		counts[text(p.Attributes.ToSlice())] = p.Count
	}
	return counts
}

func text(attrs []attribute.KeyValue) string {
	set := attribute.NewSet(attrs...)
	var parts []string
	for _, a := range set.ToSlice() {
		parts = append(parts, fmt.Sprintf("%s=%s", a.Key, a.Value.String()))
	}
	return strings.Join(parts, " ")
}

// everything is all that a recording has, as text: to look for what must not be in it.
func (r *recording) everything(t *testing.T) string {
	t.Helper()
	return fmt.Sprintf("%+v %+v", r.spans.GetSpans(), r.metrics(t))
}

func TestCallsBecomeSpans(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t)
	r := record(t, idvotel.WithBaseURL(service.URL))
	client, err := idv.New(service.URL, service.TestKey, idv.WithObserver(r.Attempt))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	id := service.AddPerson(idvtest.Person{NameFirst: "Secretname"})
	service.Fail(idvtest.Fault{Method: "GET", Path: "/people/{id}", Status: 503})

	ctx, parent := r.tracer.Start(t.Context(), "the program's work")
	_, err = client.People.Get(ctx, id)
	require.NoError(t, err)
	parent.End()

	spans := r.spans.GetSpans()
	require.Len(t, spans, 3)
	failed, retried := spans[0], spans[1]
	for i, s := range []tracetest.SpanStub{failed, retried} {
		assert.Equal(t, "GET /people/{PERSON_ID}", s.Name)
		assert.Equal(t, oteltrace.SpanKindClient, s.SpanKind)
		assert.Equal(t, parent.SpanContext().SpanID(), s.Parent.SpanID(), "a child of the span in the context of the call")
		assert.True(t, s.EndTime.After(s.StartTime))
		assert.Contains(t, text(s.Attributes), "http.response.header.x-request-id=")
		assert.Contains(t, text(s.Attributes), "server.address=127.0.0.1 server.port=")
		assert.Equal(t, i == 1, strings.Contains(text(s.Attributes), "http.request.resend_count=1"))
	}
	assert.Equal(t, codes.Error, failed.Status.Code)
	assert.Contains(t, text(failed.Attributes), "error.type=503 http.request.method=GET")
	assert.Contains(t, text(failed.Attributes), "http.response.status_code=503")
	assert.Equal(t, codes.Unset, retried.Status.Code)
	assert.NotContains(t, text(retried.Attributes), "error.type")
	assert.False(t, failed.StartTime.After(retried.StartTime))
}

func TestCallsBecomeMetrics(t *testing.T) {
	t.Parallel()
	r := record(t)
	for _, a := range []idv.Attempt{
		{Method: "POST", Route: "/people", StatusCode: 201, Duration: time.Second, Number: 1},
		{Method: "POST", Route: "/people", StatusCode: 201, Duration: time.Second, Number: 1, RequestID: "unlike the other"},
		{Method: "GET", Route: "/people", StatusCode: 404, Number: 1, ErrorClass: "status"},
		{Method: "GET", Route: "/people", Number: 2, ErrorClass: "timeout"},
		{Method: "GET", StatusCode: 200, Number: 1},
		{Method: "BREW", StatusCode: 418, Number: 1, ErrorClass: "status"},
	} {
		r.Attempt(t.Context(), a)
	}
	assert.Equal(t, map[string]uint64{
		"http.request.method=POST http.response.status_code=201 url.template=/people":               2,
		"error.type=404 http.request.method=GET http.response.status_code=404 url.template=/people": 1,
		"error.type=timeout http.request.method=GET url.template=/people":                           1,
		"http.request.method=GET http.response.status_code=200":                                     1,
		"error.type=418 http.request.method=_OTHER http.response.status_code=418":                   1,
	}, r.points(t, "http.client.request.duration"))
	names := []string{}
	for _, s := range r.spans.GetSpans() {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"POST /people", "POST /people", "GET /people", "GET /people", "GET", "HTTP"}, names)
	assert.Equal(t, time.Second, r.spans.GetSpans()[0].EndTime.Sub(r.spans.GetSpans()[0].StartTime))
}

var signer = webhooktest.Signer{KeyID: "test_key_1", Secret: "a secret of some length", Path: "/webhooks/flow"}

func receive(t *testing.T, r *recording, opts ...webhook.Option) *webhook.Receiver {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), opts...)
	require.NoError(t, err)
	receiver := webhook.NewReceiver(v, webhook.WithObserver(r.Delivery))
	webhook.On(receiver, func(_ context.Context, e *webhook.StatusUpdated) error {
		switch e.Session.Status {
		case webhook.StatusFailed:
			return errors.New("Secretname cannot be stored")
		case webhook.StatusExpired:
			return webhook.Permanent(errors.New("Secretname is too old"))
		case webhook.StatusCanceled:
			panic("Secretname")
		}
		return nil
	})
	return receiver
}

func TestDeliveriesBecomeSpansAndMetrics(t *testing.T) {
	t.Parallel()
	forger, late := signer, signer
	forger.Secret = "what a forger would guess"
	late.Now = func() time.Time { return time.Now().Add(-20 * time.Minute) }
	delayed := signer
	delayed.Now = func() time.Time { return time.Now().Add(-100 * time.Second) }
	event := func(s webhooktest.Signer, e webhooktest.Event) *http.Request {
		e.ID, e.CustomerReference = "whkevt_7", "Secretname"
		return s.Event(e)
	}
	put := event(signer, webhooktest.Event{})
	put.Method = http.MethodPut
	const sandbox, ended = " idv.webhook.environment=sandbox", " idv.webhook.kind=flow_session.status.updated"
	for name, tt := range map[string]struct {
		request *http.Request
		span    string
		want    string
		failed  bool
		skew    bool
	}{
		"handled":   {event(delayed, webhooktest.Event{}), "webhook flow_session.status.updated", "http.response.status_code=200" + sandbox + ended + " idv.webhook.outcome=handled", false, true},
		"unhandled": {event(signer, webhooktest.Event{Kind: "Secretname.kind"}), "webhook _OTHER", "http.response.status_code=200" + sandbox + " idv.webhook.kind=_OTHER idv.webhook.outcome=unhandled", false, true},
		"failed":    {event(signer, webhooktest.Event{Status: "failed"}), "webhook flow_session.status.updated", "error.type=failed http.response.status_code=500" + sandbox + ended + " idv.webhook.outcome=failed", true, true},
		"permanent": {event(signer, webhooktest.Event{Status: "expired"}), "webhook flow_session.status.updated", "error.type=permanent http.response.status_code=200" + sandbox + ended + " idv.webhook.outcome=permanent", true, true},
		"panicked":  {event(signer, webhooktest.Event{Status: "canceled"}), "webhook flow_session.status.updated", "error.type=panicked http.response.status_code=500" + sandbox + ended + " idv.webhook.outcome=panicked", true, true},
		"elsewhere": {event(signer, webhooktest.Event{Environment: "Secretname"}), "webhook flow_session.status.updated", "error.type=environment http.response.status_code=403 idv.webhook.environment=_OTHER" + ended + " idv.webhook.outcome=environment", false, true},
		"no event":  {signer.Request([]byte("Secretname")), "webhook", "error.type=payload http.response.status_code=400 idv.webhook.outcome=payload", false, true},
		"forged":    {event(forger, webhooktest.Event{}), "webhook", "error.type=signature_mismatch http.response.status_code=401 idv.webhook.outcome=refused", false, false},
		"late":      {event(late, webhooktest.Event{}), "webhook", "error.type=timestamp http.response.status_code=401 idv.webhook.outcome=refused", false, false},
		"PUT":       {put, "webhook", "error.type=method http.response.status_code=405 idv.webhook.outcome=refused", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := record(t)
			var opts []webhook.Option
			if name == "elsewhere" {
				opts = append(opts, webhook.WithEnvironments(webhook.EnvironmentLive))
			}
			ctx, parent := r.tracer.Start(t.Context(), "the server's span")
			receive(t, r, opts...).ServeHTTP(httptest.NewRecorder(), tt.request.WithContext(ctx))
			parent.End()
			assert.Equal(t, map[string]uint64{tt.want: 1}, r.points(t, "idv.webhook.duration"))
			span := r.spans.GetSpans()[0]
			assert.Equal(t, tt.span, span.Name)
			assert.Equal(t, oteltrace.SpanKindInternal, span.SpanKind)
			assert.Equal(t, parent.SpanContext().SpanID(), span.Parent.SpanID())
			assert.Equal(t, tt.failed, span.Status.Code == codes.Error)
			_, skewed := r.metrics(t)["idv.webhook.skew"]
			assert.Equal(t, tt.skew, skewed)
			assert.Equal(t, tt.skew, strings.Contains(text(span.Attributes), "idv.webhook.skew="))
			assert.Equal(t, strings.Contains(tt.want, "idv.webhook.kind="), strings.Contains(text(span.Attributes), "idv.webhook.event_id=whkevt_7"))
			for _, secret := range []string{"Secretname", signer.KeyID, signer.Secret} {
				assert.NotContains(t, r.everything(t), secret)
			}
		})
	}
}

func TestTheSkewIsInSeconds(t *testing.T) {
	t.Parallel()
	r := record(t)
	for _, d := range []time.Duration{90 * time.Second, -2 * time.Second} {
		r.Delivery(t.Context(), webhook.Observation{Outcome: webhook.OutcomeHandled, Status: 200, Environment: "live", Kind: webhook.KindRetried, Skew: d})
	}
	h := r.metrics(t)["idv.webhook.skew"].Data.(metricdata.Histogram[float64])
	require.Len(t, h.DataPoints, 1)
	assert.InDelta(t, 88, h.DataPoints[0].Sum, 1e-9)
	least, _ := h.DataPoints[0].Min.Value()
	assert.InDelta(t, -2, least, 1e-9)
	assert.Equal(t, "idv.webhook.environment=live", text(h.DataPoints[0].Attributes.ToSlice()))
}

func TestAStoreThatFailsShows(t *testing.T) {
	t.Parallel()
	r := record(t)
	r.Delivery(t.Context(), webhook.Observation{Outcome: webhook.OutcomeHandled, Status: 200, StoreErr: errors.New("Secretname")})
	assert.Equal(t, map[string]uint64{"http.response.status_code=200 idv.webhook.outcome=handled idv.webhook.store_error=true": 1}, r.points(t, "idv.webhook.duration"))
	assert.NotContains(t, r.everything(t), "Secretname")
}

func TestHealthBecomesGauges(t *testing.T) {
	t.Parallel()
	r := record(t)
	receiver := receive(t, r)
	stop, err := r.ObserveHealth(receiver)
	require.NoError(t, err)
	gauges := func() (seconds float64, failures int64) {
		m := r.metrics(t)
		return m["idv.webhook.failing.duration"].Data.(metricdata.Gauge[float64]).DataPoints[0].Value,
			m["idv.webhook.failures"].Data.(metricdata.Gauge[int64]).DataPoints[0].Value
	}
	seconds, failures := gauges()
	assert.Zero(t, seconds)
	assert.Zero(t, failures)
	for range 2 {
		receiver.ServeHTTP(httptest.NewRecorder(), signer.Event(webhooktest.Event{Status: "failed"}))
	}
	seconds, failures = gauges()
	assert.Positive(t, seconds)
	assert.EqualValues(t, 2, failures)
	receiver.ServeHTTP(httptest.NewRecorder(), signer.Event(webhooktest.Event{}))
	seconds, failures = gauges()
	assert.Zero(t, seconds)
	assert.Zero(t, failures)
	require.NoError(t, stop())
	assert.NotContains(t, r.metrics(t), "idv.webhook.failures")
	_, err = r.ObserveHealth(nil)
	assert.EqualError(t, err, "idvotel: ObserveHealth(nil)")
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	for want, o := range map[string]idvotel.Option{
		"idvotel: a nil Option":                              nil,
		"idvotel: WithTracerProvider(nil)":                   idvotel.WithTracerProvider(nil),
		"idvotel: WithMeterProvider(nil)":                    idvotel.WithMeterProvider(nil),
		"idvotel: WithBaseURL: it is no URL with a host":     idvotel.WithBaseURL("/v4"),
		"idvotel: WithBaseURL: it is no URL with a host\x00": idvotel.WithBaseURL("http://user:secret@[/"),
	} {
		_, err := idvotel.New(o)
		assert.EqualError(t, err, strings.TrimSuffix(want, "\x00"))
	}
	for url, want := range map[string]string{
		"https://api.example.com/v4": "server.address=api.example.com server.port=443",
		"http://api.example.com":     "server.address=api.example.com server.port=80",
		"http://[::1]:8080":          "server.address=::1 server.port=8080",
	} {
		r := record(t, idvotel.WithBaseURL(url))
		r.Attempt(t.Context(), idv.Attempt{Method: "GET"})
		assert.Contains(t, text(r.spans.GetSpans()[0].Attributes), want)
	}
	_, err := idvotel.New()
	assert.NoError(t, err, "the global providers")
}
