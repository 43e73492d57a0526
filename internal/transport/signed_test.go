package transport_test

import (
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A request that may be repeated and changes something: it is in doubt as long as any of its attempts is.
func TestDoubtStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		steps               []step
		maybeSent, doubtful bool
	}{
		"success":                        {[]step{status(201)}, true, false},
		"dropped, then a success":        {[]step{broken(io.EOF), status(201)}, true, true},
		"dropped, then refused":          {[]step{broken(io.EOF), status(400)}, true, true},
		"500, then refused":              {[]step{status(500), status(400)}, true, true},
		"429, then refused":              {[]step{status(429), status(400)}, true, false},
		"429, then nobody listens":       {[]step{status(429), broken(errDial)}, false, false},
		"dropped, then nobody listens":   {[]step{broken(io.EOF), broken(errDial)}, true, true},
		"nobody listens":                 {[]step{broken(errDial)}, false, false},
		"nobody listens, then a success": {[]step{broken(errDial), status(201)}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r := request("POST")
				r.Repeatable = true
				got := send(t.Context(), &script{steps: c.steps}, r)
				assert.Equal(t, c.maybeSent, got.MaybeSent)
				assert.Equal(t, c.doubtful, got.Doubtful)
			})
		})
	}
}

// What is dated and signed is so for each attempt, on a header of its own.
func TestPrepareCompletesEachAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var headers []http.Header
		keep := func(next step) step {
			return func(r *http.Request) (*http.Response, error) { headers = append(headers, r.Header); return next(r) }
		}
		r := request("GET")
		r.Header = shared{"Shared": {"1"}}
		r.Prepare = func(r *http.Request) { r.Header.Add("Date", time.Now().Format(http.TimeFormat)) }
		got := send(t.Context(), &script{steps: []step{keep(status(503, "Retry-After", "9")), keep(status(200))}}, r)
		assert.NoError(t, got.Err)
		require.Len(t, headers, 2)
		assert.NotEqual(t, headers[0]["Date"], headers[1]["Date"], "a retry has a date of its own")
		for _, h := range headers {
			assert.Len(t, h["Date"], 1)
			assert.Equal(t, []string{"1"}, h["Shared"])
		}
	})
}
