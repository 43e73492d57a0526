package scan

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var cases = flag.Int("scan.cases", 20_000, "random services to enumerate")

// scenario is one service and one enumeration of it.
type scenario struct {
	server *server
	config Config[object]
	honest bool // counts, has_more and bounds are right
	quiet  bool // and nothing changes

	start   []object        // what existed in the bounds when the enumeration began
	deleted map[string]bool // what was deleted since
}

// picker picks the parts of a scenario; its numbers come from chance or from a fuzzer.
type picker interface{ IntN(n int) int }

func newScenario(pick picker) *scenario {
	page := 1 + pick.IntN(9)
	if pick.IntN(8) == 0 {
		page = 1 + pick.IntN(100)
	}
	s := &scenario{server: newServer(times(pick), orderings[pick.IntN(len(orderings))], page), honest: true, quiet: true, deleted: map[string]bool{}}
	s.server.rnd = rand.New(rand.NewPCG(uint64(pick.IntN(1<<16)), 1))
	s.server.now = s.clock(pick)
	s.config = s.server.config()
	s.config.Parallel = []int{0, 0, 1, 2, 5}[pick.IntN(5)]
	s.config.Offset = pick.IntN(4) == 0
	s.config.MaxRequests = 20_000
	s.bound(pick)
	s.lie(pick)
	s.change(pick)
	return s
}

// times makes few or many objects within anything from a second to years.
func times(pick picker) []int64 {
	n := pick.IntN(60)
	if pick.IntN(10) == 0 {
		n = pick.IntN(400)
	}
	width := []int{1, 3, 20, 300, 2000, 1 << 20, span}[pick.IntN(7)]
	group := []int{1, 1, 1, 2, 5, 15}[pick.IntN(6)]
	var times []int64
	for len(times) < n {
		at := epoch + int64(pick.IntN(width))
		for range group {
			times = append(times, at)
		}
	}
	slices.Sort(times)
	return times
}

// clock sets the service's time: long after the last object, or among the last ones, which are then too new to be counted on.
func (s *scenario) clock(pick picker) int64 {
	last := int64(epoch)
	if n := len(s.server.objects); n > 0 {
		last = s.server.objects[n-1].created
	}
	return last + []int64{86400, 900, 500, 0}[pick.IntN(4)]
}

func (s *scenario) bound(pick picker) {
	first := s.server.now - int64(pick.IntN(3000))
	switch pick.IntN(8) {
	case 0:
		s.config.Bounds = Window{first, Future}
	case 1:
		s.config.Bounds = Window{Past, first}
	case 2:
		s.config.Bounds = Window{first, first + int64(pick.IntN(1000))}
	}
}

// lie makes one in three services answer wrongly, in a way that some answer betrays. Counts that are wrong and agree with every
// answer cannot be told from right ones.
func (s *scenario) lie(pick picker) {
	kind, k := pick.IntN(24), 1+pick.IntN(12)
	if kind > 7 {
		return
	}
	s.honest, s.quiet = false, false
	switch kind {
	case 0:
		s.server.count = func(total int) int { return total + k }
	case 1:
		s.server.count = func(total int) int { return max(0, total-k) }
	case 2:
		s.server.count = func(total int) int { return min(total, s.server.page) }
	case 3:
		s.server.count = func(total int) int { return total + 1 + s.server.rnd.IntN(k) }
	default:
		s.server.answer = s.answers(kind, k)
	}
}

func (s *scenario) answers(kind, k int) func(Window, Page[object]) Page[object] {
	return func(w Window, p Page[object]) Page[object] {
		odd := s.server.rnd.IntN(1+k) == 0
		switch {
		case kind == 4 && odd:
			p.Items, p.HasMore = nil, true
		case kind == 5 && odd:
			p.HasMore = true
		case kind == 6 && odd:
			p.HasMore = false
		case kind == 7 && len(p.Items) > 0: // repeats an object, and adds one that was not asked for
			p.Items = append(p.Items, p.Items[0], object{id: "stray", created: w.From - 1})
		}
		return p
	}
}

// change lets one in three collections move while they are read: objects appear, some of them back-dated within the margin, and
// disappear.
func (s *scenario) change(pick picker) {
	kind := pick.IntN(9)
	if kind < 3 {
		s.quiet = false
	}
	inserts, deletes := kind == 0 || kind == 1, kind == 1 || kind == 2
	first := true
	s.server.disturb = func(v *server) {
		if first {
			first = false
			s.start = slices.Clone(v.match(s.config.Bounds))
			return
		}
		v.now += int64(v.rnd.IntN(3))
		if inserts && v.rnd.IntN(2) == 0 && v.requests < 500 { // an endless stream at a page of one object has no end
			at := v.now - int64(v.rnd.IntN(590))
			v.objects = append(v.objects, object{fmt.Sprintf("new%05d", v.requests), at, at})
			v.sort()
		}
		if deletes && len(v.objects) > 0 && v.rnd.IntN(3) == 0 {
			i := v.rnd.IntN(len(v.objects))
			s.deleted[v.objects[i].id] = true
			v.objects = slices.Delete(v.objects, i, i+1)
		}
	}
}

// violation enumerates and returns what went wrong, or nothing.
func (s *scenario) violation() string {
	seen := map[string]bool{}
	var last error
	for o, err := range All(context.Background(), s.config) {
		switch {
		case last != nil:
			return "something follows the error"
		case err != nil:
			last = err
		case seen[o.id]:
			return "twice: " + o.id
		case !s.config.Bounds.holds(o.created):
			return "out of bounds: " + o.id
		}
		if err == nil {
			seen[o.id] = true
		}
	}
	var incomplete *Incomplete
	if last != nil && !errors.As(last, &incomplete) {
		return "ended by " + last.Error()
	}
	if s.quiet && incomplete != nil && !s.crowded() {
		return "complete, but said " + last.Error()
	}
	return s.missing(seen, incomplete)
}

// crowded reports whether one second holds more than a page.
func (s *scenario) crowded() bool {
	for i := s.server.page; i < len(s.start); i++ {
		if s.start[i].created == s.start[i-s.server.page].created {
			return true
		}
	}
	return false
}

// missing looks for an object that existed from beginning to end, was not yielded, and is in no gap.
func (s *scenario) missing(seen map[string]bool, incomplete *Incomplete) string {
	for _, o := range s.start {
		if seen[o.id] || s.deleted[o.id] {
			continue
		}
		if incomplete == nil {
			return "silently missed " + o.id
		}
		if !slices.ContainsFunc(incomplete.Gaps, func(g Gap) bool { return g.From <= o.created && o.created <= g.To }) {
			return fmt.Sprintf("missed %s, created %d, outside of %s", o.id, o.created, incomplete)
		}
	}
	return ""
}

func (s *scenario) String() string {
	return fmt.Sprintf("%d objects, %s, pages of %d, parallel %d, honest %t, quiet %t", len(s.server.objects), s.server.order, s.server.page,
		s.config.Parallel, s.honest, s.quiet)
}

// Whatever the service: everything that exists throughout is yielded once, or lies in a gap.
func TestEveryService(t *testing.T) {
	t.Parallel()
	for worker := range runtime.GOMAXPROCS(0) {
		t.Run(fmt.Sprint(worker), func(t *testing.T) {
			t.Parallel()
			for seed := worker; seed < *cases; seed += runtime.GOMAXPROCS(0) {
				s := newScenario(rand.New(rand.NewPCG(uint64(seed), 7)))
				require.Empty(t, s.violation(), "seed %d: %s", seed, s)
			}
		})
	}
}

// bytesPicker lets a fuzzer choose.
type bytesPicker struct{ data []byte }

func (b *bytesPicker) IntN(n int) int {
	var v int
	for range 4 {
		if len(b.data) == 0 {
			break
		}
		v, b.data = v<<8|int(b.data[0]), b.data[1:]
		if v >= n {
			break
		}
	}
	return v % n
}

func FuzzService(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("a service that answers in whatever order it likes, with counts that are right"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newScenario(&bytesPicker{data})
		require.Empty(t, s.violation(), "%s", s)
	})
}
