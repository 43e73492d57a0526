package scan

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireCovered wants every object of the service yielded or in a gap.
func requireCovered(t *testing.T, s *server) *Incomplete {
	t.Helper()
	objects, err := result(s.config())
	c := scenario{start: s.objects}
	seen := map[string]bool{}
	for _, o := range objects {
		require.False(t, seen[o.id], "%s came twice", o.id)
		seen[o.id] = true
	}
	var incomplete *Incomplete
	errors.As(err, &incomplete)
	require.Empty(t, c.missing(seen, incomplete))
	return incomplete
}

// The first page of a newest-first service is counted before an object enters that it shows. Below, it cuts a second in two: the
// difference of the counts would be right by accident.
func TestLateInsertBesideCutSecond(t *testing.T) {
	t.Parallel()
	times := seconds(100)
	times[89] = times[90] // the tenth from above and the one behind it
	s := newServer(times, newest, 10)
	s.now = epoch + 99 + 605 // the newest five are too new to be counted on
	s.count = func(total int) int {
		if s.requests == 1 {
			return total - 1
		}
		return total
	}
	require.Nil(t, requireCovered(t, s))
}

// One answer contradicts itself. Whatever else added up, its counts were those of a service that miscounts.
func TestContradictionEndsTrust(t *testing.T) {
	t.Parallel()
	s := newServer(shapes[0].times(300, rand.New(rand.NewPCG(5, 6))), hashed, 10)
	once := true
	s.answer = func(_ Window, p Page[object]) Page[object] {
		if once && !p.HasMore && len(p.Items) > 5 {
			once = false
			p.Total++
		}
		return p
	}
	incomplete := requireCovered(t, s)
	require.NotNil(t, incomplete)
	gap := incomplete.Gaps[len(incomplete.Gaps)-1]
	require.Equal(t, Gap{From: Past, To: s.now - 600, Count: 300, Seen: 300, Reason: ReasonCount}, gap)
}

// Behind a gap, whose count nothing confirms, nothing is settled by counts alone.
func TestCountsBehindACrowdedSecond(t *testing.T) {
	t.Parallel()
	times := append(make([]int64, 31), seconds(20)...)
	for i := range 31 {
		times[i] = epoch
	}
	s := newServer(times, oldest, 8)
	s.count = func(total int) int { return min(total, 11) }
	require.NotNil(t, requireCovered(t, s))
}

// A gap in the hot zone is no difference between the frozen range and its count.
func TestCrowdedSecondInTheHotZone(t *testing.T) {
	t.Parallel()
	times := seconds(60)
	for i := range 30 {
		times[20+i] = epoch + 30
	}
	for _, o := range orderings {
		s := newServer(times, o, 10)
		s.now = epoch + 605 // counts are exact up to the fifth second
		incomplete := requireCovered(t, s)
		require.NotNil(t, incomplete)
		require.Len(t, incomplete.Gaps, 1)
		require.Equal(t, ReasonSecond, incomplete.Gaps[0].Reason)
	}
}

// All new objects, some of them on the first page, vanish before the hot zone is read. That page is none of the frozen range then.
func TestHotZoneVanishes(t *testing.T) {
	t.Parallel()
	for _, o := range []ordering{newest, hashed} {
		times := seconds(62)
		for i := range 12 {
			times[50+i] = epoch + 5000
		}
		s := newServer(times, o, 10)
		s.now = epoch + 5001
		s.disturb = func(s *server) {
			if s.requests == 2 {
				s.objects = s.objects[:50]
			}
		}
		require.Nil(t, requireCovered(t, s), "%s", o)
	}
}

// A first page that looks newest first hides a new object, and wrong counts hide that.
func TestHiddenInTheHotZone(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		total func(request, total int) int
	}{
		{"the first count contradicts its page", func(request, total int) int {
			if request == 1 {
				return 2
			}
			return total
		}},
		{"the second count contradicts its page", func(request, total int) int {
			return map[int]int{1: 8, 2: 7}[request] + max(0, request-2)*total
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newServer([]int64{epoch, epoch + 5000, epoch + 5001}, newest, 2)
			s.now = epoch + 5001
			s.answer = func(w Window, p Page[object]) Page[object] {
				if s.requests == 1 { // leaves the middle one out
					p.Items = []object{s.objects[2], s.objects[0]}
				}
				p.Total = tt.total(s.requests, p.Total)
				return p
			}
			requireCovered(t, s)
		})
	}
}

// The last word does not depend on what the parts of the engine think of their work.
func TestFinish(t *testing.T) {
	t.Parallel()
	e := newEngine(context.Background(), Config[object]{Created: func(o object) int64 { return o.created }})
	e.yield = func(object) bool { return true }
	e.counts = Window{Past, epoch}
	e.expect(3)
	require.NoError(t, e.emit([]object{{id: "a", created: epoch}, {id: "b", created: epoch}, {id: "newer", created: epoch + 1}}))
	var incomplete *Incomplete
	require.ErrorAs(t, e.finish(), &incomplete)
	require.Equal(t, []Gap{{From: Past, To: epoch, Count: 3, Seen: 2, Reason: ReasonCount}}, incomplete.Gaps)
}

// A count that stops at a page agrees with what slides past behind it, but not with has_more.
func TestSecondCappedAtAPage(t *testing.T) {
	t.Parallel()
	s := newServer(make([]int64, 7), oldest, 6)
	for i := range s.objects {
		s.objects[i].created = epoch
	}
	s.now = epoch
	s.count = func(total int) int { return min(total, 6) }
	s.disturb = func(s *server) {
		if s.requests == 2 {
			s.objects = s.objects[1:]
		}
	}
	c := s.config()
	c.Bounds, c.Offset = Window{epoch, epoch}, true
	_, err := result(c)
	var incomplete *Incomplete
	require.ErrorAs(t, err, &incomplete)
}

// While offsets page through a second, an object vanishes and another slides past. A count that was one too low would agree.
func TestSecondThatChanges(t *testing.T) {
	t.Parallel()
	s := newServer(make([]int64, 20), oldest, 5)
	for i := range s.objects {
		s.objects[i].created = epoch
	}
	start := s.objects
	s.now = epoch // too new for counts
	s.count = func(total int) int { return total - 1 }
	s.disturb = func(s *server) {
		if s.requests == 3 { // two pages of the second are read
			s.objects = s.objects[1:]
		}
	}
	c := s.config()
	c.Bounds, c.Offset = Window{epoch, epoch}, true
	objects, err := result(c)
	require.Less(t, len(objects), len(start))
	var incomplete *Incomplete
	require.ErrorAs(t, err, &incomplete)
}
