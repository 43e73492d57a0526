package flow_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mishap is a service that something happens to with the first request; all others it answers as it should.
type mishap struct {
	requests, executed atomic.Int32
	befall             func(m *mishap, w http.ResponseWriter, r *http.Request)
}

func (m *mishap) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	if m.requests.Add(1) == 1 && m.befall != nil {
		m.befall(m, w, r)
		return
	}
	m.work(w, `{"id":"flwses_1"}`)
}

// work is what must not be done twice.
func (m *mishap) work(w http.ResponseWriter, answer string) {
	m.executed.Add(1)
	w.Header().Set("Content-Length", fmt.Sprint(len(answer)))
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, answer)
}

func status(code int) func(*mishap, http.ResponseWriter, *http.Request) {
	return func(_ *mishap, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func drop(*mishap, http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func dropAfterTheWork(m *mishap, _ http.ResponseWriter, _ *http.Request) {
	m.executed.Add(1)
	panic(http.ErrAbortHandler)
}

func truncate(m *mishap, w http.ResponseWriter, _ *http.Request) {
	m.executed.Add(1)
	w.Header().Set("Content-Length", "17")
	w.WriteHeader(http.StatusCreated)
	_, _ = io.WriteString(w, `{"id":"fl`)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

func garbage(m *mishap, w http.ResponseWriter, _ *http.Request) { m.work(w, "<html>welcome</html>") }

func silence(m *mishap, _ http.ResponseWriter, r *http.Request) {
	m.executed.Add(1)
	<-r.Context().Done()
}

// The kinds of outcome.
const (
	fine      = "fine"
	uncertain = "uncertain" // *idv.UncertainError
	answered  = "answered"  // *idv.Error
	transport = "transport" // *idv.TransportError
	undecoded = "undecoded" // *idv.DecodeError
)

func kind(err error) string {
	var u *idv.UncertainError
	var e *idv.Error
	var tr *idv.TransportError
	var d *idv.DecodeError
	switch {
	case err == nil:
		return fine
	case errors.As(err, &u):
		return uncertain
	case errors.As(err, &tr):
		return transport
	case errors.As(err, &d):
		return undecoded
	case errors.As(err, &e):
		return answered
	}
	return err.Error()
}

// calls are the four ways of the Flow API: the first two may be repeated, the last two are sent at most once.
func calls() map[string]func(context.Context, *flow.Client) error {
	once := params("c-42")
	once.Idempotent = true
	return map[string]func(context.Context, *flow.Client) error{
		"Get":               func(ctx context.Context, c *flow.Client) error { _, err := c.Sessions.Get(ctx, "1"); return err },
		"Create idempotent": func(ctx context.Context, c *flow.Client) error { _, err := c.Sessions.Create(ctx, once); return err },
		"Create": func(ctx context.Context, c *flow.Client) error {
			_, err := c.Sessions.Create(ctx, params("c-42"))
			return err
		},
		"Retry": func(ctx context.Context, c *flow.Client) error {
			_, err := c.Sessions.Retry(ctx, retry("c-42"))
			return err
		},
	}
}

// want is the number of requests and the outcome.
type want struct {
	requests int32
	outcome  string
}

// The matrix: what happens to the first request, and what each call makes of it.
func TestAtMostOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		befall     func(*mishap, http.ResponseWriter, *http.Request)
		get, again want // Get and the idempotent Create
		once       want // Create and Retry
	}{
		"nothing":                {nil, want{1, fine}, want{1, fine}, want{1, fine}},
		"500":                    {status(500), want{2, fine}, want{2, fine}, want{1, uncertain}},
		"502":                    {status(502), want{2, fine}, want{2, fine}, want{1, uncertain}},
		"503":                    {status(503), want{2, fine}, want{2, fine}, want{1, uncertain}},
		"504":                    {status(504), want{2, fine}, want{2, fine}, want{1, uncertain}},
		"501":                    {status(501), want{1, answered}, want{1, answered}, want{1, answered}},
		"429":                    {status(429), want{2, fine}, want{2, fine}, want{1, answered}},
		"400":                    {status(400), want{1, answered}, want{1, answered}, want{1, answered}},
		"dropped before work":    {drop, want{2, fine}, want{2, fine}, want{1, uncertain}},
		"dropped after the work": {dropAfterTheWork, want{2, fine}, want{2, fine}, want{1, uncertain}},
		"truncated":              {truncate, want{2, fine}, want{2, fine}, want{1, uncertain}},
		"garbage":                {garbage, want{1, undecoded}, want{1, undecoded}, want{1, undecoded}},
		"timeout":                {silence, want{2, fine}, want{2, fine}, want{1, uncertain}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var waiting sync.WaitGroup // all calls at once: their retries wait
			defer waiting.Wait()
			for call, f := range calls() {
				m := &mishap{befall: tt.befall}
				patience := time.Minute
				if name == "timeout" {
					patience = time.Second
				}
				c := to(t, m, idv.WithTimeout(patience))
				expected, repeated := map[string]want{"Get": tt.get, "Create idempotent": tt.again}[call]
				if !repeated {
					expected = tt.once
				}
				waiting.Go(func() {
					assert.Equal(t, expected.outcome, kind(f(t.Context(), c)), call)
					assert.Equal(t, expected.requests, m.requests.Load(), call)
					if !repeated {
						assert.LessOrEqual(t, m.executed.Load(), int32(1), "%s is executed at most once", call)
					}
				})
			}
		})
	}
}

// to makes a client for a service of this process.
func to(t *testing.T, h http.Handler, opts ...flow.Option) *flow.Client {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	c, err := flow.New(server.URL, keyID, secret, opts...)
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	for call, outcome := range map[string]string{"Get": transport, "Create idempotent": uncertain, "Create": uncertain, "Retry": uncertain} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			m := &mishap{befall: func(m *mishap, w http.ResponseWriter, r *http.Request) { cancel(); silence(m, w, r) }}
			err := calls()[call](ctx, to(t, m))
			assert.Equal(t, outcome, kind(err))
			assert.ErrorIs(t, err, context.Canceled)
			assert.EqualValues(t, 1, m.requests.Load())
			assert.Equal(t, transport, kind(calls()[call](ctx, to(t, m))), "cancelled before: nothing is sent, nothing is in doubt")
			assert.EqualValues(t, 1, m.requests.Load())
		})
	}
}

// A redirect would carry personal data, and a signature, to whatever host the answer names.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	for _, code := range []int{301, 302, 303, 307, 308} {
		for call, f := range calls() {
			m := &mishap{befall: func(_ *mishap, w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, other.URL, code) }}
			assert.Equal(t, answered, kind(f(t.Context(), to(t, m))), "%d, %s", code, call)
			assert.EqualValues(t, 1, m.requests.Load())
		}
	}
	assert.Zero(t, elsewhere.Load())
}

func TestATLSFailureProvesThatNothingWasSent(t *testing.T) {
	t.Parallel()
	m := &mishap{}
	server := httptest.NewUnstartedServer(m)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	c, err := flow.New(server.URL, keyID, secret)
	require.NoError(t, err)
	for call, f := range calls() {
		assert.Equal(t, transport, kind(f(t.Context(), c)), call)
	}
	assert.Zero(t, m.requests.Load())
}

// The service is down while the first connections are made, then up: every call goes through, once.
func TestDialRefusedThenUp(t *testing.T) {
	t.Parallel()
	for call, f := range calls() {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			var dials atomic.Int32
			dialler := func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) <= 2 {
					address = "127.0.0.1:1" // nobody listens there
				}
				return new(net.Dialer).DialContext(ctx, network, address)
			}
			m := &mishap{}
			c := to(t, m, idv.WithHTTPClient(&http.Client{Transport: &http.Transport{DialContext: dialler}}))
			assert.NoError(t, f(t.Context(), c))
			assert.EqualValues(t, 1, m.executed.Load())
			assert.GreaterOrEqual(t, dials.Load(), int32(3))
		})
	}
}

// A Create that was repeated stays in doubt if any of its attempts may have run, whatever the last one came to.
func TestDoubtOfARepeatedCreateStays(t *testing.T) {
	t.Parallel()
	in := params("c-42")
	in.Idempotent = true
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for name, tt := range map[string]struct {
		first, last any // a status or an error
		outcome     string
	}{
		"dropped, then refused":          {io.EOF, 400, uncertain},
		"dropped, then limited":          {io.EOF, 429, uncertain},
		"dropped, then nobody listens":   {io.EOF, refused, uncertain},
		"500, then refused":              {500, 400, uncertain},
		"limited twice":                  {429, 429, answered},
		"limited, then nobody listens":   {429, refused, transport},
		"nobody listens, twice":          {refused, refused, transport},
		"nobody listens, then refused":   {refused, 400, answered},
		"dropped, then a success, 200":   {io.EOF, 200, fine},
		"nobody listens, then a success": {refused, 201, fine},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				outcomes := []any{tt.first, tt.last}
				c := over(t, func(r *http.Request) (*http.Response, error) {
					next := outcomes[0]
					outcomes = outcomes[1:]
					if err, ok := next.(error); ok {
						return nil, err
					}
					return reply(r, next.(int), `{"id":"1"}`), nil
				}, idv.WithMaxRetries(1))
				_, err := c.Sessions.Create(t.Context(), in)
				assert.Equal(t, tt.outcome, kind(err), "%v", err)
				assert.Empty(t, outcomes)
			})
		})
	}
}

// What is repeated goes by the query that is sent, not by the one that was meant.
func TestASecondIdempotentInTheQueryIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		idempotent bool
		added      string
		requests   int32
	}{
		"as the params say":        {true, "", 2},
		"not asked for":            {false, "", 1},
		"by an option of the call": {false, "true", 2},
		"contradicted":             {true, "false", 1},
		"said twice":               {true, "true", 1},
		"another spelling":         {false, "True", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &mishap{befall: drop}
			in := params("c-42")
			in.Idempotent = tt.idempotent
			var opts []idv.CallOption
			if tt.added != "" {
				opts = append(opts, idv.WithQuery("idempotent", tt.added))
			}
			_, _ = to(t, m).Sessions.Create(t.Context(), in, opts...)
			assert.Equal(t, tt.requests, m.requests.Load())
		})
	}
}

// The answer to the first request is lost after the work; the second finds the session that the first has made.
func TestARepeatedCreateFindsTheSessionOfTheLostAnswer(t *testing.T) {
	t.Parallel()
	s, c := start(t)
	s.Fail(idvtest.Fault{Method: "POST", Path: "/flow_sessions", Drop: true, Work: true})
	in := params("c-42")
	in.Idempotent = true
	var answer idv.Response
	first, err := c.Sessions.Create(t.Context(), in, idv.CaptureResponse(&answer))
	require.NoError(t, err)
	assert.Equal(t, []int{200, 2}, []int{answer.StatusCode, answer.Attempts}, "200: it was there already")
	again, err := c.Sessions.Create(t.Context(), in)
	require.NoError(t, err)
	assert.Equal(t, first.ID, again.ID)
}
