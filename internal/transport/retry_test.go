package transport_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"example.com/idv/internal/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// script is a server of which each attempt gets the next entry; the last one repeats.
type script struct {
	steps []step
	sent  []time.Time
}

// step is what one attempt meets.
type step func(*http.Request) (*http.Response, error)

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent = append(s.sent, time.Now())
	next := s.steps[min(len(s.sent), len(s.steps))-1]
	if r.Body != nil {
		_, _ = io.Copy(io.Discard, r.Body)
	}
	return next(r)
}

func status(code int, header ...string) step {
	return func(r *http.Request) (*http.Response, error) {
		h := http.Header{}
		for i := 0; i < len(header); i += 2 {
			h.Set(header[i], header[i+1])
		}
		body := io.NopCloser(strings.NewReader("body"))
		return &http.Response{StatusCode: code, Header: h, Body: body, ContentLength: 4, Request: r}, nil
	}
}

func broken(err error) step {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

func truncated(code int) step {
	return func(r *http.Request) (*http.Response, error) {
		body := io.NopCloser(io.MultiReader(strings.NewReader("bo"), iotest.ErrReader(io.ErrUnexpectedEOF)))
		return &http.Response{StatusCode: code, Header: http.Header{}, Body: body, ContentLength: 4, Request: r}, nil
	}
}

// silent never answers; the attempt ends when its time does.
func silent(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

var errDial = &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}

func run(ctx context.Context, s *script, method string, change ...func(*transport.Config)) transport.Result {
	return send(ctx, s, request(method), change...)
}

func send(ctx context.Context, s *script, r *transport.Request, change ...func(*transport.Config)) transport.Result {
	c := transport.Config{
		HTTP: http.Client{Transport: s}, Timeout: time.Minute, MaxRetryWait: time.Minute, MaxAnswer: 1 << 20, MaxErrorBody: 1 << 10,
	}
	for _, f := range change {
		f(&c)
	}
	return transport.New(c).Do(ctx, r)
}

func request(method string) *transport.Request {
	r := &transport.Request{
		Method: method, Route: "/people", URL: &url.URL{Scheme: "https", Host: "api.example", Path: "/people", RawQuery: "ssn=1"},
		Header: noHeader, Repeatable: method == "GET", MaxRetries: 4,
	}
	if method == "POST" {
		r.Body = []byte(`{"a":1}`)
	}
	return r
}

// The table of retries in the package's documentation, one row each.
func TestWhatIsSentAgain(t *testing.T) {
	t.Parallel()
	certificate := &tls.CertificateVerificationError{Err: errors.New("unknown authority")}
	for name, c := range map[string]struct {
		method    string
		steps     []step
		sends     int
		status    int  // of the last answer
		failed    bool // no complete answer
		uncertain bool // it may have run
	}{
		"GET, success":                      {"GET", []step{status(200)}, 1, 200, false, true},
		"GET, dial failed":                  {"GET", []step{broken(errDial), status(200)}, 2, 200, false, true},
		"GET, dropped":                      {"GET", []step{broken(io.EOF), status(200)}, 2, 200, false, true},
		"GET, dropped always":               {"GET", []step{broken(io.EOF)}, 5, 0, true, true},
		"GET, timeout of an attempt":        {"GET", []step{silent, status(200)}, 2, 200, false, true},
		"GET, truncated":                    {"GET", []step{truncated(200), status(200)}, 2, 200, false, true},
		"GET, 500":                          {"GET", []step{status(500), status(200)}, 2, 200, false, true},
		"GET, 503 always":                   {"GET", []step{status(503)}, 5, 503, false, true},
		"GET, 501":                          {"GET", []step{status(501)}, 1, 501, false, true},
		"GET, 429":                          {"GET", []step{status(429), status(200)}, 2, 200, false, true},
		"GET, 302":                          {"GET", []step{status(302, "Location", "https://other.example")}, 1, 302, false, true},
		"GET, 404":                          {"GET", []step{status(404)}, 1, 404, false, true},
		"GET, truncated 404":                {"GET", []step{truncated(404)}, 1, 404, false, true},
		"GET, a certificate that is bad":    {"GET", []step{broken(certificate)}, 1, 0, true, true},
		"GET, the answer before is kept":    {"GET", []step{status(503), broken(io.EOF)}, 5, 503, true, true},
		"POST, success":                     {"POST", []step{status(201)}, 1, 201, false, true},
		"POST, dial failed":                 {"POST", []step{broken(errDial), broken(errDial), status(201)}, 3, 201, false, true},
		"POST, dial failed always":          {"POST", []step{broken(errDial)}, 5, 0, true, false},
		"POST, dropped":                     {"POST", []step{broken(io.EOF), status(201)}, 1, 0, true, true},
		"POST, write failed":                {"POST", []step{broken(&net.OpError{Op: "write", Err: errors.New("reset")}), status(201)}, 1, 0, true, true},
		"POST, timeout of an attempt":       {"POST", []step{silent, status(201)}, 1, 0, true, true},
		"POST, truncated":                   {"POST", []step{truncated(201), status(201)}, 1, 201, true, true},
		"POST, 500":                         {"POST", []step{status(500), status(201)}, 1, 500, false, true},
		"POST, 429":                         {"POST", []step{status(429, "Retry-After", "1"), status(201)}, 1, 429, false, true},
		"POST, 307":                         {"POST", []step{status(307, "Location", "/elsewhere"), status(201)}, 1, 307, false, true},
		"POST, 307 to no address":           {"POST", []step{status(307, "Location", "ht tp://%zz"), status(201)}, 1, 307, false, true},
		"PATCH, 502":                        {"PATCH", []step{status(502), status(200)}, 1, 502, false, true},
		"DELETE, dropped":                   {"DELETE", []step{broken(io.EOF), status(200)}, 1, 0, true, true},
		"POST, truncated error":             {"POST", []step{truncated(500)}, 1, 500, false, true},
		"POST, an error that only names it": {"POST", []step{broken(errors.New("dial tcp: refused")), status(201)}, 1, 0, true, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: c.steps}
				got := run(t.Context(), s, c.method)
				assert.Len(t, s.sent, c.sends)
				assert.Equal(t, c.sends, got.Attempts)
				assert.Equal(t, c.failed, got.Err != nil, "%v", got.Err)
				assert.Equal(t, c.uncertain, got.MaybeSent)
				if c.status == 0 {
					assert.Nil(t, got.Answer)
				} else {
					require.NotNil(t, got.Answer)
					assert.Equal(t, c.status, got.Answer.StatusCode)
				}
			})
		})
	}
}

func TestSuccessIsAny2xx(t *testing.T) {
	t.Parallel()
	for status, success := range map[int]bool{199: false, 200: true, 204: true, 299: true, 300: false} {
		assert.Equal(t, success, (&transport.Answer{StatusCode: status}).Success(), status)
	}
}

func TestWaitsGrowAndDiffer(t *testing.T) {
	t.Parallel()
	seen := map[time.Duration]bool{}
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			s := &script{steps: []step{status(500)}}
			run(t.Context(), s, "GET", func(c *transport.Config) { c.MaxRetryWait = time.Hour })
			for i, step := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second} {
				wait := s.sent[i+1].Sub(s.sent[i])
				assert.GreaterOrEqual(t, wait, step/2)
				assert.Less(t, wait, step)
				seen[wait] = true
			}
		})
	}
	assert.Greater(t, len(seen), 40, "callers that failed together must not come back together")
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const longest = time.Duration(1<<63 - 1)
	for header, c := range map[string]struct {
		asked time.Duration
		sends int
	}{
		"":                                 {0, 2},
		"0":                                {0, 2},
		"7":                                {7 * time.Second, 2},
		"  7 ":                             {7 * time.Second, 2},
		"1.5":                              {1500 * time.Millisecond, 2},
		"-3":                               {0, 2},
		"soon":                             {0, 2},
		"NaN":                              {0, 2},
		"61":                               {61 * time.Second, 1},
		"86400":                            {24 * time.Hour, 1},
		"9999999999":                       {longest, 1},
		"99999999999":                      {longest, 1},
		"999999999999999999999999":         {longest, 1},
		"1e400":                            {longest, 1},
		"Sat, 01 Jan 2000 00:00:09 GMT":    {9 * time.Second, 2}, // a bubble begins at midnight of that day
		"Saturday, 01-Jan-00 00:00:09 GMT": {9 * time.Second, 2},
		"Sat Jan  1 00:00:09 2000":         {9 * time.Second, 2},
		"Fri, 31 Dec 1999 23:59:59 GMT":    {0, 2},
		"Sun, 02 Jan 2000 00:00:00 GMT":    {24 * time.Hour, 1},
	} {
		t.Run(header, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &script{steps: []step{status(429, "Retry-After", header), status(200)}}
				got := run(t.Context(), s, "GET")
				require.Len(t, s.sent, c.sends)
				if c.sends == 1 {
					assert.Equal(t, 429, got.Answer.StatusCode, "the answer at once rather than a wait that is too long")
					assert.Equal(t, c.asked, got.RetryAfter)
					return
				}
				assert.GreaterOrEqual(t, s.sent[1].Sub(s.sent[0]), max(c.asked, 250*time.Millisecond))
				assert.Less(t, s.sent[1].Sub(s.sent[0]), c.asked+time.Second)
			})
		})
	}
}

func TestAWaitThatPassesTheDeadlineIsNotBegun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		start := time.Now()
		got := run(ctx, &script{steps: []step{status(503, "Retry-After", "30")}}, "GET")
		assert.Equal(t, time.Duration(0), time.Since(start))
		assert.NoError(t, got.Err)
		assert.Equal(t, 503, got.Answer.StatusCode)
		assert.Equal(t, 30*time.Second, got.RetryAfter)
	})
}

func TestOurOwnWaitsAreCappedToo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		for most, want := range map[time.Duration]time.Duration{0: 0, 100 * time.Millisecond: 100 * time.Millisecond} {
			s := &script{steps: []step{status(503)}}
			run(t.Context(), s, "GET", func(c *transport.Config) { c.MaxRetryWait = most })
			require.Len(t, s.sent, 5)
			assert.LessOrEqual(t, s.sent[4].Sub(s.sent[3]), want)
		}
	})
}

func TestExtremeLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const forever = time.Duration(1<<63 - 1)
		s := &script{steps: []step{status(429, "Retry-After", "99999999999")}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		run(ctx, s, "GET", func(c *transport.Config) { c.MaxRetryWait = forever })
		assert.Len(t, s.sent, 1, "the longest wait plus chance is no short one")

		chunked := func(r *http.Request) (*http.Response, error) {
			resp, err := status(200)(r)
			resp.ContentLength = -1
			return resp, err
		}
		got := run(t.Context(), &script{steps: []step{chunked}}, "GET", func(c *transport.Config) { c.MaxAnswer = 1<<63 - 1 })
		assert.Equal(t, "body", string(got.Answer.Body))
	})
}

func TestTheContext(t *testing.T) {
	t.Parallel()
	t.Run("done before: nothing is sent", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		s := &script{steps: []step{status(200)}}
		got := run(ctx, s, "POST")
		assert.Empty(t, s.sent)
		assert.Equal(t, context.Canceled, got.Err)
		assert.False(t, got.MaybeSent)
	})
	t.Run("done during a wait: the answer is joined", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			got := run(ctx, &script{steps: []step{status(503)}}, "GET")
			assert.ErrorIs(t, got.Err, context.Canceled)
			require.NotNil(t, got.Answer)
			assert.Equal(t, 503, got.Answer.StatusCode)
			assert.Equal(t, "body", string(got.Answer.Body))
		})
	})
	t.Run("done during a wait: the failure before is joined", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(100*time.Millisecond, cancel)
			got := run(ctx, &script{steps: []step{broken(errDial)}}, "POST")
			assert.ErrorIs(t, got.Err, context.Canceled)
			assert.ErrorIs(t, got.Err, errDial)
			assert.False(t, got.MaybeSent)
		})
	})
	t.Run("done during an attempt: no retry, and it may have run", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			for _, method := range []string{"GET", "POST"} {
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				s := &script{steps: []step{silent}}
				got := run(ctx, s, method)
				cancel()
				assert.Len(t, s.sent, 1)
				assert.Equal(t, context.DeadlineExceeded, got.Err)
				assert.True(t, got.MaybeSent)
			}
		})
	})
	t.Run("the timeout of an attempt names itself", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			got := run(t.Context(), &script{steps: []step{silent}}, "POST")
			assert.EqualError(t, got.Err, "no complete answer within 1m0s: context deadline exceeded")
			assert.ErrorIs(t, got.Err, context.DeadlineExceeded)
		})
	})
	t.Run("without a timeout an attempt takes its time", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			late := func(r *http.Request) (*http.Response, error) { time.Sleep(24 * time.Hour); return status(200)(r) }
			got := run(t.Context(), &script{steps: []step{late}}, "POST", func(c *transport.Config) { c.Timeout = 0 })
			assert.NoError(t, got.Err)
		})
	})
}

func TestTheCallersClientTimeoutEndsAnAttemptOnly(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &script{steps: []step{silent, status(200)}}
		got := run(t.Context(), s, "GET", func(c *transport.Config) { c.HTTP.Timeout = time.Second })
		assert.NoError(t, got.Err)
		assert.Len(t, s.sent, 2)
	})
}

func TestTextsOfOthersStayOut(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"the exchange over HTTP failed":                 errors.New(`malformed HTTP response "078051120"`),
		"dial : connection refused":                     nil,
		"the connection ended before an answer":         io.EOF,
		"the answer broke off":                          io.ErrUnexpectedEOF,
		"tls: failed to verify certificate: bad issuer": &tls.CertificateVerificationError{Err: errors.New("bad issuer")},
	} {
		if err == nil {
			err = &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			want = "dial: connection refused"
		}
		synctest.Test(t, func(t *testing.T) {
			got := run(t.Context(), &script{steps: []step{broken(err)}}, "POST")
			assert.EqualError(t, got.Err, want)
			assert.ErrorIs(t, got.Err, err, "the error itself can be asked for")
		})
	}
}

func TestObserve(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen []transport.Attempt
		slow := func(r *http.Request) (*http.Response, error) {
			time.Sleep(time.Second)
			return status(200, "X-Request-Id", "u")(r)
		}
		steps := []step{broken(errDial), silent, truncated(200), status(503), slow}
		run(t.Context(), &script{steps: steps}, "GET", func(c *transport.Config) {
			c.Observe = func(_ context.Context, a transport.Attempt) { seen = append(seen, a) }
		})
		assert.Equal(t, []transport.Attempt{
			{Method: "GET", Route: "/people", Number: 1, ErrorClass: "dial"},
			{Method: "GET", Route: "/people", Number: 2, ErrorClass: "timeout", Duration: time.Minute},
			{Method: "GET", Route: "/people", Number: 3, ErrorClass: "broken", StatusCode: 200},
			{Method: "GET", Route: "/people", Number: 4, ErrorClass: "status", StatusCode: 503},
			{Method: "GET", Route: "/people", Number: 5, StatusCode: 200, Duration: time.Second, RequestID: "u"},
		}, seen)
	})
}
