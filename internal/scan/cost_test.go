package scan

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var table = flag.Bool("scan.table", false, "print the table of requests")

func requests(t *testing.T, times []int64, o ordering, page int) float64 {
	s := newServer(times, o, page)
	n := 0
	c := s.config()
	c.MaxRequests = 9*len(times)/page + 1000
	l := c.List
	c.List = func(ctx context.Context, w Window, off int) (Page[object], error) {
		p, err := l(ctx, w, off)
		if s.requests > c.MaxRequests-30 {
			fmt.Println(w, len(p.Items), p.Total, p.HasMore)
		}
		return p, err
	}
	for _, err := range All(context.Background(), c) {
		require.NoError(t, err)
		n++
	}
	require.Equal(t, len(times), n)
	floor := (len(times) + page - 1) / page
	return float64(s.requests) / float64(floor)
}

func TestTable(t *testing.T) {
	for _, sh := range shapes {
		for _, page := range []int{10, 25, 100} {
			line := fmt.Sprintf("%-22s %4d", sh.name, page)
			for _, o := range orderings {
				times := sh.times(10_000, rand.New(rand.NewPCG(1, 2)))
				line += fmt.Sprintf(" %6.3f", requests(t, times, o, page))
			}
			fmt.Println(line)
		}
	}
}
