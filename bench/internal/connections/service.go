package connections

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"time"

	"example.com/idv/bench/internal/sample"
)

// service answers after a while, and counts who connects. Its failures can be switched on.
type service struct {
	*httptest.Server
	opened  atomic.Int64
	failing atomic.Bool
	gate    atomic.Pointer[gate] // nil: requests are answered as they come
}

func start(delay time.Duration) *service {
	s := &service{}
	person := sample.PersonJSON()
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g := s.gate.Load(); g != nil {
			g.wait()
		}
		time.Sleep(delay)
		status := http.StatusOK
		if s.failing.Load() {
			status = http.StatusInternalServerError
		}
		sample.Answer{Status: status, Body: person}.ServeHTTP(w, r)
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.opened.Add(1)
		}
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	return s
}

// gate holds requests until there are as many as it waits for, so that each has a connection of its own.
type gate struct {
	missing atomic.Int64
	open    chan struct{}
}

func (g *gate) wait() {
	if g.missing.Add(-1) == 0 {
		close(g.open)
	}
	select {
	case <-g.open:
	case <-time.After(10 * time.Second): // a caller has failed, and says why
	}
}

// connect makes n requests of which each has a connection of its own.
func (s *service) connect(c Client, n int) error {
	g := &gate{open: make(chan struct{})}
	g.missing.Store(int64(n))
	s.gate.Store(g)
	defer s.gate.Store(nil)
	return send(c, n, n)
}
