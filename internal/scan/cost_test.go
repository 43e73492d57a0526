package scan

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var table = flag.Bool("scan.table", false, "print the requests of every shape and order as a Markdown table")

var pages = []int{10, 25, 100}

// cost enumerates n objects and returns the requests over the least possible number of them.
func cost(tb testing.TB, sh shape, n int, o ordering, page int) float64 {
	tb.Helper()
	s := newServer(sh.times(n, rand.New(rand.NewPCG(1, 2))), o, page)
	require.Len(tb, drain(tb, s.config()), n)
	return float64(s.requests) / float64((n+page-1)/page)
}

// drain enumerates without an error and without a repetition.
func drain(tb testing.TB, c Config[object]) []object {
	tb.Helper()
	ids, objects := map[string]bool{}, []object{}
	for o, err := range All(context.Background(), c) {
		require.NoError(tb, err)
		require.False(tb, ids[o.id], "%s came twice", o.id)
		ids[o.id] = true
		objects = append(objects, o)
	}
	return objects
}

// The budgets of 10,000 objects: how many requests there may be for each full page.
func TestRequests(t *testing.T) {
	t.Parallel()
	even := map[int]float64{10: 1.7, 25: 1.6, 100: 1.4}
	for _, sh := range shapes {
		for _, page := range pages {
			t.Run(fmt.Sprintf("%s, pages of %d", sh.name, page), func(t *testing.T) {
				t.Parallel()
				ordered, other := 1.25, 2.5
				switch sh.name {
				case "even":
					ordered, other = 1.02, even[page]
				case "growth":
					other = 1.7
				case "groups of one second":
					other = 1.9
				}
				for _, o := range []ordering{newest, oldest} {
					require.LessOrEqual(t, cost(t, sh, 10_000, o, page), ordered, "%s", o)
				}
				for _, o := range []ordering{hashed, random} {
					require.LessOrEqual(t, cost(t, sh, 10_000, o, page), other, "%s", o)
				}
			})
		}
	}
}

// go test -run Table -v ./internal/scan -scan.table
func TestTable(t *testing.T) {
	var b strings.Builder
	b.WriteString("| created_at | page |")
	for _, o := range orderings {
		fmt.Fprintf(&b, " %s |", o)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(orderings)) + "\n")
	shapes, n := shapes, 10_000
	if !*table { // the rows of the smallest table keep the program for the large one alive
		shapes, n = shapes[:1], 300
	}
	for _, sh := range shapes {
		for _, page := range pages {
			fmt.Fprintf(&b, "| %s | %d |", sh.name, page)
			for _, o := range orderings {
				fmt.Fprintf(&b, " %.3f |", cost(t, sh, n, o, page))
			}
			b.WriteByte('\n')
		}
	}
	require.Equal(t, 2+len(shapes)*len(pages), strings.Count(b.String(), "\n"))
	if *table {
		fmt.Print(b.String())
	}
}

// One request where one page holds everything, none where nothing can match.
func TestFewRequests(t *testing.T) {
	t.Parallel()
	times := make([]int64, 25)
	for i := range times {
		times[i] = epoch + int64(i)
	}
	tests := []struct {
		name     string
		bounds   Window
		objects  int
		requests int
	}{
		{"everything on one page", everything, 25, 1},
		{"bounds on one page", Window{epoch + 3, epoch + 7}, 5, 1},
		{"bounds on an empty page", Window{epoch + 100, Future}, 0, 1},
		{"bounds that exclude each other", Window{epoch + 7, epoch + 3}, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newServer(times, newest, 25)
			c := s.config()
			c.Bounds = tt.bounds
			require.Len(t, drain(t, c), tt.objects)
			require.Equal(t, tt.requests, s.requests)
		})
	}
}
