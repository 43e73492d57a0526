package idvtest

import (
	"math/rand/v2"
	"net"
	"strings"
	"time"
)

// Option configures a [Server].
type Option func(*config)

type config struct {
	start    time.Time
	wall     bool
	seed     uint64
	tls      bool
	listener net.Listener
	prefix   string
}

func newConfig(opts []Option) config {
	cfg := config{start: defaultStart, seed: rand.Uint64()}
	for _, opt := range opts {
		if opt != nil {
			opt(&cfg)
		}
	}
	return cfg
}

func (c config) clock() *Clock {
	if c.wall {
		return newWallClock()
	}
	return newClock(c.start)
}

// WithStartTime sets where the clock stands at first; the default is 1 January 2025, 00:00 UTC.
func WithStartTime(t time.Time) Option { return func(c *config) { c.start = t } }

// WithWallClock makes the service's clock run with the wall clock: for programs that look at it from outside, such as a webhook
// receiver that compares the Date header with its own time.
func WithWallClock() Option { return func(c *config) { c.wall = true } }

// WithSeed makes everything random repeatable (keys, ids, the order of questions and answers): two services with one seed that
// are asked the same in the same order answer the same.
func WithSeed(seed uint64) Option { return func(c *config) { c.seed = seed } }

// WithTLS serves over TLS, which the live key needs; [Server.HTTPClient] trusts the certificate.
func WithTLS() Option { return func(c *config) { c.tls = true } }

// WithListener serves on l instead of a free loopback port; the service closes it.
func WithListener(l net.Listener) Option { return func(c *config) { c.listener = l } }

// WithPathPrefix moves all paths below a prefix such as "/v4": for clients whose base address has one. Without it there is none.
func WithPathPrefix(prefix string) Option {
	return func(c *config) { c.prefix = strings.TrimRight("/"+strings.Trim(prefix, "/"), "/") }
}
