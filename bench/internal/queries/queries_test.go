package queries_test

import (
	"net/http"
	"testing"

	"example.com/idv"
	"example.com/idv/bench/internal/queries"
	"example.com/idv/bench/internal/sample"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type recorder struct{ query string }

func (c *recorder) RoundTrip(r *http.Request) (*http.Response, error) {
	c.query = r.URL.RawQuery
	return sample.Answer{Status: http.StatusOK, Body: sample.PeopleJSON(1)}.RoundTrip(r)
}

// What is measured is what a List sends.
func TestEveryEncoderGivesTheQueryThatAListSends(t *testing.T) {
	t.Parallel()
	sent := &recorder{}
	client, err := idv.New("https://api.example", "sk_test_1", idv.WithHTTPClient(&http.Client{Transport: sent}))
	require.NoError(t, err)
	_, err = client.People.List(t.Context(), queries.Params())
	require.NoError(t, err)
	for _, e := range queries.Encoders() {
		got, err := e.Encode()
		require.NoError(t, err)
		assert.Equal(t, sent.query, got, e.Name)
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, c := range queries.Contenders() {
		b.Run(c.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.Run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
