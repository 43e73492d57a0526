package transport_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv/internal/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// over makes a Transport over real connections, without retries that wait.
func over(t *testing.T, change ...func(*transport.Config)) *transport.Transport {
	t.Helper()
	base := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(base.CloseIdleConnections)
	c := transport.Config{
		HTTP: http.Client{Transport: base}, Timeout: 10 * time.Second, MaxRetryWait: time.Minute, MaxAnswer: 1 << 20, MaxErrorBody: 64 << 10,
	}
	for _, f := range change {
		f(&c)
	}
	return transport.New(c)
}

func to(address, method string) *transport.Request {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	r := &transport.Request{Method: method, URL: u, Header: noHeader, Repeatable: method == "GET"}
	if method == "POST" {
		r.Body = []byte(`{"a":1}`)
	}
	return r
}

func TestNoBodyIsSentAsNone(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		assert.Empty(t, r.TransferEncoding)
		if r.Method == "POST" {
			assert.EqualValues(t, 7, r.ContentLength)
		} else {
			assert.EqualValues(t, 0, r.ContentLength)
		}
	}))
	defer server.Close()
	for _, method := range []string{"GET", "DELETE", "POST"} {
		assert.NoError(t, over(t).Do(t.Context(), to(server.URL, method)).Err)
	}
}

// go-retryablehttp closes the idle connections of its client after any failure.
func TestTheIdlePoolSurvivesAFailure(t *testing.T) {
	t.Parallel()
	healthy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") }))
	defer healthy.Close()
	tr := over(t)
	reused := func() (reused bool) {
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) { reused = i.Reused }})
		require.NoError(t, tr.Do(ctx, to(healthy.URL, "GET")).Err)
		return reused
	}
	assert.False(t, reused())
	assert.True(t, reused())
	require.Error(t, tr.Do(t.Context(), to("http://127.0.0.1:1", "GET")).Err)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, tr.Do(cancelled, to(healthy.URL, "GET")).Err)
	assert.True(t, reused(), "the connection to the healthy host is still there")
}

func TestAnErrorBodyIsReadSoThatItsConnectionIsKept(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(404)
		fmt.Fprint(w, strings.Repeat("x", 60<<10))
	}))
	defer server.Close()
	tr := over(t)
	var connections atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if !i.Reused {
			connections.Add(1)
		}
	}})
	for range 5 {
		require.NoError(t, tr.Do(ctx, to(server.URL, "GET")).Err)
	}
	assert.EqualValues(t, 1, connections.Load())
}

func TestProofThatNothingWasSent(t *testing.T) {
	t.Parallel()
	t.Run("nobody listens", func(t *testing.T) {
		t.Parallel()
		got := over(t).Do(t.Context(), to("http://127.0.0.1:1", "POST"))
		assert.Error(t, got.Err)
		assert.False(t, got.MaybeSent)
	})
	t.Run("a certificate of nobody's", func(t *testing.T) {
		t.Parallel()
		server := httptest.NewTLSServer(http.NotFoundHandler())
		defer server.Close()
		server.Config.ErrorLog = quiet()
		got := over(t).Do(t.Context(), to(server.URL, "POST"))
		assert.Error(t, got.Err)
		assert.False(t, got.MaybeSent, "no connection was made, so no byte of the request was sent")
		assert.Equal(t, 1, got.Attempts)
	})
	t.Run("dropped without a word", func(t *testing.T) {
		t.Parallel()
		got := over(t).Do(t.Context(), to(dropping(t), "POST"))
		assert.Error(t, got.Err)
		assert.True(t, got.MaybeSent)
		assert.Equal(t, 1, got.Attempts)
	})
}

// dropping accepts connections, reads a request and hangs up.
func dropping(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
				_, _ = io.Copy(io.Discard, r.Body)
			}
			_ = conn.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// A keep-alive connection that the server closes while it is idle must not make a POST run twice, nor fail a GET.
func TestAKeepAliveConnectionThatDies(t *testing.T) {
	t.Parallel()
	var executed atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "GET" {
			return
		}
		executed.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		assert.NoError(t, err)
		_ = conn.Close() // after the work, before the answer
	}))
	defer server.Close()
	tr := over(t)
	require.NoError(t, tr.Do(t.Context(), to(server.URL, "GET")).Err, "the connection is warm")
	got := tr.Do(t.Context(), to(server.URL, "POST"))
	assert.Error(t, got.Err)
	assert.True(t, got.MaybeSent)
	assert.EqualValues(t, 1, executed.Load())
}

func TestBodies(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/chunked":
			fmt.Fprint(w, strings.Repeat("a", 3000))
			w.(http.Flusher).Flush()
			fmt.Fprint(w, strings.Repeat("a", 3000))
		case "/large":
			fmt.Fprint(w, strings.Repeat("a", 2<<20))
		case "/large-error":
			w.WriteHeader(500)
			fmt.Fprint(w, strings.Repeat("a", 2<<20))
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(make([]byte, 100<<20))
			_ = z.Close()
		case "/liar":
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, "short")
		case "/claim":
			w.Header().Set("Content-Length", "1000000000000")
			fmt.Fprint(w, "short")
		}
	}))
	t.Cleanup(server.Close)
	for path, c := range map[string]struct {
		length int
		cut    string
	}{
		"/chunked": {6000, ""}, "/large": {1 << 20, "the answer is longer than the limit"}, "/large-error": {64 << 10, "the answer is longer than the limit"},
		"/bomb": {1 << 20, "the answer is longer than the limit"}, "/liar": {5, "the answer broke off"}, "/claim": {5, "the answer broke off"}, "/empty": {0, ""},
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			got := over(t).Do(t.Context(), to(server.URL+path, "GET"))
			require.NotNil(t, got.Answer)
			assert.Len(t, got.Answer.Body, c.length)
			if c.cut == "" {
				assert.NoError(t, got.Answer.Cut)
			} else {
				assert.EqualError(t, got.Answer.Cut, c.cut)
			}
		})
	}
}

func TestASlowBodyEndsWithItsAttempt(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-release
	}))
	defer server.Close()
	defer close(release)
	got := over(t, func(c *transport.Config) { c.Timeout = 50 * time.Millisecond }).Do(t.Context(), to(server.URL, "POST"))
	assert.ErrorIs(t, got.Err, context.DeadlineExceeded)
	assert.True(t, got.MaybeSent)
}
