package idv_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// people starts a service with n people, one an hour.
func people(t *testing.T, n int, opts ...idvtest.Option) (*idvtest.Server, *idv.Client) {
	t.Helper()
	service, c := start(t, append([]idvtest.Option{idvtest.WithStartTime(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))}, opts...)...)
	service.AddPeople(n, func(i int) idvtest.Person {
		return idvtest.Person{ID: fmt.Sprint("p", i), Note: fmt.Sprint(i % 2), CreatedAt: hour(i)}
	})
	return service, c
}

func hour(i int) time.Time { return time.Date(2024, 1, 1, i, 0, 0, 0, time.UTC) }

// collect reads everything and insists that nothing comes twice.
func collect[T any](t *testing.T, all func(func(*T, error) bool), id func(*T) string) (ids map[string]bool, err error) {
	t.Helper()
	ids = map[string]bool{}
	for v, e := range all {
		if e != nil {
			require.NoError(t, err, "an error is the last thing")
			err = e
			continue
		}
		require.False(t, ids[id(v)], "%s came twice", id(v))
		ids[id(v)] = true
	}
	return ids, err
}

func personID(p *idv.Person) string { return p.ID }

func TestAllReadsEverythingOnceInAnyOrderOfTheService(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]idvtest.Option{
		"newest first": {idvtest.WithOrder(idvtest.Newest)}, "oldest first": {idvtest.WithOrder(idvtest.Oldest)},
		"no order": {idvtest.WithOrder(idvtest.None)}, "pages of 7": {idvtest.WithPageSize(7)},
	} {
		for _, k := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, %d at a time", name, k), func(t *testing.T) {
				t.Parallel()
				_, c := people(t, 700, opts...)
				var done, total []int
				got, err := collect(t, c.People.All(bg(), nil, idv.Parallel(k), idv.OnProgress(func(d, n int) {
					done, total = append(done, d), append(total, n)
				})), personID)
				require.NoError(t, err)
				assert.Len(t, got, 700)
				assert.IsNonDecreasing(t, done)
				assert.IsNonDecreasing(t, total)
				assert.Equal(t, []int{700, 700}, []int{done[len(done)-1], total[len(total)-1]})
			})
		}
	}
}

func TestAllKeepsTheCallersFiltersAndBounds(t *testing.T) {
	t.Parallel()
	_, c := people(t, 200)
	half := 500 * time.Millisecond
	for name, r := range map[string]struct {
		bounds   idv.TimeRange
		from, to int // hours, both included
	}{
		"none":                    {idv.TimeRange{}, 0, 199},
		"after and before":        {idv.TimeRange{After: hour(10), Before: hour(150)}, 11, 149},
		"not before, not after":   {idv.TimeRange{NotBefore: hour(10), NotAfter: hour(150)}, 10, 150},
		"inside a second":         {idv.TimeRange{NotBefore: hour(10).Add(half), NotAfter: hour(150).Add(-half)}, 11, 149},
		"inside a second, strict": {idv.TimeRange{After: hour(10).Add(-half), Before: hour(150).Add(half)}, 10, 150},
		"the narrower of two":     {idv.TimeRange{After: hour(20), NotBefore: hour(10), Before: hour(30), NotAfter: hour(40)}, 21, 29},
		"nothing":                 {idv.TimeRange{After: hour(30), Before: hour(20)}, 1, 0},
	} {
		got, err := collect(t, c.People.All(bg(), &idv.ListParams{Filter: idv.Filter{"note": "1"}, CreatedAt: r.bounds}), personID)
		require.NoError(t, err, name)
		want := map[string]bool{}
		for i := r.from; i <= r.to; i++ {
			if i%2 == 1 {
				want[fmt.Sprint("p", i)] = true
			}
		}
		assert.Equal(t, want, got, name)
	}
}

func TestAllOfTheOtherResources(t *testing.T) {
	t.Parallel()
	service, c := start(t)
	service.AddCompanies(60, func(i int) idvtest.Company { return idvtest.Company{CreatedAt: hour(i)} })
	for i := range 60 {
		service.AddCandidate(idvtest.Candidate{CreatedAt: hour(i)})
		service.AddPerson(idvtest.Person{CreatedAt: hour(i), QuestionSets: 1})
	}
	companies, err := collect(t, c.Companies.All(bg(), nil), func(c *idv.Company) string { return c.ID })
	require.NoError(t, err)
	assert.Len(t, companies, 60)
	candidates, err := collect(t, c.Candidates.All(bg(), nil), func(c *idv.Candidate) string { return c.ID })
	require.NoError(t, err)
	assert.Len(t, candidates, 60)
	sets, err := collect(t, c.QuestionSets.All(bg(), nil), func(q *idv.QuestionSet) string { return q.ID })
	require.NoError(t, err)
	assert.Len(t, sets, 60)
}

func TestASecondThatOverflowsAPageIsAGap(t *testing.T) {
	t.Parallel()
	service, c := people(t, 100)
	service.AddPeople(40, func(i int) idvtest.Person { return idvtest.Person{CreatedAt: hour(50)} })
	got, err := collect(t, c.People.All(bg(), nil), personID)
	var incomplete *idv.IncompleteError
	require.ErrorAs(t, err, &incomplete)
	require.Len(t, incomplete.Gaps, 1)
	gap := incomplete.Gaps[0]
	assert.Equal(t, []any{hour(50), hour(50), 41, 25}, []any{gap.From, gap.To, gap.TotalCount, gap.Seen})
	assert.Len(t, got, 99+25)

	for _, size := range []int{1, 25} {
		got, err = collect(t, c.People.All(bg(), &idv.ListParams{Count: size}), personID)
		require.NoError(t, err, "who sets a Count allows for the offset, which is observed too")
		assert.Len(t, got, 140)
	}
}

func TestAnErrorEndsTheRequestsBesideIt(t *testing.T) {
	t.Parallel()
	service, c := people(t, 2000)
	service.Fail(
		idvtest.Fault{Path: "/people", Skip: 12, Times: 2, Delay: time.Hour},
		idvtest.Fault{Path: "/people", Skip: 12, Status: 400},
	)
	ctx, cancel := context.WithTimeout(bg(), 20*time.Second)
	defer cancel()
	_, err := collect(t, c.People.All(ctx, nil, idv.Parallel(8)), personID)
	assert.ErrorIs(t, err, idv.ErrValidation)
	assert.NoError(t, ctx.Err(), "nobody waits for the answers that are late")
}

func TestAllRefuses(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	var nilContext context.Context
	for want, all := range map[string]func(func(*idv.Person, error) bool){
		"idv: Search cannot be enumerated: its order is by relevance, and All goes by creation times; use List": c.People.All(bg(), &idv.ListParams{Search: "x"}),
		"idv: Offset cannot start an enumeration; narrow CreatedAt instead":                                     c.People.All(bg(), &idv.ListParams{Offset: 3}),
		"idv: Count is negative":                 c.People.All(bg(), &idv.ListParams{Count: -1}),
		"idv: ctx is nil":                        c.People.All(nilContext, nil),
		"idv: Parallel is not between 1 and 256": c.People.All(bg(), nil, idv.Parallel(0)),
		"idv: CaptureResponse is given beside Parallel, where no answer is the latest": c.People.All(bg(), nil, idv.Parallel(2), idv.CaptureResponse(new(idv.Response))),
		"idv: MaxRequests is below 1":     c.People.All(bg(), nil, idv.MaxRequests(0)),
		"idv: OnProgress is given nil":    c.People.All(bg(), nil, idv.OnProgress(nil)),
		"idv: opts hold a nil CallOption": c.People.All(bg(), nil, nil),
	} {
		_, err := collect(t, all, personID)
		assert.EqualError(t, err, want)
	}
	assert.Empty(t, *requests)
}

func TestAllStopsWhenItIsToldTo(t *testing.T) {
	t.Parallel()
	service, c := people(t, 500)
	for range c.People.All(bg(), nil) {
		break
	}
	before := len(service.Requests())
	assert.LessOrEqual(t, before, 2, "break stops the requests")

	_, err := collect(t, c.People.All(bg(), nil, idv.MaxRequests(3)), personID)
	var limit *idv.LimitError
	require.ErrorAs(t, err, &limit)
	assert.Equal(t, 3, limit.MaxRequests)
	assert.Len(t, service.Requests(), before+3)

	ctx, cancel := context.WithCancel(bg())
	n := 0
	var last error
	for _, err := range c.People.All(ctx, nil, idv.Parallel(4)) {
		if n++; n == 30 {
			cancel()
		}
		last = err
	}
	cancel()
	assert.ErrorIs(t, last, context.Canceled)
	assert.Less(t, n, 500)
}

func TestAllEndsWithTheErrorOfARequest(t *testing.T) {
	t.Parallel()
	service, c := people(t, 100)
	service.Fail(idvtest.Fault{Method: "GET", Path: "/people", Status: 401, Times: 1})
	var answer idv.Response
	got, err := collect(t, c.People.All(bg(), nil, idv.CaptureResponse(&answer)), personID)
	assert.ErrorIs(t, err, idv.ErrUnauthorized)
	assert.Empty(t, got)
	assert.Equal(t, 401, answer.StatusCode)

	_, err = collect(t, c.People.All(bg(), nil, idv.CaptureResponse(&answer), idv.WithQuery("x", "1")), personID)
	require.NoError(t, err)
	assert.Equal(t, 200, answer.StatusCode, "the latest answer")
	for _, r := range service.Requests() {
		if values, _ := url.ParseQuery(r.Query.Encode()); len(values) > 0 && r.Query.Get("x") == "" {
			assert.Fail(t, "an option of the call is on every request")
		}
	}
	var parameter *idv.ParamError
	assert.False(t, errors.As(err, &parameter))
}

func TestAListThatIsNotWholeIsNoEmptyCollection(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"object":"list","data":[]}`, `{"total_count":0,"has_more":false}`, `{"error":"x"}`} {
		c, _ := answering(t, 200, body)
		_, err := collect(t, c.People.All(bg(), nil), personID)
		var e *idv.DecodeError
		assert.ErrorAs(t, err, &e, body)
	}
}

func TestTheParamsOfAllAreTheCallersOwn(t *testing.T) {
	t.Parallel()
	_, c := people(t, 100)
	p := &idv.ListParams{Filter: idv.Filter{"note": "1"}}
	n := 0
	for _, err := range c.People.All(bg(), p, idv.Parallel(2)) {
		require.NoError(t, err)
		p.Filter["note"] = "0" // for another list, while this one goes on
		n++
	}
	assert.Equal(t, 50, n)
}
