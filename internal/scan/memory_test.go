package scan

import (
	"context"
	"runtime"
	"sort"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// wide is an object heavy enough for what the engine holds of them to stand out.
type wide struct {
	at int64
	_  [512]byte
}

// vast is a service that makes its objects when they are asked for: one each minute.
type vast struct {
	n       int
	ordered bool
}

func (v vast) list(_ context.Context, w Window, _ int) (Page[wide], error) {
	const page, step = 100, 60
	from := sort.Search(v.n, func(i int) bool { return epoch+int64(i)*step >= w.From })
	to := sort.Search(v.n, func(i int) bool { return epoch+int64(i)*step > w.To })
	total := max(0, to-from)
	p := Page[wide]{Total: total, HasMore: total > page, Date: time.Unix(epoch+int64(v.n)*step+3600, 0)}
	for k := range min(total, page) {
		i := to - 1 - k
		if !v.ordered { // drawn from everywhere, in no order
			i = from + (k*37%min(total, page))*total/min(total, page)
		}
		p.Items = append(p.Items, wide{at: epoch + int64(i)*step})
	}
	return p, nil
}

// held enumerates and returns the most memory alive at one of twenty moments.
func held(t *testing.T, v vast) (most int64) {
	c := Config[wide]{List: v.list, Bounds: everything, Created: func(o wide) int64 { return o.at }, ID: func(o wide) string { return strconv.FormatInt(o.at, 36) }}
	before, n := alive(), 0
	for _, err := range All(context.Background(), c) {
		require.NoError(t, err)
		if n++; n%(v.n/20) == v.n/40 {
			most = max(most, alive()-before)
		}
	}
	require.Equal(t, v.n, n)
	return most
}

func alive() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what a pool holds survives the first
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Not parallel: what the other tests hold would count.
func TestMemoryDoesNotGrow(t *testing.T) {
	for _, v := range []vast{{ordered: true}, {ordered: false}} {
		small, large := held(t, vast{10_000, v.ordered}), held(t, vast{1_000_000, v.ordered})
		t.Logf("ordered %t: %d KiB at 10,000 objects, %d KiB at 1,000,000", v.ordered, small>>10, large>>10)
		require.LessOrEqual(t, float64(large), 1.1*float64(small))
	}
}
