package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// receiver is a server on the loopback interface whose handler hands over what it was given, and whose refusals can be awaited.
type receiver struct {
	*httptest.Server
	refused   chan error
	delivered chan *webhook.Delivery
}

func newReceiver(t *testing.T, opts ...webhook.Option) *receiver {
	t.Helper()
	rec := newUnstartedReceiver(t, opts...)
	rec.Start()
	return rec
}

func newUnstartedReceiver(t *testing.T, opts ...webhook.Option) *receiver {
	t.Helper()
	rec := &receiver{refused: make(chan error, 100), delivered: make(chan *webhook.Delivery, 100)}
	opts = append(opts, webhook.WithRefusalHook(func(_ context.Context, err error) { rec.refused <- err }))
	next := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		d, ok := webhook.FromContext(r.Context())
		assert.True(t, ok)
		rec.delivered <- d
	})
	rec.Server = httptest.NewUnstartedServer(sampleVerifier(t, opts...).Middleware(next))
	t.Cleanup(rec.Close)
	return rec
}

// dial opens a connection that gives up instead of hanging.
func (rec *receiver) dial(t *testing.T) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", rec.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(20*time.Second)))
	return conn.(*net.TCPConn)
}

// head is the head of the sample's request, without the blank line that ends it.
func head(m webhook.Message, more ...string) string {
	lines := append([]string{
		"POST " + m.Path + " HTTP/1.1", "Host: receiver.example", "Date: " + m.Date, "Digest: " + m.Digest, "Authorization: " + m.Authorization,
	}, more...)
	return strings.Join(lines, "\r\n") + "\r\n"
}

func forgedSample() webhook.Message {
	m := signedMessage([]byte(sampleBody))
	m.Authorization = authorization(sampleKeyID, "another secret", "post", m.Path, m.Date, m.Digest)
	return m
}

// exchange sends raw bytes and returns all that comes back until the server closes the connection.
func (rec *receiver) exchange(t *testing.T, raw string) string {
	t.Helper()
	conn := rec.dial(t)
	_, err := io.WriteString(conn, raw)
	require.NoError(t, err)
	answer, err := io.ReadAll(conn)
	require.NoError(t, err, "the server closes the connection")
	return string(answer)
}

// TestHostileConnections: what net/http does with a refusal. None of these clients sends the body it announces, so a server that waited
// for it would wait for ever.
func TestHostileConnections(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, raw, status string
		want              error
	}{
		{"A12 Content-Length 1 GiB, bad signature", head(forgedSample(), "Content-Length: 1073741824") + "\r\n", "401", webhook.ErrSignatureMismatch},
		{"A12 Content-Length below what net/http would drain, bad signature", head(forgedSample(), "Content-Length: 100000") + "\r\n", "401", webhook.ErrSignatureMismatch},
		{"A12 chunked, bad signature", head(forgedSample(), "Transfer-Encoding: chunked") + "\r\n", "401", webhook.ErrSignatureMismatch},
		{"A13 Expect: 100-continue and bad signature", head(forgedSample(), "Content-Length: 340", "Expect: 100-continue") + "\r\n", "401", webhook.ErrSignatureMismatch},
		{"A5 Content-Length over the limit, authentic", head(signedMessage(nil), "Content-Length: 2000000") + "\r\n", "413", webhook.ErrBodyTooLarge},
		{"A9 Digest only as a chunked trailer", strings.Replace(head(signedMessage(nil), "Transfer-Encoding: chunked", "Trailer: Digest"), "Digest: SHA", "X: SHA", 1) +
			"\r\n0\r\nDigest: " + digestOf(nil) + "\r\n\r\n", "401", webhook.ErrNotSigned},
		{"B31 obs-fold line", strings.Replace(head(signedMessage(nil), "Content-Length: 0"), ",headers", ",\r\n headers", 1) + "\r\n", "401", webhook.ErrMalformed},
		{"E57 authority form", strings.Replace(head(signedMessage(nil), "Content-Length: 0"), samplePath, "*", 1) + "\r\n", "401", webhook.ErrMalformed},
		{"E62 PUT", strings.Replace(head(signedMessage(nil), "Content-Length: 100000"), "POST", "PUT", 1) + "\r\n", "405", webhook.ErrMethod},
	}
	rec := newReceiver(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answer := rec.exchange(t, tt.raw)
			assert.Regexp(t, "^HTTP/1.1 "+tt.status+" ", answer, "the first line is the verdict, not 100 Continue")
			assert.Contains(t, answer, "\r\nConnection: close\r\n")
			require.ErrorIs(t, <-rec.refused, tt.want)
			assert.Empty(t, rec.delivered)
		})
	}
	t.Run("A13 Expect: 100-continue and right signature", func(t *testing.T) {
		conn := rec.dial(t)
		_, err := io.WriteString(conn, head(signedMessage([]byte(sampleBody)), "Content-Length: 340", "Expect: 100-continue")+"\r\n")
		require.NoError(t, err)
		answers := bufio.NewReader(conn)
		line, err := answers.ReadString('\n')
		require.NoError(t, err)
		assert.Equal(t, "HTTP/1.1 100 Continue\r\n", line)
		_, err = io.WriteString(conn, sampleBody)
		require.NoError(t, err)
		_, _ = answers.ReadString('\n')
		res, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		assert.Equal(t, http.StatusOK, res.StatusCode)
		assert.Equal(t, sampleBody, string((<-rec.delivered).Body))
	})
	t.Run("A10 the client dies", func(t *testing.T) {
		conn := rec.dial(t)
		_, err := io.WriteString(conn, head(signedMessage([]byte(sampleBody)), "Content-Length: 340")+"\r\n"+sampleBody[:100])
		require.NoError(t, err)
		require.NoError(t, conn.CloseWrite())
		answer, err := io.ReadAll(conn)
		require.NoError(t, err)
		assert.Regexp(t, "^HTTP/1.1 400 ", string(answer))
		err = <-rec.refused
		require.ErrorIs(t, err, webhook.ErrBodyRead)
		require.NotErrorIs(t, err, webhook.ErrDigestMismatch)
	})
	t.Run("B28 a header over net/http's cap never arrives", func(t *testing.T) {
		conn := rec.dial(t)
		go func() { _, _ = io.WriteString(conn, head(signedMessage(nil), "X: "+strings.Repeat("x", 2<<20))+"\r\n") }()
		line, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err)
		assert.Contains(t, line, "431")
	})
}

// TestHostileSlowBody is "F70 slow body (1 byte/s) of an authentic header": it has to arrive in time as a whole.
func TestHostileSlowBody(t *testing.T) {
	t.Parallel()
	t.Run("F70 over HTTP/1.1", func(t *testing.T) {
		t.Parallel()
		rec := newReceiver(t, webhook.WithBodyTimeout(50*time.Millisecond))
		answer := rec.exchange(t, head(signedMessage([]byte(sampleBody)), "Content-Length: 340")+"\r\n"+sampleBody[:1])
		assert.Regexp(t, "^HTTP/1.1 408 ", answer)
		require.ErrorIs(t, <-rec.refused, webhook.ErrBodyRead)
	})
	t.Run("F70 over HTTP/2", func(t *testing.T) {
		t.Parallel()
		rec := newUnstartedReceiver(t, webhook.WithBodyTimeout(50*time.Millisecond))
		rec.EnableHTTP2 = true
		rec.StartTLS()
		unfinished, end := io.Pipe()
		r := clientRequest(t, rec.URL, signedMessage([]byte(sampleBody)))
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(sampleBody[:1]), unfinished)), 340
		res, err := rec.Client().Do(r)
		require.NoError(t, err)
		require.NoError(t, end.Close()) // lets the client's transport end, too
		defer res.Body.Close()
		assert.Equal(t, http.StatusRequestTimeout, res.StatusCode)
		require.ErrorIs(t, <-rec.refused, webhook.ErrBodyRead)
	})
	t.Run("F70 a shorter ReadTimeout of the server stays in force", func(t *testing.T) {
		t.Parallel()
		rec := newUnstartedReceiver(t, webhook.WithBodyTimeout(time.Hour))
		rec.Config.ReadTimeout = 100 * time.Millisecond
		rec.Start()
		answer := rec.exchange(t, head(signedMessage([]byte(sampleBody)), "Content-Length: 340")+"\r\n"+sampleBody[:1])
		assert.Regexp(t, "^HTTP/1.1 408 ", answer)
	})
	t.Run("F70 the deadline does not reach the handler", func(t *testing.T) {
		t.Parallel()
		var during error
		slow := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(200 * time.Millisecond):
			}
			during = r.Context().Err()
		})
		v := sampleVerifier(t, webhook.WithBodyTimeout(100*time.Millisecond))
		srv := httptest.NewServer(v.Middleware(v.Middleware(slow))) // the inner one sets it when the body is already there
		defer srv.Close()
		res, err := srv.Client().Do(clientRequest(t, srv.URL, signedMessage([]byte(sampleBody))))
		require.NoError(t, err)
		defer res.Body.Close()
		assert.Equal(t, http.StatusOK, res.StatusCode)
		require.NoError(t, during)
	})
}

// clientRequest is the message as a client sends it.
func clientRequest(t *testing.T, server string, m webhook.Message) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), m.Method, server+m.Path, bytes.NewReader(m.Body))
	require.NoError(t, err)
	r.Header = http.Header{"Authorization": {m.Authorization}, "Date": {m.Date}, "Digest": {m.Digest}}
	return r
}

// TestHostileProtocols is "E63 HTTP/1.0, HTTP/2 (lower-case names), h2c".
func TestHostileProtocols(t *testing.T) {
	t.Parallel()
	good, bad := signedMessage([]byte(sampleBody)), forgedSample()
	check := func(t *testing.T, rec *receiver, c *http.Client, proto string) {
		t.Helper()
		for _, tt := range []struct {
			m      webhook.Message
			status int
		}{{good, http.StatusOK}, {bad, http.StatusUnauthorized}, {good, http.StatusOK}} {
			res, err := c.Do(clientRequest(t, rec.URL, tt.m))
			require.NoError(t, err)
			_ = res.Body.Close()
			assert.Equal(t, tt.status, res.StatusCode)
			assert.Equal(t, proto, res.Proto)
		}
		assert.Equal(t, sampleBody, string((<-rec.delivered).Body))
	}
	t.Run("E63 HTTP/1.1", func(t *testing.T) {
		t.Parallel()
		rec := newReceiver(t)
		check(t, rec, rec.Client(), "HTTP/1.1")
	})
	t.Run("E63 HTTP/2", func(t *testing.T) {
		t.Parallel()
		rec := newUnstartedReceiver(t)
		rec.EnableHTTP2 = true
		rec.StartTLS()
		check(t, rec, rec.Client(), "HTTP/2.0")
	})
	t.Run("E63 h2c", func(t *testing.T) {
		t.Parallel()
		rec := newUnstartedReceiver(t)
		rec.Config.Protocols = new(http.Protocols)
		rec.Config.Protocols.SetUnencryptedHTTP2(true)
		rec.Start()
		transport := &http.Transport{Protocols: rec.Config.Protocols}
		defer transport.CloseIdleConnections()
		check(t, rec, &http.Client{Transport: transport}, "HTTP/2.0")
	})
	t.Run("E63 HTTP/1.0", func(t *testing.T) {
		t.Parallel()
		raw := strings.Replace(head(good, "Content-Length: 340"), "HTTP/1.1", "HTTP/1.0", 1) + "\r\n" + sampleBody
		assert.Regexp(t, "^HTTP/1.0 200 ", newReceiver(t).exchange(t, raw))
	})
	t.Run("E57 absolute form", func(t *testing.T) {
		t.Parallel()
		raw := strings.Replace(head(good, "Content-Length: 340", "Connection: close"), "POST ", "POST http://receiver.example", 1) + "\r\n" + sampleBody
		assert.Regexp(t, "^HTTP/1.1 200 ", newReceiver(t).exchange(t, raw))
	})
}

// TestHTTP2RefusalKeepsTheConnection: one forged request behind a proxy must not cost the others theirs.
func TestHTTP2RefusalKeepsTheConnection(t *testing.T) {
	t.Parallel()
	rec := newUnstartedReceiver(t)
	rec.EnableHTTP2 = true
	opened := make(chan struct{}, 10)
	rec.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened <- struct{}{}
		}
	}
	rec.StartTLS()
	for range 5 {
		res, err := rec.Client().Do(clientRequest(t, rec.URL, forgedSample()))
		require.NoError(t, err)
		_ = res.Body.Close()
		assert.Empty(t, res.Header.Get("Connection"))
	}
	assert.Len(t, opened, 1)
}

// TestRefusalsLookAlike is "G81 response body and headers of every refusal identical and free of detail", as the sender sees them.
func TestRefusalsLookAlike(t *testing.T) {
	t.Parallel()
	down := sourceFunc(func(context.Context, string) ([]*webhook.SigningKey, error) { return nil, errors.New("down") })
	expired := webhook.WithClock(func() time.Time { return sentAt.Add(time.Hour) })
	whole := func(m webhook.Message) string {
		return head(m, fmt.Sprintf("Content-Length: %d", len(m.Body))) + "\r\n" + string(m.Body)
	}
	unknown := signedMessage([]byte(sampleBody))
	unknown.Authorization = authorization("nobody", sampleSecret, "post", unknown.Path, unknown.Date, unknown.Digest)
	changed := signedMessage([]byte(sampleBody))
	changed.Body = bytes.ToUpper(changed.Body)
	tests := []struct {
		name, raw, status string
		verifier          *webhook.Verifier
	}{
		{"G81 forged", whole(forgedSample()), "401 Unauthorized", sampleVerifier(t)},
		{"G81 unknown key", whole(unknown), "401 Unauthorized", sampleVerifier(t)},
		{"G81 not signed", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "401 Unauthorized", sampleVerifier(t)},
		{"G81 expired", whole(signedMessage([]byte(sampleBody))), "401 Unauthorized", sampleVerifier(t, expired)},
		{"G81 another body", whole(changed), "401 Unauthorized", sampleVerifier(t)},
		{"G81 too large", whole(signedMessage([]byte(sampleBody))), "413 Request Entity Too Large", sampleVerifier(t, webhook.WithMaxBody(10))},
		{"G81 keys out of reach", whole(signedMessage([]byte(sampleBody))), "503 Service Unavailable", sampleVerifierOf(t, down)},
		{"G81 another environment", whole(signedMessage([]byte(sampleBody))), "403 Forbidden", sampleVerifier(t, webhook.WithEnvironments("sandbox"))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			rec := &receiver{Server: httptest.NewServer(tt.verifier.Middleware(http.NotFoundHandler()))}
			defer rec.Close()
			status, rest, _ := strings.Cut(rec.exchange(t, tt.raw), "\r\n")
			assert.Equal(t, "HTTP/1.1 "+tt.status, status)
			before, after, _ := strings.Cut(rest, "Date: ")
			_, after, _ = strings.Cut(after, "\r\n")
			assert.Equal(t, "Cache-Control: no-store\r\nConnection: close\r\nContent-Length: 16\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nwebhook refused\n", before+after)
		})
	}
}
