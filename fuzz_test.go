package idv_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// one answers a single request with any bytes at all.
func one(t *testing.T, status int, body string) *idv.Client {
	c, err := idv.New(baseURL, testKey, idv.WithMaxRetries(0), idv.WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r}, nil
	})}))
	require.NoError(t, err)
	return c
}

func FuzzErrorDecoding(f *testing.F) {
	for _, body := range []string{"", "null", `{"error":"x"}`, `{"error":{"type":1,"param":[],"code":null,"message":{}}}`, "<html>", "\xff", `{"error":{"message":"\ud800"}}`} {
		f.Add(400, body)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 300 || status > 999 {
			status = 400
		}
		_, err := one(t, status, body).People.Get(bg(), "1")
		var e *idv.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, status, e.StatusCode)
		assert.NotContains(t, err.Error(), "\n")
	})
}

func FuzzModelDecoding(f *testing.F) {
	for _, name := range []string{"person", "question_set", "company", "candidate", "watchlist_search", "hits"} {
		f.Add(fixture(f, name))
	}
	f.Add(`{"data":[{"id":"1"},null]}`)
	f.Add(`[null,{}]`)
	f.Fuzz(func(t *testing.T, body string) {
		c := one(t, 200, body)
		var decode *idv.DecodeError
		for _, call := range []func() (any, error){
			func() (any, error) { return c.People.Get(bg(), "1") },
			func() (any, error) { return c.People.List(bg(), nil) },
			func() (any, error) { return c.QuestionSets.Get(bg(), "1") },
			func() (any, error) { return c.Companies.Get(bg(), "1") },
			func() (any, error) { return c.Candidates.History(bg(), "1") },
			func() (any, error) { return c.Candidates.Hits(bg(), "1") },
			func() (any, error) {
				return c.Watchlists.Search(bg(), &idv.WatchlistSearchParams{CandidateID: "1"})
			},
		} {
			v, err := call()
			if err != nil {
				require.True(t, errors.As(err, &decode), "%T", err)
				assert.Equal(t, body, string(decode.Body))
				continue
			}
			if p, ok := v.(*idv.Person); ok {
				assert.Equal(t, body, string(p.RawJSON()))
				_ = p.Extra()
			}
		}
	})
}
