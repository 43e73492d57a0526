// Jetstream receives webhooks into a stream of NATS JetStream and handles them from there. The receiver does no work: it verifies an
// event, appends it to the stream, and answers 200. Workers, in this process or in others, on this machine or on others, do the work as
// fast as they can, and again if they die of it.
//
//	go run . -demo                                 # a server, a receiver, workers and the service's part, all in here
//
//	export NATS_URL=nats://localhost:4222 IDV_WEBHOOK_KEY_ID=... IDV_WEBHOOK_SECRET=...
//	go run . -addr 127.0.0.1:8081                  # receives and works
//	go run . -addr ""                              # only works: start as many as there is work for
//	go run . -workers 0                            # only receives
//
// An event is handled once in effect, whatever dies when: the stream takes it once (stream.go), and a worker puts its id beside its
// effect (worker.go). A worker that dies leaves its events to be delivered to another: see -ack-wait.
//
// A 200 must outlive the server. Run JetStream with three replicas, or a single server with "sync_interval: always": by default it
// waits two minutes before it has its writes on the disk.
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

	"github.com/nats-io/nats.go"

	"example.com/idv/webhook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv, os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "jetstream:", err)
		os.Exit(1)
	}
}

type settings struct {
	addr    string
	workers int
	ackWait time.Duration
	pace    time.Duration
	demo    bool
}

func parse(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("jetstream", flag.ContinueOnError)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8081", "`address` to receive webhooks on; empty: only work")
	flags.IntVar(&s.workers, "workers", 32, "events to work on at once; 0: only receive")
	flags.DurationVar(&s.ackWait, "ack-wait", 30*time.Second, "after how long an event is taken from a worker that has died; longer than one may take")
	flags.DurationVar(&s.pace, "pace", 0, "how long to pretend to work on each event")
	flags.BoolVar(&s.demo, "demo", false, "play deliveries to a receiver and workers of this process, print what has become of them, and exit")
	return s, flags.Parse(args)
}

func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) error {
	set, err := parse(args)
	if err != nil {
		return err
	}
	if set.demo {
		return demo(ctx, set, out)
	}
	url := getenv("NATS_URL")
	if url == "" {
		return errors.New("set NATS_URL to that of a NATS server with JetStream, such as nats://localhost:4222, or try -demo")
	}
	conn, err := nats.Connect(url, nats.MaxReconnects(-1))
	if err != nil {
		return fmt.Errorf("NATS_URL: %w", err)
	}
	defer conn.Close()
	s, err := openStream(ctx, conn)
	if err != nil {
		return err
	}
	stop, err := s.startWorkers(ctx, set)
	if err != nil {
		return err
	}
	defer stop()
	if set.addr == "" {
		<-ctx.Done()
		return nil
	}
	key, err := webhook.NewSigningKey(getenv("IDV_WEBHOOK_KEY_ID"), getenv("IDV_WEBHOOK_SECRET"))
	if err != nil {
		return fmt.Errorf("%w: set IDV_WEBHOOK_KEY_ID and IDV_WEBHOOK_SECRET", err)
	}
	receiver, err := newReceiver(s, key)
	if err != nil {
		return err
	}
	return serve(ctx, set.addr, receiver, out)
}

func serve(ctx context.Context, addr string, h http.Handler, out io.Writer) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "receiving at http://%s%s\n", l.Addr(), receiverPath)
	mux := http.NewServeMux()
	mux.Handle("POST "+receiverPath, h)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
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
