// Sandbox runs the test service on a port, for curl and for programs in any language.
//
//	go run ./examples/sandbox -addr 127.0.0.1:8080
//
// It prints the keys and then one line for each request, and stops at Ctrl-C; nothing is kept.
package main

import (
	"context"
	"encoding/pem"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/idv/idvtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sandbox:", err)
		os.Exit(1)
	}
}

type settings struct {
	addr, certificate, webhook string
	tls                        bool
	seed                       uint64
}

func parse(args []string, out io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("sandbox", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8080", "`address` to listen on")
	flags.BoolVar(&s.tls, "tls", false, "serve over TLS, which the live key needs")
	flags.StringVar(&s.certificate, "cert", "sandbox.pem", "with -tls, the `file` to write the certificate to, for clients to trust")
	flags.StringVar(&s.webhook, "webhook", "", "`URL` of a webhook receiver, which is then told of one customer's way through Flow")
	flags.Uint64Var(&s.seed, "seed", 1, "`number` that the keys and ids follow from: the same number, the same keys")
	return s, flags.Parse(args)
}

func run(ctx context.Context, args []string, out io.Writer) error {
	set, err := parse(args, out)
	if err != nil {
		return err
	}
	out = &lockedWriter{w: out}
	service, err := start(set, out)
	if err != nil {
		return err
	}
	defer service.Close()
	describe(service, out)
	if set.webhook != "" {
		if err := playSession(service, set.webhook, out); err != nil {
			return err
		}
	}
	<-ctx.Done()
	return nil
}

func start(set settings, out io.Writer) (*idvtest.Server, error) {
	l, err := net.Listen("tcp", set.addr)
	if err != nil {
		return nil, err
	}
	opts := []idvtest.Option{
		idvtest.WithListener(l), idvtest.WithSeed(set.seed), idvtest.WithWallClock(),
		idvtest.WithObserver(func(r idvtest.Request) { report(out, r) }),
	}
	if !set.tls {
		return idvtest.NewServer(opts...), nil
	}
	service := idvtest.NewServer(append(opts, idvtest.WithTLS())...)
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw})
	if err := os.WriteFile(set.certificate, text, 0o644); err != nil {
		service.Close()
		return nil, err
	}
	return service, nil
}

// describe prints what a client has to know, in a form that a shell can read.
func describe(s *idvtest.Server, out io.Writer) {
	fmt.Fprintf(out, "IDV_BASE_URL=%s\n", s.URL)
	fmt.Fprintf(out, "IDV_API_KEY=%s\n", s.TestKey)
	fmt.Fprintf(out, "IDV_LIVE_KEY=%s\n", s.LiveKey)
	fmt.Fprintf(out, "IDV_WEBHOOK_KEY_ID=%s\n", s.WebhookKeyID)
	fmt.Fprintf(out, "IDV_WEBHOOK_SECRET=%s\n\n", s.WebhookSecret)
}

// playSession lets a customer pass Flow, and prints what the receiver answered to each event.
func playSession(s *idvtest.Server, receiver string, out io.Writer) error {
	if _, err := s.Dashboard().CreateWebhook(receiver); err != nil {
		return err
	}
	session := s.StartSession("customer-1")
	if err := errors.Join(session.EnterStep(idvtest.StepKYCCheck), session.Finish(idvtest.StatusSuccess)); err != nil {
		return err
	}
	for _, d := range s.Dashboard().Deliveries() {
		fmt.Fprintf(out, "webhook %s: %d %v\n", d.Kind, d.Status, d.Err)
	}
	return nil
}

// report prints what was asked and how it was answered. Queries and bodies stay out of it.
func report(out io.Writer, r idvtest.Request) {
	fmt.Fprintf(out, "%s %-6s %s %d %s\n", r.Time.Format(time.TimeOnly), r.Method, r.Path, r.Status, r.Refused)
}

// lockedWriter keeps the lines of several goroutines whole.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
