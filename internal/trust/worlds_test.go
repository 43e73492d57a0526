package trust_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// world is a service, the way to it, and the caller's context.
type world struct {
	ctx      context.Context
	client   *idv.Client
	base     string       // the address of the service, where another client can use it as well
	executed atomic.Int32 // how often the work of a request that is not a GET was done
	after    func()       // runs when the call has returned
}

// handle is what a service does with a request that is not a GET. work counts an execution.
type handle func(w http.ResponseWriter, r *http.Request, work func())

// served starts a service that answers every GET and hands everything else to h.
func served(t *testing.T, h handle, opts ...idv.Option) *world {
	t.Helper()
	world := &world{ctx: t.Context()}
	server := httptest.NewUnstartedServer(world.handler(h))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	world.client, world.base = connect(t, server.URL, nil, opts...), server.URL
	return world
}

func (w *world) handler(h handle) http.Handler {
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if r.Method == http.MethodGet {
			fmt.Fprint(rw, answerOf)
			return
		}
		h(rw, r, func() { w.executed.Add(1) })
	})
}

// warm leaves an idle connection behind, so that the next request needs no dialling.
func (w *world) warm(t *testing.T) *world {
	t.Helper()
	_, err := w.client.People.Get(w.ctx, "1")
	require.NoError(t, err)
	return w
}

// answers does the work, or not, and answers.
func answers(status int, body string, works bool) func(*testing.T) *world {
	return func(t *testing.T) *world {
		return served(t, func(w http.ResponseWriter, _ *http.Request, work func()) {
			if works {
				work()
			}
			w.WriteHeader(status)
			fmt.Fprint(w, body)
		})
	}
}

// hangUp does the work and ends the connection without a word.
func hangUp(_ http.ResponseWriter, _ *http.Request, work func()) {
	work()
	panic(http.ErrAbortHandler)
}

// breakOff does the work and ends the connection in the middle of the answer.
func breakOff(w http.ResponseWriter, _ *http.Request, work func()) {
	work()
	w.Header().Set("Content-Length", "1000")
	w.WriteHeader(http.StatusCreated)
	fmt.Fprint(w, answerOf[:5])
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// notHTTP answers something that is no HTTP.
func notHTTP(w http.ResponseWriter, _ *http.Request, work func()) {
	work()
	conn, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = buffered.WriteString("SSH-2.0-OpenSSH\r\n")
	_ = buffered.Flush()
	_ = conn.Close()
}

// silent does the work and waits for the client to go.
func silent(_ http.ResponseWriter, r *http.Request, work func()) {
	work()
	<-r.Context().Done()
}

// elsewhere redirects to a second service, whose executions count as well.
func elsewhere(status int) func(*testing.T) *world {
	return func(t *testing.T) *world {
		var w *world
		other := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			w.executed.Add(1)
			fmt.Fprint(rw, answerOf)
		}))
		t.Cleanup(other.Close)
		w = served(t, func(rw http.ResponseWriter, r *http.Request, _ func()) {
			http.Redirect(rw, r, other.URL, status)
		})
		return w
	}
}

// neverRead is a service that hangs up as soon as somebody is connected.
func neverRead(t *testing.T) *world {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			_ = conn.Close()
		}
	}()
	base := "http://" + l.Addr().String()
	return &world{ctx: t.Context(), client: connect(t, base, nil), base: base}
}

// slow lets the time of an attempt run out. The connection is there already, so that it is not the dialling that takes too long.
func slow(t *testing.T) *world {
	w := served(t, silent).warm(t)
	short, err := w.client.With(idv.WithTimeout(100 * time.Millisecond))
	require.NoError(t, err)
	w.client = short
	return w
}

func cancelledBefore(t *testing.T) *world {
	w := answers(201, answerOf, true)(t)
	ctx, cancel := context.WithCancel(w.ctx)
	cancel()
	w.ctx = ctx
	return w
}

// cancelledDuring cancels while the work is being done.
func cancelledDuring(t *testing.T) *world {
	ctx, cancel := context.WithCancel(t.Context())
	w := served(t, func(w http.ResponseWriter, r *http.Request, work func()) {
		cancel()
		silent(w, r, work)
	})
	w.ctx = ctx
	return w
}

func deadlineDuring(t *testing.T) *world {
	w := served(t, silent).warm(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	t.Cleanup(cancel)
	w.ctx = ctx
	return w
}

func cancelledAfter(t *testing.T) *world {
	w := answers(201, answerOf, true)(t)
	w.ctx, w.after = context.WithCancel(w.ctx)
	return w
}

// stranger is a service with a certificate that nobody has signed.
func stranger(t *testing.T) *world {
	w := &world{ctx: t.Context()}
	server := httptest.NewUnstartedServer(w.handler(hangUp))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	w.client = connect(t, server.URL, nil)
	return w
}

// plainForTLS speaks HTTP where TLS is wanted.
func plainForTLS(t *testing.T) *world {
	w := served(t, hangUp)
	server := httptest.NewUnstartedServer(w.handler(hangUp))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	w.client = connect(t, "https://"+server.Listener.Addr().String(), nil)
	return w
}

// unreachable has dialling refused as often as times says; -1 is always.
func unreachable(times int32) func(*testing.T) *world {
	return func(t *testing.T) *world {
		w := &world{ctx: t.Context()}
		server := httptest.NewServer(w.handler(func(rw http.ResponseWriter, _ *http.Request, work func()) {
			work()
			fmt.Fprint(rw, answerOf)
		}))
		t.Cleanup(server.Close)
		var dials atomic.Int32
		base := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if n := dials.Add(1); times < 0 || n <= times {
				address = "127.0.0.1:1"
			}
			return new(net.Dialer).DialContext(ctx, network, address)
		}}
		w.client = connect(t, server.URL, base, idv.WithMaxRetries(int(max(times, 0))))
		return w
	}
}

// dyingConnection answers a GET, keeps the connection, and closes it under the next request: after reading it whole and doing
// the work, or, without work, as soon as the connection is idle.
func dyingConnection(works bool) func(*testing.T) *world {
	return func(t *testing.T) *world {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { _ = l.Close() })
		w := &world{ctx: t.Context(), client: connect(t, "http://"+l.Addr().String(), nil)}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				go w.serveUntilWrite(t, conn, works)
			}
		}()
		return w.warm(t)
	}
}

func (w *world) serveUntilWrite(t *testing.T, conn net.Conn, works bool) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	for {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		_, err = io.Copy(io.Discard, r.Body)
		assert.NoError(t, err)
		if r.Method != http.MethodGet {
			w.executed.Add(1)
			if works {
				return
			}
		}
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(answerOf), answerOf)
		if !works {
			return
		}
	}
}

// overHTTP2 is a client that trusts a hand-made HTTP/2 service.
func overHTTP2(t *testing.T, w *world, s *http2Service) {
	t.Helper()
	base := &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: s.roots, ServerName: "example.com"}}
	w.client = connect(t, "https://"+s.address, base)
}
