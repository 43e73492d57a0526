// River receives webhooks into PostgreSQL and handles them from there, with River (riverqueue.com) as the queue. The receiver does no
// work: it verifies an event, puts it into the queue in the transaction that marks it as seen, and answers 200. Workers, in this process or
// in others, on this machine or on others, do the work as fast as they can, and again if they die of it.
//
//	export DATABASE_URL=postgres://localhost/app IDV_WEBHOOK_KEY_ID=... IDV_WEBHOOK_SECRET=...
//	go run . -addr 127.0.0.1:8081     # receives and works
//	go run . -addr ""                 # only works: start as many as there is work for
//	go run . -workers 0               # only receives
//
// An event is handled once in effect, whatever dies when: receiver.go has one transaction from the delivery to the queue, worker.go one from
// the queue to the customer. A worker that dies leaves its jobs to be rescued: see -rescue.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/idv/webhook"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Getenv); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "river:", err)
		os.Exit(1)
	}
}

type settings struct {
	addr    string
	workers int
	timeout time.Duration
	rescue  time.Duration
	pace    time.Duration
}

func parse(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("river", flag.ContinueOnError)
	flags.StringVar(&s.addr, "addr", "127.0.0.1:8081", "`address` to receive webhooks on; empty: only work")
	flags.IntVar(&s.workers, "workers", 32, "events to work on at once; 0: only receive")
	flags.DurationVar(&s.timeout, "timeout", 30*time.Second, "how long an event may take")
	flags.DurationVar(&s.rescue, "rescue", time.Minute, "after how long an event is taken from a worker that has died; at least -timeout")
	flags.DurationVar(&s.pace, "pace", 0, "how long to pretend to work on each event")
	return s, flags.Parse(args)
}

func run(ctx context.Context, args []string, getenv func(string) string) error {
	set, err := parse(args)
	if err != nil {
		return err
	}
	url := getenv("DATABASE_URL")
	if url == "" {
		return errors.New("set DATABASE_URL to that of a PostgreSQL database, such as postgres://localhost/app")
	}
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return fmt.Errorf("DATABASE_URL: %w", err)
	}
	defer pool.Close()
	if err := migrate(ctx, pool); err != nil {
		return err
	}
	queue, err := newQueue(pool, set)
	if err != nil {
		return err
	}
	if set.workers > 0 {
		if err := queue.Start(ctx); err != nil { // until ctx is done
			return err
		}
		defer func() { <-queue.Stopped() }()
	}
	if set.addr == "" {
		<-ctx.Done()
		return nil
	}
	key, err := webhook.NewSigningKey(getenv("IDV_WEBHOOK_KEY_ID"), getenv("IDV_WEBHOOK_SECRET"))
	if err != nil {
		return fmt.Errorf("%w: set IDV_WEBHOOK_KEY_ID and IDV_WEBHOOK_SECRET", err)
	}
	handler, err := newReceiver(pool, queue, key)
	if err != nil {
		return err
	}
	return serve(ctx, set.addr, handler)
}

func serve(ctx context.Context, addr string, h http.Handler) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("receiving at http://%s%s\n", l.Addr(), receiverPath)
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
