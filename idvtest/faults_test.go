package idvtest_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

// try sends a request whose connection may fail, without keeping it for others.
func (a *api) try(method, path string, body string) (*http.Response, []byte, error) {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.s.URL+path, nil)
	require.NoError(a.t, err)
	if body != "" {
		req, err = http.NewRequestWithContext(a.t.Context(), method, a.s.URL+path, strings.NewReader(body))
		require.NoError(a.t, err)
		req.Header.Set("Content-Type", "application/json")
	}
	req.SetBasicAuth(a.key, "")
	client := &http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	return resp, answer, err
}

func TestFaultsThatAnswer(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name                string
		fault               idvtest.Fault
		status, created     int
		body, kind, special string
	}{
		{
			"a status", idvtest.Fault{Status: 503}, 503, 0,
			`{"error":{"type":"api_error","message":"Scripted fault: Service Unavailable"}}`, "application/json; charset=utf-8", "",
		},
		{"a status after the work", idvtest.Fault{Status: 500, Work: true, NoBody: true}, 500, 1, "", "application/json; charset=utf-8", ""},
		{
			"402", idvtest.Fault{Status: 402}, 402, 0,
			`{"error":{"type":"invalid_request_error","message":"Scripted fault: Payment Required"}}`, "application/json; charset=utf-8", "",
		},
		{"a body", idvtest.Fault{Status: 400, Body: `{"error":"no"}`}, 400, 0, `{"error":"no"}`, "application/json; charset=utf-8", ""},
		{"HTML", idvtest.Fault{Status: 502, Body: "<h1>Bad gateway</h1>"}, 502, 0, "<h1>Bad gateway</h1>", "text/html; charset=utf-8", ""},
		{"HTML for an answer", idvtest.Fault{Body: "<h1>Welcome</h1>"}, 201, 1, "<h1>Welcome</h1>", "text/html; charset=utf-8", ""},
		{"a success without work", idvtest.Fault{Status: 201, Body: "{}"}, 201, 0, "{}", "application/json; charset=utf-8", ""},
		{"no content", idvtest.Fault{Status: 204}, 204, 0, "", "", ""},
		{
			"headers", idvtest.Fault{Status: 429, NoBody: true, Header: http.Header{"retry-after": {"7"}, "Content-Type": {"x/y"}}},
			429, 0, "", "x/y", "7",
		},
		{"a redirect", idvtest.Fault{Redirect: "https://other.example/"}, 302, 0, "", "", "https://other.example/"},
		{"a redirect by its status", idvtest.Fault{Redirect: "https://other.example/", Status: 307}, 307, 0, "", "", "https://other.example/"},
		{"a status that is none", idvtest.Fault{Status: 7, NoBody: true}, 500, 0, "", "application/json; charset=utf-8", ""},
		{"half a body by a shorter length", idvtest.Fault{Status: 200, Body: `{"id":1}`, ContentLength: 4}, 200, 0, `{"id`, "application/json; charset=utf-8", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.s.Fail(row.fault)
			resp, body, err := a.try("POST", "/people", bodyOf(t, person()))
			require.NoError(t, err)
			assert.Equal(t, []any{row.status, row.body, row.kind}, []any{resp.StatusCode, string(body), resp.Header.Get("Content-Type")})
			assert.Equal(t, row.special, resp.Header.Get("Retry-After")+resp.Header.Get("Location"))
			assert.NotEmpty(t, resp.Header.Get("X-Request-Id"))
			assert.Equal(t, row.created, a.s.Executions()["POST /people"])
			assert.Equal(t, row.created, a.get("/people").total(), "the fault happens once")
		})
	}
}

func TestFaultsOfTheConnection(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		fault    idvtest.Fault
		answered bool
		created  int
	}{
		{"dropped before the work", idvtest.Fault{Drop: true}, false, 0},
		{"dropped after the work", idvtest.Fault{Drop: true, Work: true}, false, 1},
		{"truncated", idvtest.Fault{Truncate: true}, true, 1},
		{"a longer length", idvtest.Fault{ContentLength: 100_000}, true, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.s.Fail(row.fault)
			resp, body, err := a.try("POST", "/people", bodyOf(t, person()))
			require.Error(t, err)
			assert.Equal(t, row.answered, resp != nil)
			assert.Equal(t, row.answered, len(body) > 0)
			assert.Equal(t, row.created, a.s.Executions()["POST /people"])
			if !row.answered {
				assert.Zero(t, a.s.Requests()[0].Status)
			}
		})
	}
}

func TestFaultsOfTime(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]idvtest.Fault{
		"slow headers": {Delay: 30 * time.Millisecond},
		"slow body":    {BodyDelay: 30 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.s.Fail(fault)
			began := time.Now()
			resp, body, err := a.try("GET", "/people", "")
			require.NoError(t, err)
			assert.GreaterOrEqual(t, time.Since(began), 30*time.Millisecond)
			assert.Equal(t, 200, resp.StatusCode)
			assert.Contains(t, string(body), `"total_count":0`)
		})
	}
}

func TestFaultsAreTakenInTurn(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.Fail(
		idvtest.Fault{Method: "GET", Path: "/people/{id}", Times: 2, Status: 500},
		idvtest.Fault{Method: "get", Path: "/people/{id}", Status: 502},
		idvtest.Fault{Path: "/companies", Skip: 1, Status: 503},
		idvtest.Fault{Method: "DELETE", Times: -1, Status: 504},
	)
	statuses := func(method, path string) (list []int) {
		for range 4 {
			list = append(list, a.send(method, path, "", nil).status)
		}
		return list
	}
	assert.Equal(t, []int{500, 500, 502, 404}, statuses("GET", "/people/1"))
	assert.Equal(t, []int{200, 503, 200, 200}, statuses("GET", "/companies"))
	assert.Equal(t, []int{504, 504, 504, 504}, statuses("DELETE", "/candidates/1"))
	assert.Equal(t, []int{200, 200, 200, 200}, statuses("GET", "/people"))
	a.s.ClearFaults()
	assert.Equal(t, []int{404, 404, 404, 404}, statuses("DELETE", "/candidates/1"))
}

func TestCloseEndsWaiting(t *testing.T) {
	t.Parallel()
	s := idvtest.NewServer()
	s.Fail(idvtest.Fault{Delay: time.Hour})
	answered := make(chan error, 1)
	go func() {
		req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/people", nil)
		if err == nil {
			_, err = http.DefaultClient.Do(req) //nolint:bodyclose // the service closes
		}
		answered <- err
	}()
	for len(s.Requests()) == 0 {
		time.Sleep(time.Millisecond)
	}
	s.Close()
	s.Close()
	<-answered
}
