// Onboarding is a small application that verifies its customers with a hosted Flow, and shows the state of each live:
//
//	go run ./examples/onboarding -addr 127.0.0.1:8080
//
// It has the four parts of any such application. The web page creates a Flow session and hands the signed customer
// reference to the client-side integration (page.go). The receiver takes the webhooks (customers.go), which the service sends
// late, twice and in any order. They are folded to one state for each customer, and what they cannot tell, and every success
// before it counts, is looked up through the API (lookup.go).
//
// The service is the test service of this module, in the same process; its user is played by buttons on the page (user.go).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "onboarding:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("onboarding", flag.ContinueOnError)
	flags.SetOutput(out)
	addr := flags.String("addr", "127.0.0.1:8080", "where the page is served; port 0 takes a free one")
	longest := flags.Duration("delay", time.Second, "the longest delay of a webhook; they overtake each other")
	if err := flags.Parse(args); err != nil {
		return err
	}
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	service := idvtest.NewServer(idvtest.WithWallClock(), idvtest.WithDelayedDeliveries(1, *longest), idvtest.WithDuplicatedDeliveries(2))
	defer service.Close()
	a, err := start(service, "http://"+l.Addr().String())
	if err != nil {
		return errors.Join(err, l.Close())
	}
	defer a.api.CloseIdleConnections()
	fmt.Fprintf(out, "open http://%s\n", l.Addr())
	return serve(ctx, l, a)
}

// start makes the application and registers its receiver with the service.
func start(service *idvtest.Server, base string) (*app, error) {
	// The clocks are for the tests, which move that of the service; a real application needs neither.
	api, err := flow.New(service.URL, service.WebhookKeyID, service.WebhookSecret, idv.WithClock(service.Clock.Now))
	if err != nil {
		return nil, err
	}
	key, err := webhook.NewSigningKey(service.WebhookKeyID, service.WebhookSecret)
	if err != nil {
		return nil, err
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithClock(service.Clock.Now))
	if err != nil {
		return nil, err
	}
	sign := func(reference string) string { return flow.SignCustomerReference(service.WebhookSecret, reference) }
	a, err := newApp(api, verifier, sign)
	if err != nil {
		return nil, err
	}
	a.user = user{service}
	_, err = service.Dashboard().CreateWebhook(base + receiverPath)
	return a, err
}

// serve answers requests until ctx is done; the pages that watch a customer end first.
func serve(ctx context.Context, l net.Listener, a *app) error {
	server := &http.Server{Handler: a.routes(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	server.RegisterOnShutdown(a.stop)
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return server.Shutdown(ending)
}
