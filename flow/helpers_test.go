package flow_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The published vector of the contract.
const (
	keyID  = "live_key_deadbeefcafedeadbeefcafedeadbeef"
	secret = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
)

// start starts a service and makes a client that goes by its clock.
func start(t *testing.T, opts ...idvtest.Option) (*idvtest.Server, *flow.Client) {
	t.Helper()
	s := idvtest.Start(t, opts...)
	return s, client(t, s)
}

func client(t *testing.T, s *idvtest.Server, opts ...flow.Option) *flow.Client {
	t.Helper()
	c, err := flow.New(s.URL, s.WebhookKeyID, s.WebhookSecret, append([]flow.Option{idv.WithClock(s.Clock.Now)}, opts...)...)
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// over makes a client whose every request goes to f.
func over(t *testing.T, f roundTrip, opts ...flow.Option) *flow.Client {
	t.Helper()
	hc := &http.Client{Transport: f}
	c, err := flow.New("https://flow.example", keyID, secret, append([]flow.Option{idv.WithHTTPClient(hc)}, opts...)...)
	require.NoError(t, err)
	return c
}

// sent is a request as it would have gone out.
type sent struct {
	Method, Target string
	Header         http.Header
	Body           []byte
}

// answering makes a client whose every request gets the same answer, and where the requests are kept.
func answering(t *testing.T, status int, body string, opts ...flow.Option) (*flow.Client, *[]sent) {
	t.Helper()
	var requests []sent
	c := over(t, func(r *http.Request) (*http.Response, error) {
		s := sent{Method: r.Method, Target: r.URL.RequestURI(), Header: r.Header.Clone()}
		if r.Body != nil {
			var err error
			s.Body, err = io.ReadAll(r.Body)
			assert.NoError(t, err)
		}
		requests = append(requests, s)
		return reply(r, status, body), nil
	}, opts...)
	return c, &requests
}

func reply(r *http.Request, status int, body string) *http.Response {
	h := http.Header{"Date": {"Sat, 23 Jan 2021 21:43:14 GMT"}, "Content-Type": {"application/vnd.api+json"}}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}
}

func params(reference string) *flow.SessionParams {
	return &flow.SessionParams{TemplateID: idvtest.FlowTemplate, User: flow.UserParams{CustomerReference: reference}}
}

func retry(reference string) *flow.RetryParams {
	return &flow.RetryParams{CustomerReference: reference, TemplateID: idvtest.FlowTemplate, Strategy: flow.StrategyReset}
}
