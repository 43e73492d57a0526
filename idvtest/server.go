package idvtest

import (
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Server is the identity verification service in one process: the other side of the wire, for tests and for trying things out.
//
// Its state lives in memory and goes with it. It is safe for concurrent use.
//
// Inside, every area (REST objects, Flow, faults, the request log) guards its own state with its own mutex. None is held while
// HTTP is spoken, while a callback of the clock runs, or across a call into another area; the clock and the dice may be asked
// under any lock, since they call nobody.
type Server struct {
	// URL is the base address, without a slash at its end: http://127.0.0.1:port, https with WithTLS, with the prefix of
	// WithPathPrefix.
	URL string

	// TestKey and LiveKey are the API keys of this service's one account, made up anew for each service.
	TestKey, LiveKey string

	// WebhookKeyID and WebhookSecret are the Flow credential, with which webhooks are signed.
	WebhookKeyID, WebhookSecret string

	// Clock is the time of this service: it stands still until it is advanced, unless WithWallClock was given.
	Clock *Clock

	config config
	dice   *dice
	http   *httptest.Server
	router router
	flow   *flow
	rest   *rest
	log    requestLog
	faults faultScript
	done   chan struct{} // closed when the service closes: whoever waits in a handler stops waiting
	close  sync.Once
}

// NewServer starts a service on a free loopback port. Close it when done; in a test, [Start] does both.
//
// It panics if it cannot listen, as net/http/httptest does: without a loopback interface there is nothing to test with.
func NewServer(opts ...Option) *Server {
	cfg := newConfig(opts)
	s := &Server{
		Clock:  cfg.clock(),
		config: cfg,
		dice:   newDice(cfg.seed),
		done:   make(chan struct{}),
	}
	s.TestKey = "sk_test_" + s.dice.hex(32)
	s.LiveKey = "sk_live_" + s.dice.hex(32)
	s.startFlow()
	s.rest = newREST(s)
	s.rest.routes(&s.router)
	s.listen()
	return s
}

// Start starts a service for one test, which closes it at its end. If the test fails, its log shows every request that arrived
// and how it was answered.
func Start(tb testing.TB, opts ...Option) *Server {
	tb.Helper()
	s := NewServer(opts...)
	tb.Cleanup(func() {
		s.Close()
		if tb.Failed() {
			tb.Log(s.story())
		}
	})
	return s
}

// HTTPClient returns a client that trusts the certificate of a service started with WithTLS. Without TLS any client will do.
func (s *Server) HTTPClient() *http.Client { return s.http.Client() }

// Certificate returns the certificate of a service started with WithTLS, or nil: for clients that [Server.HTTPClient] is no use to.
func (s *Server) Certificate() *x509.Certificate { return s.http.Certificate() }

// Close stops the service and returns when its last request has been answered; whoever waits in a scripted delay waits no longer.
// Nothing it started is left running. Close may be called more than once.
func (s *Server) Close() {
	s.close.Do(func() {
		close(s.done)
		s.flow.hooks.close()
		s.Clock.stop()
		stubborn := time.AfterFunc(closingGrace, s.http.CloseClientConnections)
		defer stubborn.Stop()
		s.http.Close()
	})
}

// closingGrace is how long Close waits for clients that have begun a request and do not finish it.
const closingGrace = time.Second

func (s *Server) listen() {
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	if s.config.listener != nil {
		_ = s.http.Listener.Close()
		s.http.Listener = s.config.listener
	}
	if s.config.tls {
		s.http.StartTLS()
	} else {
		s.http.Start()
	}
	s.URL = s.http.URL + s.config.prefix
}
