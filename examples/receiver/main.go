// Receiver receives the webhooks of Flow sessions, in the two ways of package webhook, and keeps the state of each customer:
//
//	IDV_WEBHOOK_KEY_ID=... IDV_WEBHOOK_SECRET=... go run ./examples/receiver -addr 127.0.0.1:8081
//
// POST /webhooks/flow is a webhook.Receiver, which also takes care of duplicates and failures; POST /webhooks/plain is an http.Handler of one's own
// behind the Middleware; GET /healthz tells how the deliveries fare. To see what it does with good, repeated and forged deliveries:
//
//	go run ./examples/receiver -demo
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/idv/webhook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "receiver:", err)
		os.Exit(1)
	}
}

type settings struct {
	addr, keyID, secret string
	demo                bool
}

func parse(args []string, getenv func(string) string, out io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("receiver", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8081", "`address` to listen on")
	flags.StringVar(&s.keyID, "key-id", "", "API `key` of the account (default: IDV_WEBHOOK_KEY_ID)")
	flags.StringVar(&s.secret, "secret", "", "API `secret` of the account (default: IDV_WEBHOOK_SECRET, which other users of the machine cannot see)")
	flags.BoolVar(&s.demo, "demo", false, "play deliveries to the receiver, print what it does with each, and exit")
	err := flags.Parse(args)
	// Not as the flags' defaults: those are printed by -help.
	if s.keyID == "" {
		s.keyID = getenv("IDV_WEBHOOK_KEY_ID")
	}
	if s.secret == "" {
		s.secret = getenv("IDV_WEBHOOK_SECRET")
	}
	return s, err
}

func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	set, err := parse(args, getenv, out)
	if err != nil {
		return err
	}
	if set.demo {
		return demo(ctx, out)
	}
	key, err := webhook.NewSigningKey(set.keyID, set.secret)
	if err != nil {
		return fmt.Errorf("%w: set -key-id and -secret, or IDV_WEBHOOK_KEY_ID and IDV_WEBHOOK_SECRET", err)
	}
	a, err := newApp(key, webhook.WithLogger(slog.New(slog.NewTextHandler(out, nil))))
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", set.addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "receiving at http://%s%s and http://%s%s\n", l.Addr(), receiverPath, l.Addr(), plainPath)
	return serve(ctx, l, a.routes())
}

// serve answers requests until ctx is done, and then lets those that are under way finish.
func serve(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(l) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	return server.Shutdown(ending)
}
