package idv_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reply is a server that does the same to every request.
func reply(status int, body string, broken error) roundTrip {
	return func(r *http.Request) (*http.Response, error) {
		if status == 0 {
			return nil, broken
		}
		var b io.Reader = strings.NewReader(body)
		if broken != nil {
			b = io.MultiReader(b, iotest.ErrReader(broken))
		}
		return &http.Response{StatusCode: status, Header: http.Header{"Retry-After": {"120"}}, Body: io.NopCloser(b), ContentLength: -1, Request: r}, nil
	}
}

// silence lasts until the request's context ends it.
func silence(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

func TestWhatIsKnownOfARequestThatMayBeBilled(t *testing.T) {
	t.Parallel()
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for name, c := range map[string]struct {
		server    roundTrip
		uncertain bool
		is        error
		body      string // of the *Error or *DecodeError in it
		text      string
	}{
		"500":       {reply(500, `{"error":"boom"}`, nil), true, idv.ErrServer, `{"error":"boom"}`, "idv: POST /people: sent, and whether it ran is unknown: idv: POST /people: 500: boom"},
		"503":       {reply(503, "", nil), true, idv.ErrServer, "", "idv: POST /people: sent, and whether it ran is unknown: idv: POST /people: 503: Service Unavailable"},
		"501":       {reply(501, "", nil), false, idv.ErrServer, "", "idv: POST /people: 501: Not Implemented"},
		"429":       {reply(429, "", nil), false, idv.ErrRateLimited, "", "idv: POST /people: 429: Too Many Requests"},
		"400":       {reply(400, `{"error":"x"}`, io.ErrUnexpectedEOF), false, idv.ErrValidation, `{"error":"x"}`, "idv: POST /people: 400: x"},
		"dropped":   {reply(0, "", io.EOF), true, io.EOF, "", "idv: POST /people: sent, and whether it ran is unknown: the connection ended before an answer"},
		"truncated": {reply(201, `{"id":"1","sta`, io.ErrUnexpectedEOF), true, io.ErrUnexpectedEOF, `{"id":"1","sta`, "idv: POST /people: sent, and whether it ran is unknown: idv: POST /people: 201, but its body could not be decoded (it is kept in Body): the answer broke off"},
		"timeout":   {silence, true, context.DeadlineExceeded, "", "idv: POST /people: sent, and whether it ran is unknown: no complete answer within 1m0s: context deadline exceeded"},
		"no way in": {reply(0, "", dial), false, dial, "", "idv: POST /people: no answer after 5 attempt(s): dial tcp: connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				client, err := idv.New(baseURL, testKey, idv.WithHTTPClient(&http.Client{Transport: c.server}))
				require.NoError(t, err)
				before := time.Now()
				_, err = client.People.Create(t.Context(), validPerson())
				require.EqualError(t, err, c.text)
				assert.ErrorIs(t, err, c.is)
				var uncertain *idv.UncertainError
				require.Equal(t, c.uncertain, errors.As(err, &uncertain))
				if c.uncertain {
					assert.Equal(t, before, uncertain.Started)
					assert.Equal(t, []string{"POST", "/people"}, []string{uncertain.Method, uncertain.Path})
				}
				var answered *idv.Error
				var paid *idv.DecodeError
				switch {
				case errors.As(err, &answered):
					assert.Equal(t, c.body, string(answered.Body))
					assert.Equal(t, 2*time.Minute, answered.RetryAfter)
				case errors.As(err, &paid):
					assert.Equal(t, c.body, string(paid.Body), "the part that was paid for and came")
				default:
					assert.Empty(t, c.body)
				}
			})
		})
	}
}

func TestWhatIsKnownOfARead(t *testing.T) {
	t.Parallel()
	t.Run("the last answer survives a cancelled wait", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, err := idv.New(baseURL, testKey, idv.WithMaxRetryWait(time.Hour), idv.WithHTTPClient(&http.Client{Transport: reply(503, "later", nil)}))
			require.NoError(t, err)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			_, err = c.People.Get(ctx, "1")
			var transport *idv.TransportError
			require.ErrorAs(t, err, &transport)
			assert.ErrorIs(t, err, context.Canceled)
			var e *idv.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, "later", string(e.Body))
		})
	})
	t.Run("a wait that the deadline forbids is not begun", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			c, err := idv.New(baseURL, testKey, idv.WithMaxRetryWait(time.Hour), idv.WithHTTPClient(&http.Client{Transport: reply(503, "", nil)}))
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err = c.People.Get(ctx, "1")
			var e *idv.Error
			require.True(t, errors.As(err, &e))
			assert.Equal(t, 2*time.Minute, e.RetryAfter)
			assert.NoError(t, ctx.Err())
		})
	})
	t.Run("nothing is in doubt after a failure", func(t *testing.T) {
		t.Parallel()
		c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(&http.Client{Transport: reply(0, "", io.EOF)}))
		require.NoError(t, err)
		_, err = c.People.Get(bg(), "1", idv.WithRetries(0), idv.WithQuery("ssn", canary))
		require.EqualError(t, err, "idv: GET /people/1: no answer after 1 attempt(s): the connection ended before an answer")
		_, err = c.Candidates.Delete(bg(), "1")
		var uncertain *idv.UncertainError
		assert.ErrorAs(t, err, &uncertain, "DELETE is no read")
	})
}
