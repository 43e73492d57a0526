package idvtest

import (
	"cmp"
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
	latest   int
	observe  func(Request)

	pageSize      int
	order         Order
	indexDelay    time.Duration
	indexDelayAll time.Duration
	hitDelay      time.Duration
	sanctioned    []SanctionedEntry

	flow flowConfig
}

func newConfig(opts []Option) config {
	cfg := config{
		start: defaultStart, seed: rand.Uint64(), latest: currentVersion, observe: func(Request) {},
		pageSize: 25, hitDelay: 3 * time.Second,
		flow: newFlowConfig(),
	}
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

// WithObserver calls f for each request, just before its answer goes out: for a log of what happens. f is called from several
// goroutines at once.
func WithObserver(f func(Request)) Option {
	return func(c *config) {
		if f != nil {
			c.observe = f
		}
	}
}

// WithLatestVersion sets the version that a request without a version number gets: 4 by default, as the contract says. With another
// one such a request is answered in a form that no client of version 4 understands, as after a major release.
func WithLatestVersion(major int) Option { return func(c *config) { c.latest = major } }

// WithPageSize sets how many objects a page has unless count asks for another number: 25 by default (observed, not in the
// written contract). Values below 1 count as 1.
func WithPageSize(n int) Option { return func(c *config) { c.pageSize = max(n, 1) } }

// WithOrder sets the order of lists: [Newest] by default.
func WithOrder(o Order) Option { return func(c *config) { c.order = o } }

// WithIndexDelay keeps a new candidate out of lists for a while of the service's clock, as the real index does for some seconds
// (observed, not in the written contract). By default it is listed at once.
func WithIndexDelay(d time.Duration) Option { return func(c *config) { c.indexDelay = d } }

// WithIndexDelayForAll is WithIndexDelay for every kind of object: for programs that must cope with an index of people and companies that
// lags as well, which was not observed. For candidates the longer of the two delays holds.
func WithIndexDelayForAll(d time.Duration) Option { return func(c *config) { c.indexDelayAll = d } }

// WithHitDelay sets how long after a watchlist search its matches appear among the candidate's hits: 3 seconds of the service's
// clock by default. That they come later was observed, by how much was not.
func WithHitDelay(d time.Duration) Option { return func(c *config) { c.hitDelay = d } }

// WithSanctioned adds entries to the service's watchlists; [Sanctioned] has those that are there anyway. An empty EntryType
// counts as individual, an empty List as US_SDN.
func WithSanctioned(entries ...SanctionedEntry) Option {
	return func(c *config) {
		for _, e := range entries {
			e.EntryType = cmp.Or(e.EntryType, "individual")
			e.List = cmp.Or(e.List, "US_SDN")
			e.ID = e.id()
			c.sanctioned = append(c.sanctioned, e)
		}
	}
}
