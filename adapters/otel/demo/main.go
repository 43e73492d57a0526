// Demo makes traffic with the test service and shows its metrics to Prometheus, to look at with the dashboard in grafana.json:
//
//	cd adapters/otel/demo && go run . -addr 127.0.0.1:9464
//
// It makes calls, of which some fail, and delivers webhooks, of which some are forged, until Ctrl-C.
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
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("demo", flag.ContinueOnError)
	flags.SetOutput(out)
	addr := flags.String("addr", "127.0.0.1:9464", "`address` for Prometheus to scrape")
	every := flags.Duration("every", time.Second, "`time` between two rounds of traffic")
	if err := flags.Parse(args); err != nil {
		return err
	}
	t, err := newTraffic()
	if err != nil {
		return err
	}
	defer t.close()
	l, err := net.Listen("tcp", *addr)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: promhttp.HandlerFor(t.registry, promhttp.HandlerOpts{}), ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	fmt.Fprintf(out, "metrics at http://%s/metrics\n", l.Addr())
	err = t.play(ctx, *every)
	_ = server.Close()
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
