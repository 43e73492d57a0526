package idv_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/internal/scheme"
	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dated is an API whose requests carry nothing but a date.
func dated() *scheme.Scheme {
	return &scheme.Scheme{
		Header: func() http.Header { return http.Header{"Content-Type": {"text/x"}} },
		Sign: func(r *http.Request, body []byte, now time.Time) {
			r.Header.Set("Digest", now.Format("2006")+string(body))
		},
		Repeatable: func(_, path string, _ url.Values) bool { return path == "/again" },
		Routes:     []string{"/things/{THING_ID}"},
	}
}

// A client for another API sends what that API wants and nothing of the REST API's.
func TestNewForAnotherAPI(t *testing.T) {
	t.Parallel()
	var requests []sent
	mock := httpmock.NewMockTransport()
	mock.RegisterNoResponder(func(r *http.Request) (*http.Response, error) {
		requests = append(requests, record(t, r))
		return httpmock.NewStringResponse(200, `{"a":1}`), nil
	})
	var routes []string
	c, err := idv.NewFor("https://flow.example/v", dated(), idv.WithHTTPClient(&http.Client{Transport: mock}),
		idv.WithClock(func() time.Time { return time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC) }),
		idv.WithObserver(func(_ context.Context, a idv.Attempt) { routes = append(routes, a.Route) }))
	require.NoError(t, err)
	var out map[string]int
	require.NoError(t, c.Call(bg(), "POST", "/things/7", nil, map[string]int{"b": 2}, &out))
	assert.Equal(t, map[string]int{"a": 1}, out)
	assert.Equal(t, "https://flow.example/v/things/7", requests[0].URL)
	assert.Equal(t, `2031{"b":2}`, requests[0].Header.Get("Digest"))
	assert.Equal(t, "text/x", requests[0].Header.Get("Content-Type"))
	assert.Contains(t, requests[0].Header.Get("User-Agent"), "idv/")
	assert.Empty(t, requests[0].Header.Get("Authorization"))
	assert.Empty(t, requests[0].Header.Get("Accept"))
	assert.Equal(t, []string{"/things/{THING_ID}"}, routes)
}

func TestAnAPISaysWhichOfItsRequestsMayBeRepeated(t *testing.T) {
	t.Parallel()
	for path, sends := range map[string]int{"/again": 2, "/once": 1} {
		n := 0
		mock := httpmock.NewMockTransport()
		mock.RegisterNoResponder(func(*http.Request) (*http.Response, error) {
			n++
			return httpmock.NewStringResponse(503, ""), nil
		})
		c, err := idv.NewFor("https://flow.example", dated(), idv.WithHTTPClient(&http.Client{Transport: mock}), idv.WithMaxRetries(1))
		require.NoError(t, err)
		err = c.Call(bg(), "POST", path, nil, nil, nil)
		var uncertain *idv.UncertainError
		assert.ErrorAs(t, err, &uncertain)
		assert.Equal(t, sends, n, path)
	}
}

func TestOptionsThatMeanNothingToAnAPIAreRefused(t *testing.T) {
	t.Parallel()
	for want, opt := range map[string]idv.Option{
		"idv: WithTestModeOnly is for the REST API: here the base URL selects live or sandbox":    idv.WithTestModeOnly(),
		"idv: WithAPIVersion is for the REST API: here the version is a date of the module's own": idv.WithAPIVersion(4),
		"idv: WithClock is given nil": idv.WithClock(nil),
	} {
		_, err := idv.NewFor("https://flow.example", dated(), opt)
		assert.EqualError(t, err, want)
	}
	_, err := idv.New(baseURL, testKey, idv.WithClock(time.Now))
	assert.EqualError(t, err, "idv: WithClock is for clients that sign their requests, such as that of package flow")
}

func TestPlainHTTPIsForLoopbackOnlyWhereNoKeyTellsTestFromLive(t *testing.T) {
	t.Parallel()
	for base, ok := range map[string]bool{
		"http://127.0.0.1:8080": true, "http://[::1]": true, "http://LOCALHOST:1": true, "https://flow.example": true,
		"http://flow.example": false, "http://localhost.example": false, "http://10.0.0.1": false, "ftp://127.0.0.1": false,
	} {
		_, err := idv.NewFor(base, dated())
		assert.Equal(t, ok, err == nil, "%s: %v", base, err)
	}
}
