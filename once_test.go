package idv_test

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	onceDefault = 10_000
	onceRuns    = flag.Int("once.runs", 0, "random fault sequences that CreateOnce is put through; 0 for the default")
)

// ledger is a service that makes objects and shows them in its index some time later. It follows the time of the bubble
// that a test runs in.
type ledger struct {
	mutex sync.Mutex
	made  []entry
	posts int
	fault func(post int) fault // what happens to the n-th POST, from 1
	looks func() bool          // whether a look-up fails; nil for never
	lag   time.Duration        // from the work to the index
}

type entry struct {
	note  string
	shown time.Time
}

// fault is what happens to a request that makes something.
type fault struct {
	name string
	work bool          // it is done all the same
	late time.Duration // after the connection is lost
	err  error
	code int
	body string
}

var (
	fine      = fault{name: "fine", work: true, code: 201}
	refused   = fault{name: "dial refused", err: &net.OpError{Op: "dial", Err: errors.New("refused")}}
	lost      = fault{name: "dropped before the work", err: io.EOF}
	lostAfter = fault{name: "dropped after the work", work: true, err: io.EOF}
	lostLate  = fault{name: "dropped, and done 5 s later", work: true, late: 5 * time.Second, err: io.EOF}
	fails     = fault{name: "500 before the work", code: 500}
	failsDone = fault{name: "502 after the work", work: true, code: 502}
	garbage   = fault{name: "garbage", work: true, code: 201, body: "<html>"}
	cut       = fault{name: "truncated", work: true, code: 201, body: "cut"}
	throttled = fault{name: "429", code: 429}
)

func (l *ledger) RoundTrip(r *http.Request) (*http.Response, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if r.Method == http.MethodGet {
		return l.look(r)
	}
	var params struct{ Note string }
	if err := json.NewDecoder(r.Body).Decode(&params); err != nil {
		return nil, err
	}
	l.posts++
	f := l.fault(l.posts)
	if f.work {
		l.made = append(l.made, entry{params.Note, time.Now().Add(f.late + l.lag)})
	}
	if f.err != nil {
		return nil, f.err
	}
	body := io.NopCloser(strings.NewReader(`{"id":"1","note":"` + params.Note + `"}`))
	switch {
	case f.body == "cut":
		body = io.NopCloser(io.MultiReader(strings.NewReader(`{"id`), errReader{io.ErrUnexpectedEOF}))
	case f.body != "":
		body = io.NopCloser(strings.NewReader(f.body))
	}
	return &http.Response{StatusCode: f.code, Header: http.Header{}, Body: body, ContentLength: -1, Request: r}, nil
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

func (l *ledger) look(r *http.Request) (*http.Response, error) {
	if l.looks != nil && l.looks() {
		return nil, io.EOF
	}
	note := r.URL.Query().Get("filter[note]")
	var items []string
	for i, e := range l.made {
		if e.note == note && !time.Now().Before(e.shown) {
			items = append(items, fmt.Sprintf(`{"id":"%d","note":"%s","created_at":%d}`, i+1, note, e.shown.Unix()))
		}
	}
	body := fmt.Sprintf(`{"object":"list","total_count":%d,"has_more":false,"data":[%s]}`, len(items), strings.Join(items, ","))
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r}, nil
}

func (l *ledger) client(t *testing.T) *idv.Client {
	c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(&http.Client{Transport: l}))
	require.NoError(t, err)
	return c
}

// creators are the three CreateOnce methods, as one.
var creators = map[string]func(context.Context, *idv.Client, ...idv.CallOption) (id string, err error){
	"people": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) (string, error) {
		p := validPerson()
		p.Note = ""
		person, err := c.People.CreateOnce(ctx, p, "order-7", opts...)
		if err != nil {
			return "", err
		}
		return person.ID, nil
	},
	"companies": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) (string, error) {
		company, err := c.Companies.CreateOnce(ctx, validCompany(), "order-7", opts...)
		if err != nil {
			return "", err
		}
		return company.ID, nil
	},
	"candidates": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) (string, error) {
		candidate, err := c.Candidates.CreateOnce(ctx, &idv.CandidateParams{}, "order-7", opts...)
		if err != nil {
			return "", err
		}
		return candidate.ID, nil
	},
}

func TestCreateOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		faults []fault // the last repeats
		lag    time.Duration
		made   int
		posts  int
		ok     bool
		is     error
	}{
		"at once":                          {[]fault{fine}, 0, 1, 1, true, nil},
		"no way in, then one":              {[]fault{refused, refused, fine}, 0, 1, 3, true, nil},
		"dropped before the work":          {[]fault{lost, fine}, 0, 1, 2, true, nil},
		"dropped after the work":           {[]fault{lostAfter, fine}, 0, 1, 1, true, nil},
		"dropped, the index lags":          {[]fault{lostAfter, fine}, 20 * time.Second, 1, 1, true, nil},
		"dropped, done later, it lags":     {[]fault{lostLate, fine}, 20 * time.Second, 1, 1, true, nil},
		"500 before the work":              {[]fault{fails, fine}, 0, 1, 2, true, nil},
		"502 after the work":               {[]fault{failsDone, fine}, 3 * time.Second, 1, 1, true, nil},
		"an answer that broke off":         {[]fault{cut, fine}, 3 * time.Second, 1, 1, true, nil},
		"an answer that is garbage":        {[]fault{garbage, fine}, 3 * time.Second, 1, 1, true, nil},
		"garbage, and never in the index":  {[]fault{garbage, fine}, time.Hour, 1, 1, false, nil},
		"dropped every time":               {[]fault{lost}, 0, 0, 3, false, io.EOF},
		"refused by the service":           {[]fault{throttled}, 0, 0, 1, false, idv.ErrRateLimited},
		"beyond the settling time, it can": {[]fault{lostAfter, fine}, time.Minute, 2, 2, true, nil},
	} {
		for resource, create := range creators {
			t.Run(name+", "+resource, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					l := &ledger{lag: c.lag, fault: func(n int) fault { return c.faults[min(n, len(c.faults))-1] }}
					id, err := create(t.Context(), l.client(t))
					assert.Equal(t, c.ok, err == nil, "%v", err)
					assert.Equal(t, c.made, len(l.made))
					assert.Equal(t, c.posts, l.posts)
					if c.ok {
						assert.Equal(t, "1", id)
					}
					if c.is != nil {
						assert.ErrorIs(t, err, c.is)
					}
				})
			})
		}
	}
}

func TestCreateOnceWhenLookingFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{fault: func(int) fault { return lostAfter }, looks: func() bool { return true }}
		_, err := creators["people"](t.Context(), l.client(t), idv.Settling(5*time.Second))
		var uncertain *idv.UncertainError
		require.ErrorAs(t, err, &uncertain)
		var transport *idv.TransportError
		assert.ErrorAs(t, err, &transport, "and why it could not be found out")
		assert.Equal(t, 1, l.posts, "what nobody could look for is not sent again")
	})
	synctest.Test(t, func(t *testing.T) {
		until := time.Now().Add(20 * time.Second)
		l := &ledger{fault: func(int) fault { return lostAfter }, looks: func() bool { return time.Now().Before(until) }}
		_, err := creators["people"](t.Context(), l.client(t))
		assert.NoError(t, err, "an outage shorter than the settling time")
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		l := &ledger{fault: func(int) fault { return lostAfter }, lag: time.Minute}
		_, err := creators["people"](ctx, l.client(t))
		var uncertain *idv.UncertainError
		require.ErrorAs(t, err, &uncertain)
		assert.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestCreateOnceConcludesNothingFromAnAnswerThatSaysNothing(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{}`, `{"status":"ok"}`, `{"data":[]}`, `{"object":"list","total_count":1,"has_more":false,"data":[]}`,
		`{"object":"list","total_count":1,"has_more":false,"data":[{"id":"9","note":"somebody else's"}]}`,
	} {
		synctest.Test(t, func(t *testing.T) {
			posts := 0
			c, err := idv.New(baseURL, testKey, idv.WithHTTPClient(&http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				if r.Method == http.MethodPost {
					posts++
					return nil, io.EOF
				}
				return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1}, nil
			})}))
			require.NoError(t, err)
			_, err = creators["people"](t.Context(), c)
			var uncertain *idv.UncertainError
			require.ErrorAs(t, err, &uncertain, body)
			assert.Equal(t, 1, posts, body)
		})
	}
}

func TestCreateOnceTakesTheReferenceOfAnEarlierRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &ledger{fault: func(int) fault { return fine }, made: []entry{{"order-7", time.Now()}, {"order-7", time.Now().Add(-time.Hour)}}}
		id, err := creators["people"](t.Context(), l.client(t), idv.LookFirst())
		require.NoError(t, err)
		assert.Equal(t, "2", id, "the oldest")
		assert.Zero(t, l.posts)
	})
}

func TestCreateOnceRefuses(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 201, `{}`)
	var nilContext context.Context
	for want, err := range map[string]error{
		"idv: reference is empty, or begins or ends with a blank": second(c.People.CreateOnce(bg(), validPerson(), "")),
		"idv: note is set; CreateOnce puts its reference there":   second(c.People.CreateOnce(bg(), validPerson(), "other")),
		"idv: params is nil":        second(c.Companies.CreateOnce(bg(), nil, "x")),
		"idv: ctx is nil":           second(c.Candidates.CreateOnce(nilContext, &idv.CandidateParams{}, "x")),
		"idv: Settling is negative": second(c.Candidates.CreateOnce(bg(), &idv.CandidateParams{}, "x", idv.Settling(-1))),
	} {
		assert.EqualError(t, err, want)
	}
	assert.Empty(t, *requests)
	p := validPerson()
	_, err := c.People.CreateOnce(bg(), p, p.Note)
	require.NoError(t, err)
	cp := &idv.CandidateParams{}
	_, err = c.Candidates.CreateOnce(bg(), cp, "x")
	require.NoError(t, err)
	assert.Nil(t, cp.Note, "the caller's params are left alone")
}

func second[T any](_ *T, err error) error { return err }

// TestCreateOnceSimulation goes through random sequences of faults. Where the settling time covers the delay of work and
// index, there is exactly one object after a success and never two.
func TestCreateOnceSimulation(t *testing.T) {
	t.Parallel()
	all := []fault{fine, refused, lost, lostAfter, lostLate, fails, failsDone, garbage, cut}
	rates := map[string]int{}
	runs := cmp.Or(*onceRuns, onceDefault)
	for i := range runs {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(7, uint64(i)))
			l := &ledger{
				lag:   time.Duration(random.IntN(25_000)) * time.Millisecond,
				fault: func(int) fault { return all[random.IntN(len(all))] },
				looks: func() bool { return random.IntN(5) == 0 },
			}
			_, err := creators["people"](t.Context(), l.client(t))
			var uncertain *idv.UncertainError
			switch {
			case err == nil:
				require.Len(t, l.made, 1, "run %d", i)
				rates["one object, returned"]++
			case errors.As(err, &uncertain):
				require.LessOrEqual(t, len(l.made), 1, "run %d", i)
				rates[fmt.Sprintf("uncertain, %d object(s)", len(l.made))]++
			default:
				require.LessOrEqual(t, len(l.made), 1, "run %d", i)
				rates[fmt.Sprintf("%T, %d object(s)", err, len(l.made))]++
			}
		})
	}
	for what, n := range rates {
		t.Logf("%6.2f %% %s", float64(n)*100/float64(runs), what)
	}
}
