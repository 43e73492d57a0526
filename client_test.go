package idv_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	const live = "sk_live_a1b2c3"
	cases := map[string]struct {
		base, key string
		opt       idv.Option
		want      string
	}{
		"an empty base URL":            {"", testKey, nil, "idv: baseURL is empty"},
		"an unparsable base URL":       {"https://a b:secret@/%zz", testKey, nil, "idv: baseURL is not a URL"},
		"a base URL without scheme":    {"api.example", testKey, nil, "idv: baseURL needs the scheme https or http"},
		"another scheme":               {"ftp://api.example", testKey, nil, "idv: baseURL needs the scheme https or http"},
		"a base URL without host":      {"https:///v4", testKey, nil, "idv: baseURL has no host"},
		"a port without host":          {"https://:8443", testKey, nil, "idv: baseURL has no host"},
		"user info":                    {"https://u:hunter2@api.example", testKey, nil, "idv: baseURL holds user info; the key is the only credential"},
		"a query":                      {"https://api.example?a=1", testKey, nil, "idv: baseURL holds a query"},
		"an empty query":               {"https://api.example?", testKey, nil, "idv: baseURL holds a query"},
		"a fragment":                   {"https://api.example#a", testKey, nil, "idv: baseURL holds a fragment"},
		"an empty fragment":            {"https://api.example#", testKey, nil, "idv: baseURL holds a fragment"},
		"http with a live key":         {"http://api.example", live, nil, "idv: baseURL is http; a live key goes over https only"},
		"an empty key":                 {baseURL, "", nil, "idv: apiKey is empty"},
		"a key of neither kind":        {baseURL, "pk_test_a1", nil, "idv: apiKey starts with neither sk_live nor sk_test"},
		"a key with a line end":        {baseURL, testKey + "\n", nil, "idv: apiKey holds a blank, a colon, or a character that no key has; was it copied with its line end?"},
		"a key with a blank before":    {baseURL, " " + testKey, nil, "idv: apiKey holds a blank, a colon, or a character that no key has; was it copied with its line end?"},
		"a key with a control":         {baseURL, "sk_test_\x00a", nil, "idv: apiKey holds a blank, a colon, or a character that no key has; was it copied with its line end?"},
		"a key that Basic would cut":   {baseURL, "sk_test_a:b", nil, "idv: apiKey holds a blank, a colon, or a character that no key has; was it copied with its line end?"},
		"a live key in test mode":      {baseURL, live, idv.WithTestModeOnly(), "idv: apiKey is a live key, and WithTestModeOnly is set"},
		"no version":                   {baseURL, testKey, idv.WithAPIVersion(0), "idv: WithAPIVersion is 0 or below"},
		"a negative version":           {baseURL, testKey, idv.WithAPIVersion(-4), "idv: WithAPIVersion is 0 or below"},
		"negative retries":             {baseURL, testKey, idv.WithMaxRetries(-1), "idv: WithMaxRetries is negative"},
		"a negative timeout":           {baseURL, testKey, idv.WithTimeout(-1), "idv: WithTimeout is negative"},
		"a negative wait":              {baseURL, testKey, idv.WithMaxRetryWait(-1), "idv: WithMaxRetryWait is negative"},
		"no answer at all":             {baseURL, testKey, idv.WithMaxAnswer(0), "idv: WithMaxAnswer is 0 or below"},
		"a nil http.Client":            {baseURL, testKey, idv.WithHTTPClient(nil), "idv: WithHTTPClient is given nil, or a client with a nil pointer for its Transport"},
		"a nil logger":                 {baseURL, testKey, idv.WithLogger(nil), "idv: WithLogger is given nil; leave the option out for silence"},
		"a nil observer":               {baseURL, testKey, idv.WithObserver(nil), "idv: WithObserver is given nil"},
		"an empty product":             {baseURL, testKey, idv.WithUserAgent(" "), "idv: WithUserAgent is empty or holds a character that no header may hold"},
		"a product with a second line": {baseURL, testKey, idv.WithUserAgent("a\r\nb: c"), "idv: WithUserAgent is empty or holds a character that no header may hold"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var opts []idv.Option
			if c.opt != nil {
				opts = append(opts, c.opt)
			}
			got, err := idv.New(c.base, c.key, opts...)
			assert.Nil(t, got)
			require.EqualError(t, err, c.want)
			var param *idv.ParamError
			assert.ErrorAs(t, err, &param)
		})
	}
	_, err := idv.New(baseURL, testKey, nil)
	assert.EqualError(t, err, "idv: opts hold a nil Option")
}

func TestNewTakesTheModeFromTheKey(t *testing.T) {
	t.Parallel()
	test, err := idv.New("http://127.0.0.1:1", "sk_test_a", idv.WithTestModeOnly())
	require.NoError(t, err)
	assert.Equal(t, idv.ModeTest, test.Mode())
	live, err := idv.New("https://api.example", "sk_live_a")
	require.NoError(t, err)
	assert.Equal(t, idv.ModeLive, live.Mode())
}

func TestNewFromEnv(t *testing.T) {
	t.Setenv("IDV_BASE_URL", "")
	t.Setenv("IDV_API_KEY", testKey)
	_, err := idv.NewFromEnv()
	require.EqualError(t, err, "idv: IDV_BASE_URL is not set in the environment")
	t.Setenv("IDV_BASE_URL", "https://api.example")
	t.Setenv("IDV_API_KEY", "")
	_, err = idv.NewFromEnv()
	require.EqualError(t, err, "idv: IDV_API_KEY is not set in the environment")
	t.Setenv("IDV_API_KEY", "pk_1")
	_, err = idv.NewFromEnv()
	require.EqualError(t, err, "idv: IDV_API_KEY starts with neither sk_live nor sk_test")
	t.Setenv("IDV_API_KEY", testKey)
	c, err := idv.NewFromEnv(idv.WithTestModeOnly())
	require.NoError(t, err)
	assert.Equal(t, "idv.Client{BaseURL:https://api.example Mode:test}", fmt.Sprint(c))
}

func TestTheBasePathIsKept(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"https://api.example":                 "/people/a%2Fb%20c",
		"https://api.example/":                "/people/a%2Fb%20c",
		"https://api.example/id/v4//":         "/id/v4/people/a%2Fb%20c",
		"https://api.example/caf%C3%A9/a%2Fb": "/caf%C3%A9/a%2Fb/people/a%2Fb%20c",
	} {
		var path string
		c, err := idv.New(base, testKey, idv.WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			path = r.URL.EscapedPath()
			return nil, errors.New("enough")
		})}), idv.WithMaxRetries(0))
		require.NoError(t, err, base)
		_, err = c.People.Get(bg(), "a/b c")
		require.Error(t, err)
		assert.Equal(t, want, path, base)
	}
}

func TestIDsAreEscapedOrRefused(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	for id, want := range map[string]string{
		"53ea": "/v/people/53ea", "a/../b": "/v/people/a%2F..%2Fb", "%2e%2e": "/v/people/%252e%252e",
		"a?b=c#d": "/v/people/a%3Fb=c%23d", "é\n": "/v/people/%C3%A9%0A", "...": "/v/people/...", "a;b": "/v/people/a%3Bb",
	} {
		_, err := c.People.Get(bg(), id)
		require.NoError(t, err, id)
		assert.Equal(t, want, (*requests)[len(*requests)-1].Path)
	}
	before := len(*requests)
	for _, id := range []string{"", ".", ".."} {
		_, err := c.Candidates.Update(bg(), id, &idv.CandidateParams{})
		var param *idv.ParamError
		require.ErrorAs(t, err, &param, id)
		assert.Equal(t, "id", param.Param)
	}
	assert.Len(t, *requests, before, "nothing is sent")
}

func TestWithDerivesWithoutSharing(t *testing.T) {
	t.Parallel()
	var seen []string
	note := func(name string) idv.Option {
		return idv.WithObserver(func(context.Context, idv.Attempt) { seen = append(seen, name) })
	}
	c, requests := answering(t, 200, fixture(t, "person"), note("first"))
	a, err := c.With(idv.WithAPIVersion(5), note("a"))
	require.NoError(t, err)
	b, err := c.With(idv.WithUserAgent("acme/1.0"), note("b"))
	require.NoError(t, err)
	for _, each := range []*idv.Client{a, b, c} {
		_, err := each.People.Get(bg(), "1")
		require.NoError(t, err)
	}
	assert.Equal(t, []string{"first", "a", "first", "b", "first"}, seen)
	accept := func(i int) string { return (*requests)[i].Header.Get("Accept") }
	assert.Equal(t, "application/vnd.service+json;version=5", accept(0))
	assert.Equal(t, "application/vnd.service+json;version=4", accept(1))
	assert.Equal(t, "application/vnd.service+json;version=4", accept(2))
	assert.True(t, strings.HasPrefix((*requests)[1].Header.Get("User-Agent"), "acme/1.0 idv/"+idv.Version+" go/"))
	assert.True(t, strings.HasPrefix((*requests)[2].Header.Get("User-Agent"), "idv/"+idv.Version+" go/"))
	_, err = c.With(idv.WithTimeout(-time.Second))
	assert.EqualError(t, err, "idv: WithTimeout is negative")
}

func TestTheCallersHTTPClientIsCopied(t *testing.T) {
	t.Parallel()
	calls := 0
	count := roundTrip(func(*http.Request) (*http.Response, error) { calls++; return nil, errors.New("x") })
	hc := &http.Client{Transport: count, Timeout: time.Minute}
	c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(hc), idv.WithMaxRetries(0))
	require.NoError(t, err)
	_, _ = c.People.Get(bg(), "1")
	assert.Equal(t, 1, calls)
	assert.Nil(t, hc.CheckRedirect, "the caller's is not changed")
	hc.Transport = nil
	_, _ = c.People.Get(bg(), "1")
	assert.Equal(t, 2, calls, "nor does changing it later change the client")
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		assert.Fail(t, "a redirect was followed: the body would go to another host")
	}))
	defer other.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", other.URL+"/people")
			w.WriteHeader(status)
		}))
		c, err := idv.New(server.URL, testKey)
		require.NoError(t, err)
		for _, call := range []func() error{
			func() error { _, err := c.People.Get(bg(), "1"); return err },
			func() error { _, err := c.People.Create(bg(), validPerson()); return err },
		} {
			var e *idv.Error
			require.ErrorAs(t, call(), &e)
			assert.Equal(t, status, e.StatusCode)
			assert.Equal(t, 1, e.Attempts)
			assert.Equal(t, other.URL+"/people", e.Header.Get("Location"))
		}
		c.CloseIdleConnections()
		server.Close()
	}
}

func TestCallOptionsRefuse(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	for name, o := range map[string]struct {
		opt  idv.CallOption
		want string
	}{
		"nil":                     {nil, "idv: opts hold a nil CallOption"},
		"no capture":              {idv.CaptureResponse(nil), "idv: CaptureResponse is given nil"},
		"an empty key":            {idv.WithQuery("", "x"), "idv: WithQuery is given an empty key"},
		"the key":                 {idv.WithHeader("authorization", "x"), "idv: WithHeader sets Authorization, which the client owns or must not send"},
		"the version":             {idv.WithHeader("Accept", "x"), "idv: WithHeader sets Accept, which the client owns or must not send"},
		"an idempotency key":      {idv.WithHeader("idempotency-key", "x"), "idv: WithHeader sets Idempotency-Key, which the client owns or must not send"},
		"another idempotency key": {idv.WithHeader("X-Idempotency-Key", "x"), "idv: WithHeader sets X-Idempotency-Key, which the client owns or must not send"},
		"a date":                  {idv.WithHeader("date", "x"), "idv: WithHeader sets Date, which the client owns or must not send"},
		"a digest":                {idv.WithHeader("Digest", "x"), "idv: WithHeader sets Digest, which the client owns or must not send"},
		"another version":         {idv.WithHeader("Service-Version", "x"), "idv: WithHeader sets Service-Version, which the client owns or must not send"},
		"the length":              {idv.WithHeader("Content-Length", "1"), "idv: WithHeader sets Content-Length, which the client owns or must not send"},
		"no name":                 {idv.WithHeader("a b", "x"), "idv: WithHeader is given a name that is no header name"},
		"a second line":           {idv.WithHeader("X-A", "x\r\nB: y"), "idv: WithHeader sets X-A to a value with a control character"},
		"negative retries":        {idv.WithRetries(-1), "idv: WithRetries is negative"},
	} {
		_, err := c.People.Create(bg(), validPerson(), o.opt)
		assert.EqualError(t, err, o.want, name)
	}
	assert.Empty(t, *requests, "nothing is sent")
}

func TestBadInputIsRefusedBeforeSending(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	cancelled, cancel := context.WithCancel(bg())
	cancel()
	var nilContext context.Context
	for name, call := range map[string]func() error{
		"nil person":      func() error { _, err := c.People.Create(bg(), nil); return err },
		"nil company":     func() error { _, err := c.Companies.Create(bg(), nil); return err },
		"nil candidate":   func() error { _, err := c.Candidates.Create(bg(), nil); return err },
		"nil update":      func() error { _, err := c.Candidates.Update(bg(), "1", nil); return err },
		"nil set":         func() error { _, err := c.QuestionSets.Create(bg(), nil); return err },
		"nil search":      func() error { _, err := c.Watchlists.Search(bg(), nil); return err },
		"no answers":      func() error { _, err := c.QuestionSets.Score(bg(), "1", nil); return err },
		"a nil context":   func() error { _, err := c.People.Get(nilContext, "1"); return err },
		"an empty person": func() error { _, err := c.People.Create(bg(), &idv.PersonParams{}); return err },
	} {
		var param *idv.ParamError
		assert.ErrorAs(t, call(), &param, name)
	}
	_, err := c.People.Create(cancelled, validPerson())
	var transport *idv.TransportError
	require.ErrorAs(t, err, &transport, "nothing was sent, so nothing is uncertain")
	assert.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, 0, transport.Attempts)
	assert.Empty(t, *requests)
}

func TestObserverAndLogger(t *testing.T) {
	t.Parallel()
	var attempts []idv.Attempt
	var log strings.Builder
	c, _ := answering(t, 404, `{"error":{"type":"invalid_request_error","message":"m"}}`,
		idv.WithObserver(func(_ context.Context, a idv.Attempt) { attempts = append(attempts, a) }),
		idv.WithLogger(slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))))
	_, err := c.People.Get(bg(), "secret-id", idv.WithQuery("ssn", "078051120"))
	require.Error(t, err)
	require.Len(t, attempts, 1)
	attempts[0].Duration = 0
	assert.Equal(t, idv.Attempt{
		Method: "GET", Route: "/people/{PERSON_ID}", StatusCode: 404, Number: 1, ErrorClass: "status",
		RequestID: "0d6bd1c6-3b5b-4b0c-9a55-6bd5f83b9c9e",
	}, attempts[0])
	assert.Contains(t, log.String(), "method=GET route=/people/{PERSON_ID} status=404")
	assert.NotContains(t, log.String(), "078051120")

	_ = c.Call(bg(), "GET", "candidates/7/hits", nil, nil, nil)
	assert.Equal(t, "/candidates/{CANDIDATE_ID}/hits", attempts[1].Route, "Call finds the route of a path")
	_ = c.Call(bg(), "GET", "elsewhere/7", nil, nil, nil)
	assert.Empty(t, attempts[2].Route)
}

func TestCaptureResponse(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 404, `{"error":"x"}`)
	var got idv.Response
	_, err := c.People.Get(bg(), "1", idv.CaptureResponse(&got))
	require.ErrorIs(t, err, idv.ErrNotFound)
	assert.Equal(t, 404, got.StatusCode)
	assert.Equal(t, 1, got.Attempts)
	assert.Equal(t, "0d6bd1c6-3b5b-4b0c-9a55-6bd5f83b9c9e", got.RequestID)
	assert.Equal(t, `{"error":"x"}`, string(got.Body))
	assert.Equal(t, "application/json; charset=utf-8", got.Header.Get("Content-Type"))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
