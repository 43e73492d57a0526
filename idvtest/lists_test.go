package idvtest_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestListPages(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.AddCandidates(130, func(i int) idvtest.Candidate {
		return idvtest.Candidate{ID: fmt.Sprint(i), CreatedAt: at(i)}
	})
	for _, row := range []struct {
		name        string
		query       []string
		size        int
		first, last any
		more        bool
	}{
		{"25 by default", nil, 25, "129", "105", true},
		{"count", []string{"count", "3"}, 3, "129", "127", true},
		{"100 at most", []string{"count", "1000"}, 100, "129", "30", true},
		{"offset", []string{"offset", "3", "count", "2"}, 2, "126", "125", true},
		{"the last page", []string{"offset", "120"}, 10, "9", "0", false},
		{"exactly to the end", []string{"offset", "105"}, 25, "24", "0", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := a.get("/candidates", row.query...)
			requireStatus(t, 200, r)
			ids := r.all("id")
			require.Len(t, ids, row.size)
			assert.Equal(t, []any{row.first, row.last}, []any{ids[0], ids[row.size-1]})
			assert.Equal(t, row.more, r.json["has_more"])
			assert.Equal(t, 130, r.total())
		})
	}

	t.Run("beyond the end", func(t *testing.T) {
		r := a.get("/candidates", "offset", "131")
		assert.JSONEq(t, `{"object":"list","total_count":130,"has_more":false,"data":[]}`, string(r.body))
	})

	t.Run("numbers that make no sense are refused", func(t *testing.T) {
		for _, query := range [][]string{{"count", "0"}, {"count", "-1"}, {"count", "all"}, {"offset", "-1"}, {"offset", "1.5"}} {
			r := a.get("/candidates", query...)
			requireStatus(t, 400, r)
			assert.Equal(t, query[0], errorOf(r)["param"])
		}
	})

	t.Run("unknown keys are ignored", func(t *testing.T) {
		assert.Equal(t, 130, a.get("/candidates", "starting_after", "x", "birth_day[gt]", "1", "filter", "x").total())
	})
}

func TestListOrders(t *testing.T) {
	t.Parallel()
	seed := func(s *idvtest.Server) {
		for _, i := range []int{3, 1, 4, 2, 0} {
			s.AddCandidate(idvtest.Candidate{ID: string("ecbda"[i]), CreatedAt: at(i), Note: "n"})
		}
	}
	for order, want := range map[idvtest.Order][]any{
		idvtest.Newest: {"a", "d", "b", "c", "e"},
		idvtest.Oldest: {"e", "c", "b", "d", "a"},
		idvtest.None:   {"a", "b", "c", "d", "e"},
	} {
		t.Run(fmt.Sprint("order ", order), func(t *testing.T) {
			t.Parallel()
			a := newAPI(t, idvtest.WithOrder(order))
			seed(a.s)
			assert.Equal(t, want, a.get("/candidates").all("id"))
			assert.Equal(t, want[1:3], a.get("/candidates", "count", "2", "offset", "1").all("id"))
			assert.Equal(t, want, a.get("/candidates", "filter[note]", "n").all("id"))
			assert.Equal(t, want, a.get("/candidates", "filter[q]", "n").all("id"), "equals of a search keep the order")
		})
	}
}

func TestIndexDelay(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithIndexDelay(3*time.Second))
	c := a.post("/candidates", attrs{}).id()
	requireData(t, a.get("/candidates"), "id")
	requireStatus(t, 200, a.get("/candidates/"+c))
	a.s.Clock.Advance(3 * time.Second)
	requireData(t, a.get("/candidates"), "id", c)
	requireData(t, a.get("/people"), "id")
}

// A walk through windows of created_at reads each object once: what an enumeration without a cursor relies on.
func TestListsOfManyObjects(t *testing.T) {
	t.Parallel()
	const n = 50_000
	a := newAPI(t)
	a.s.AddPeople(n, func(i int) idvtest.Person {
		return idvtest.Person{CreatedAt: at(i * 7919 % n), NameLast: fmt.Sprintf("Person%05d", i)}
	})
	var seen []string
	for from := 0; from < n; from += 5000 {
		window := []string{"created_at[gte]", unix(from), "created_at[lt]", unix(from + 100), "count", "100"}
		r := a.get("/people", window...)
		require.Equal(t, 100, r.total())
		require.Equal(t, false, r.json["has_more"])
		for _, id := range r.all("id") {
			seen = append(seen, id.(string))
		}
	}
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(seen))), 1000)
	assert.Equal(t, n, a.get("/people").total())
	assert.Equal(t, "Person04711", a.get("/people", "filter[q]", "persno04711").all("name_last")[0])
}

func BenchmarkList(b *testing.B) {
	const n = 50_000
	s := idvtest.Start(b)
	s.AddPeople(n, func(i int) idvtest.Person {
		return idvtest.Person{CreatedAt: at(i), NameLast: fmt.Sprintf("Person%05d", i)}
	})
	for name, query := range map[string]string{
		"page": "count=100", "window": "count=100&created_at[gte]=" + unix(25_000) + "&created_at[lt]=" + unix(25_100),
		"filter": "filter[name_last]=Person00042", "search": "filter[q]=persno04711", "updated": "updated_at[gte]=" + unix(100),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				get(b, s, "/people?"+query)
			}
		})
	}
}

func TestAnIndexThatLagsForAll(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithIndexDelayForAll(time.Minute))
	for path, body := range map[string]string{"/people": bodyOf(t, person()), "/candidates": `{}`} {
		resp, _, err := a.try("POST", path, body)
		require.NoError(t, err)
		require.Equal(t, 201, resp.StatusCode)
		assert.Zero(t, a.get(path).total(), path)
	}
	a.s.Clock.Advance(time.Minute)
	assert.Equal(t, 1, a.get("/people").total())
	assert.Equal(t, 1, a.get("/candidates").total())
}
