package trust_test

import (
	"context"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptrace"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// misfortune answers a read wrongly at the given rate, in every way that may pass.
type misfortune struct {
	random *rand.Rand
	rate   float64
	sent   int
}

func (m *misfortune) RoundTrip(r *http.Request) (*http.Response, error) {
	m.sent++
	status, body := 200, io.Reader(strings.NewReader(answerOf))
	if m.random.Float64() < m.rate {
		switch m.random.IntN(4) {
		case 0:
			return nil, io.EOF
		case 1:
			status, body = []int{429, 500, 502, 503, 504}[m.random.IntN(5)], strings.NewReader("")
		case 2:
			body = io.MultiReader(strings.NewReader(answerOf[:4]), iotest.ErrReader(io.ErrUnexpectedEOF))
		case 3:
			<-r.Context().Done() // the attempt's time
			return nil, r.Context().Err()
		}
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(body), ContentLength: -1, Request: r}, nil
}

// TestReadsComeThrough: with faults at 50 %, a read of 1 + n attempts fails at a rate of 0.5 to the power of 1 + n. The clock is
// that of a bubble, so that waits cost nothing; the seed is fixed, so that the outcome is.
func TestReadsComeThrough(t *testing.T) {
	t.Parallel()
	const reads = 2000
	for _, retries := range []int{0, 1, 2, 4, 8} {
		t.Run(strconv.Itoa(retries)+" retries", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				m := &misfortune{random: rand.New(rand.NewPCG(11, uint64(retries))), rate: 0.5}
				c, err := idv.New("https://api.example", testKey, idv.WithHTTPClient(&http.Client{Transport: m}), idv.WithMaxRetries(retries))
				require.NoError(t, err)
				failed := 0
				for range reads {
					if _, err := c.People.Get(t.Context(), "1"); err != nil {
						failed++
					}
				}
				p := math.Pow(0.5, float64(retries+1))
				deviation := math.Sqrt(reads * p * (1 - p))
				assert.InDelta(t, reads*p, failed, 4*deviation+1)
				assert.LessOrEqual(t, m.sent, reads*(retries+1))
			})
		})
	}
}

// TestWaitsOfARead: the wait that an answer asks for is kept, and none is begun that the deadline would cut.
func TestWaitsOfARead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked    string
		deadline time.Duration
		sends    int
		least    time.Duration // of the whole call
		most     time.Duration
	}{
		{"2", time.Minute, 2, 2 * time.Second, 3 * time.Second},
		{"0.2", time.Minute, 2, 250 * time.Millisecond, time.Second},
		{"Sat, 01 Jan 2000 00:00:07 GMT", time.Minute, 2, 7 * time.Second, 8 * time.Second}, // a bubble begins at midnight
		{"Fri, 31 Dec 1999 00:00:00 GMT", time.Minute, 2, 250 * time.Millisecond, time.Second},
		{"30", 10 * time.Second, 1, 0, 0},
		{"3600", time.Hour * 24, 1, 0, 0},
		{"99999999999999999999", time.Hour, 1, 0, 0},
		{"-5", time.Minute, 2, 250 * time.Millisecond, time.Second},
		{"tomorrow", time.Minute, 2, 250 * time.Millisecond, time.Second},
	} {
		t.Run(c.asked, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				f := roundTrip(func(r *http.Request) (*http.Response, error) {
					sent++
					body, status := "the last answer", 503
					if sent == 2 {
						body, status = answerOf, 200
					}
					h := http.Header{"Retry-After": {c.asked}}
					return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body)), Request: r, ContentLength: -1}, nil
				})
				client, err := idv.New("https://api.example", testKey, idv.WithHTTPClient(&http.Client{Transport: f}))
				require.NoError(t, err)
				ctx, cancel := context.WithTimeout(t.Context(), c.deadline)
				defer cancel()
				began := time.Now()
				_, err = client.People.Get(ctx, "1")
				took := time.Since(began)
				assert.Equal(t, c.sends, sent)
				assert.GreaterOrEqual(t, took, c.least)
				assert.LessOrEqual(t, took, c.most)
				if c.sends == 1 {
					var answer *idv.Error
					require.ErrorAs(t, err, &answer)
					assert.Equal(t, "the last answer", string(answer.Body))
					assert.Positive(t, answer.RetryAfter)
				}
			})
		})
	}
}

// TestNoWaitPassesTheDeadline, whatever the deadline is: a call over a service that always fails ends before it, with the answer.
func TestNoWaitPassesTheDeadline(t *testing.T) {
	t.Parallel()
	for deadline := 100 * time.Millisecond; deadline < 40*time.Second; deadline = deadline * 5 / 4 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), deadline)
			defer cancel()
			began := time.Now()
			_, err := answering(t, 503, nil, "busy").People.Get(ctx, "1", idv.WithRetries(20))
			assert.Less(t, time.Since(began), deadline)
			var answer *idv.Error
			require.ErrorAs(t, err, &answer)
			assert.Equal(t, "busy", string(answer.Body))
		})
	}
}

// TestFaultsOfOneCallLeaveTheConnectionsOfOthers: calls that fail do not close what other calls use.
func TestFaultsOfOneCallLeaveTheConnectionsOfOthers(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t)
	id := service.AddPerson(idvtest.Person{})
	c := connectAs(t, service.URL, service.TestKey, nil)
	var opened atomic.Int32
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(i httptrace.GotConnInfo) {
		if !i.Reused {
			opened.Add(1)
		}
	}})
	_, err := c.People.Get(ctx, id)
	require.NoError(t, err)
	for _, status := range []int{404, 500, 429, 503} {
		service.Fail(idvtest.Fault{Path: "/companies", Status: status})
		_, err := c.Companies.List(ctx, nil, idv.WithRetries(0))
		require.Error(t, err)
		_, err = c.People.Get(ctx, id)
		require.NoError(t, err)
	}
	assert.EqualValues(t, 1, opened.Load())
}
