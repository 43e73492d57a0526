package idvotel_test

import (
	"context"
	"fmt"

	"example.com/idv"
	idvotel "example.com/idv/adapters/otel"
	"example.com/idv/idvtest"
	"go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
)

func ExampleTelemetry_Attempt() {
	service := idvtest.NewServer()
	defer service.Close()
	spans := tracetest.NewInMemoryExporter() // in a program: an OTLP exporter

	telemetry, err := idvotel.New(idvotel.WithTracerProvider(trace.NewTracerProvider(trace.WithSyncer(spans))), idvotel.WithBaseURL(service.URL))
	if err != nil {
		panic(err)
	}
	client, err := idv.New(service.URL, service.TestKey, idv.WithObserver(telemetry.Attempt))
	if err != nil {
		panic(err)
	}
	defer client.CloseIdleConnections()
	_, err = client.People.Get(context.Background(), "nobody")
	fmt.Println(err != nil)
	for _, s := range spans.GetSpans() {
		fmt.Println(s.Name, s.Status.Code)
	}
	// Output:
	// true
	// GET /people/{PERSON_ID} Error
}
