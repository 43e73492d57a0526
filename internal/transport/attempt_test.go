package transport_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"example.com/idv/internal/transport"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestOddRoundTrippers(t *testing.T) {
	t.Parallel()
	closed := false
	body := closer{strings.NewReader("x"), &closed}
	for name, c := range map[string]struct {
		step step
		want string
	}{
		"neither answer nor error": {func(*http.Request) (*http.Response, error) { return nil, nil }, "the exchange over HTTP failed"},
		"an answer and an error": {func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: body}, errors.New("x")
		}, "the exchange over HTTP failed"},
		"no body": {func(*http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200}, nil }, ""},
		"the length of a HEAD": {func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 9, Body: http.NoBody}, nil
		}, ""},
		"a body that is not there": {func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: 9, Body: http.NoBody, Request: nil}, nil
		}, "the answer broke off"},
	} {
		method := "POST"
		if name == "the length of a HEAD" {
			method = "HEAD"
		}
		got := run(t.Context(), &script{steps: []step{c.step}}, method)
		if c.want == "" {
			assert.NoError(t, got.Err, name)
		} else {
			assert.EqualError(t, got.Err, c.want, name)
		}
	}
	assert.True(t, closed)
}

type closer struct {
	io.Reader
	closed *bool
}

func (c closer) Close() error { *c.closed = true; return nil }

func TestEachAttemptHasItsOwnHeader(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		greedy := func(next step) step {
			return func(r *http.Request) (*http.Response, error) {
				r.Header.Add("X-Added", "1") // as no RoundTripper should, and a jar of cookies does
				seen = append(seen, strings.Join(r.Header["X-Added"], ","))
				return next(r)
			}
		}
		run(t.Context(), &script{steps: []step{greedy(status(503)), greedy(status(503)), greedy(status(200))}}, "GET")
		assert.Equal(t, []string{"1", "1", "1"}, seen)
	})
}

func TestHalfASuccessOfBeforeIsNotTheAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		got := run(t.Context(), &script{steps: []step{truncated(200), broken(errDial)}}, "GET")
		assert.Nil(t, got.Answer)
		assert.ErrorIs(t, got.Err, errDial)
	})
}

func TestAContextThatEndsInsideAnErrorBody(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cut := func(r *http.Request) (*http.Response, error) {
		cancel()
		return truncated(404)(r)
	}
	got := run(ctx, &script{steps: []step{cut}}, "GET")
	assert.ErrorIs(t, got.Err, context.Canceled)
	assert.Equal(t, 404, got.Answer.StatusCode)
}

func TestAProxyThatIsDown(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		proxy := &net.OpError{Op: "proxyconnect", Net: "tcp", Err: errDial}
		got := run(t.Context(), &script{steps: []step{broken(proxy), status(201)}}, "POST")
		assert.NoError(t, got.Err)
		assert.Equal(t, 2, got.Attempts)
	})
}

func TestAJarsCookiesComeOnceWithEachAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		jar, err := cookiejar.New(nil)
		require.NoError(t, err)
		jar.SetCookies(&url.URL{Scheme: "https", Host: "api.example", Path: "/"}, []*http.Cookie{{Name: "a", Value: "1"}})
		var seen []string
		note := func(next step) step {
			return func(r *http.Request) (*http.Response, error) {
				seen = append(seen, strings.Join(r.Header["Cookie"], "|"))
				return next(r)
			}
		}
		run(t.Context(), &script{steps: []step{note(status(503)), note(status(200))}}, "GET", func(c *transport.Config) { c.HTTP.Jar = jar })
		assert.Equal(t, []string{"a=1", "a=1"}, seen)
	})
}
