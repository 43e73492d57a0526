package calls_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/idv/bench/internal/calls"
	"example.com/idv/bench/internal/sample"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const origin = "https://api.example"

func inProcess(t testing.TB, status int, body []byte) []calls.Client {
	t.Helper()
	clients, err := calls.All(origin, func() http.RoundTripper { return sample.Answer{Status: status, Body: body} })
	require.NoError(t, err)
	return clients
}

// Every contender really decodes every member: what it returns encodes to what was sent.
func TestEveryLibraryDecodesWhatWasSent(t *testing.T) {
	t.Parallel()
	for _, c := range inProcess(t, http.StatusOK, sample.PersonJSON()) {
		t.Run(c.Name+", one", func(t *testing.T) {
			t.Parallel()
			assertDecoded(t, sample.PersonJSON(), c.Get)
		})
	}
	for _, n := range []int{25, 100} {
		for _, c := range inProcess(t, http.StatusOK, sample.PeopleJSON(n)) {
			t.Run(fmt.Sprintf("%s, %d", c.Name, n), func(t *testing.T) {
				t.Parallel()
				assertDecoded(t, sample.PeopleJSON(n), c.List)
			})
		}
	}
}

func TestEveryLibraryDecodesOverAConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(sample.Answer{Status: http.StatusOK, Body: sample.PersonJSON()})
	t.Cleanup(server.Close)
	clients, err := calls.All(server.URL, func() http.RoundTripper { return server.Client().Transport })
	require.NoError(t, err)
	for _, c := range clients {
		assertDecoded(t, sample.PersonJSON(), c.Get)
	}
}

func TestEveryLibraryJudgesTheStatus(t *testing.T) {
	t.Parallel()
	notFound := []byte(`{"error":{"type":"invalid_request_error","message":"Person with id 1 could not be found"}}`)
	for _, c := range inProcess(t, http.StatusNotFound, notFound) {
		_, err := c.Get(t.Context())
		require.Error(t, err, c.Name)
		_, err = c.List(t.Context())
		require.Error(t, err, c.Name)
	}
}

// Every contender asks for the same thing and brings its key.
func TestEveryLibrarySendsTheKeyToTheSamePath(t *testing.T) {
	t.Parallel()
	var seen *http.Request
	rt := roundTripper(func(r *http.Request) (*http.Response, error) {
		seen = r
		return sample.Answer{Status: http.StatusOK, Body: sample.PersonJSON()}.RoundTrip(r)
	})
	clients, err := calls.All(origin, func() http.RoundTripper { return rt })
	require.NoError(t, err)
	for _, c := range clients {
		_, err := c.Get(t.Context())
		require.NoError(t, err)
		assert.Regexp(t, `^/v1/(api/v4/)?people/`+sample.ID+`$`, seen.URL.Path, c.Name)
		assert.NotEmpty(t, seen.Header.Get("Authorization")+seen.Header.Get("Private-Token"), c.Name)
	}
}

func assertDecoded(t *testing.T, want []byte, call func(context.Context) (any, error)) {
	t.Helper()
	got, err := call(t.Context())
	require.NoError(t, err)
	again, err := json.Marshal(got)
	require.NoError(t, err)
	assert.JSONEq(t, string(want), string(again))
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func inTurns(b *testing.B, answers [][]byte) []calls.Client {
	b.Helper()
	clients, err := calls.All(origin, func() http.RoundTripper { return sample.Successes(answers...) })
	require.NoError(b, err)
	return clients
}

func BenchmarkGetOne(b *testing.B) {
	for _, c := range inTurns(b, sample.PersonJSONs()) {
		b.Run(c.Name, func(b *testing.B) { repeat(b, c.Get) })
	}
}

func BenchmarkList(b *testing.B) {
	for _, n := range []int{25, 100} {
		for _, c := range inTurns(b, sample.PeopleJSONs(n)) {
			b.Run(fmt.Sprintf("%d/%s", n, c.Name), func(b *testing.B) { repeat(b, c.List) })
		}
	}
}

func repeat(b *testing.B, call func(context.Context) (any, error)) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := call(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
