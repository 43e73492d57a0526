package scan

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWindowCut(t *testing.T) {
	t.Parallel()
	nothing := Window{Future, Past}
	tests := []struct {
		name         string
		window       Window
		after        int64
		older, newer Window
	}{
		{"inside", Window{10, 20}, 14, Window{10, 14}, Window{15, 20}},
		{"open", everything, 14, Window{Past, 14}, Window{15, Future}},
		{"before", Window{10, 20}, 5, Window{10, 5}, Window{10, 20}},
		{"behind", Window{10, 20}, 25, Window{10, 20}, Window{26, 20}},
		{"at the end", Window{10, 20}, 20, Window{10, 20}, Window{21, 20}},
		{"nothing is after the future", everything, Future, everything, nothing},
		{"nothing is before the past", everything, Past, nothing, everything},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			older, newer := tt.window.cut(tt.after)
			require.Equal(t, tt.older, older)
			require.Equal(t, tt.newer, newer)
		})
	}
}

func TestWindowInner(t *testing.T) {
	t.Parallel()
	w := Window{10, 20}
	require.EqualValues(t, 10, w.inner(3))
	require.EqualValues(t, 15, w.inner(15))
	require.EqualValues(t, 19, w.inner(20), "both sides hold a second")
}

func TestWindowHolds(t *testing.T) {
	t.Parallel()
	require.True(t, Window{10, 20}.holds(10))
	require.True(t, Window{10, 20}.holds(20))
	require.False(t, Window{10, 20}.holds(21))
	require.False(t, everything.holds(Past), "an open end is no second")
	require.False(t, everything.holds(Future), "an open end is no second")
}

func TestOrderOf(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		times []int64
		want  order
	}{
		{"empty", nil, unordered},
		{"one object", []int64{5}, unordered},
		{"one second", []int64{5, 5, 5}, unordered},
		{"rising", []int64{5, 5, 6}, oldestFirst},
		{"falling", []int64{6, 5, 5}, newestFirst},
		{"both", []int64{6, 5, 7}, unordered},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, orderOf(tt.times))
		})
	}
}

func TestOrderSplit(t *testing.T) {
	t.Parallel()
	w := Window{10, 20}
	tests := []struct {
		name        string
		order       order
		again       bool
		shown, rest Window
	}{
		{"newest first, behind the last second", newestFirst, false, Window{15, 20}, Window{10, 14}},
		{"newest first, from the last second", newestFirst, true, Window{16, 20}, Window{10, 15}},
		{"oldest first, behind the last second", oldestFirst, false, Window{10, 15}, Window{16, 20}},
		{"oldest first, from the last second", oldestFirst, true, Window{10, 14}, Window{15, 20}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			shown, rest := tt.order.split(w, 15, tt.again)
			require.Equal(t, tt.shown, shown)
			require.Equal(t, tt.rest, rest)
		})
	}
}

func TestAgain(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		times []int64
		want  bool
	}{
		{"no two objects share a second: do not repeat", []int64{1, 2, 3, 4, 5, 6, 7, 8}, false},
		{"they often do: repeat one", []int64{1, 1, 2, 2, 3, 3, 4, 5}, true},
		{"the last do: repeat two", []int64{1, 2, 3, 4, 5, 6, 7, 7}, true},
		{"most of the page would repeat", []int64{1, 2, 3, 3, 3, 3, 3, 3}, false},
		{"all of the page would repeat", []int64{3, 3, 3}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, again(tt.times))
		})
	}
}

func TestDivide(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 3, divide([]int64{9, 5, 3}), "newest first: the last second stays with the rest")
	require.EqualValues(t, 8, divide([]int64{3, 5, 9}), "oldest first: likewise")
	require.EqualValues(t, 5, divide([]int64{3, 9, 5}), "no order: the middle")
	require.EqualValues(t, 4, divide([]int64{4, 4}), "one second")
}

func samplesAt(times ...int64) []sample[object] {
	samples := make([]sample[object], len(times))
	for i, at := range times {
		samples[i] = sample[object]{id: string(rune('a' + at)), created: at}
	}
	return samples
}

func TestMarks(t *testing.T) {
	t.Parallel()
	// A zone of 20 objects, of which three are known; then one more answer counts four up to second 9, and shows two.
	fresh := func() *marks[object] {
		m := &marks[object]{}
		m.add(mark{end: 20, count: 20}, samplesAt(2, 5, 15))
		m.add(mark{end: 9, count: 4, over: true}, samplesAt(5, 7))
		return m
	}
	t.Run("an object that was seen before the count proves nothing", func(t *testing.T) {
		t.Parallel()
		m := fresh()
		require.Equal(t, 3, m.inside(m.list[0]))
		require.Equal(t, 2, m.proven(m.list[0]), "that of second 2 may have been deleted")
		require.Equal(t, 4, m.proven(m.list[1]))
	})
	t.Run("all known, no request", func(t *testing.T) {
		t.Parallel()
		m := fresh()
		_, ok := m.complete()
		require.False(t, ok)
		m.pass(3, 2)
		items, ok := m.complete()
		require.True(t, ok)
		require.Len(t, items, 2)
	})
	t.Run("passing takes what was found from every count", func(t *testing.T) {
		t.Parallel()
		m := fresh()
		m.pass(9, 3)
		require.Equal(t, []mark{{end: 20, count: 17, at: 1}}, m.list)
		require.Len(t, m.samples, 1)
		require.EqualValues(t, 10, m.pos)
	})
	t.Run("a zone that is shortened", func(t *testing.T) {
		t.Parallel()
		m := fresh()
		m.shorten(9, 15)
		require.Equal(t, []mark{{end: 9, count: 5, at: 1}}, m.list)
		require.Len(t, m.samples, 3)
	})
	t.Run("a count below what was seen is wrong", func(t *testing.T) {
		t.Parallel()
		m := fresh()
		require.False(t, m.wrong())
		m.list[0].count = 1
		require.True(t, m.wrong())
	})
}

// aimed is a sweep at second 100 of a zone that ends at 1,000,000 and holds 10,000 objects.
func aimed() *sweep[object] {
	s := &sweep[object]{e: newEngine(context.Background(), Config[object]{}), zone: Window{100, 1_000_000}}
	s.marks.pos = 100
	s.marks.add(mark{end: 1_000_000, count: 10_000}, nil)
	return s
}

func TestAim(t *testing.T) {
	t.Parallel()
	t.Run("at first by the density of the zone", func(t *testing.T) {
		t.Parallel()
		require.InDelta(t, 100+2100, aimed().aim(25), 150)
	})
	t.Run("then at the recent pace", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.pace.learn(Window{0, 99}, 20)
		require.InDelta(t, 100+105, s.aim(25), 15)
	})
	t.Run("farther and farther across a void", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.pace.learn(Window{0, 99}, 20)
		s.pace.judge(0, 25)
		s.pace.judge(0, 25)
		require.InDelta(t, 100+16*105, s.aim(25), 16*15)
	})
	t.Run("beyond a count that leaves room", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.pace.learn(Window{0, 99}, 20)
		s.marks.add(mark{end: 140, count: 10}, nil)
		require.InDelta(t, 140+55, s.aim(25), 15)
	})
	t.Run("no farther than a count that fills a page", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.pace.learn(Window{0, 99}, 20)
		s.marks.add(mark{end: 140, count: 25}, nil)
		require.EqualValues(t, 140, s.aim(25))
	})
	t.Run("not beyond a count a second time", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.pace.learn(Window{0, 99}, 20)
		s.marks.add(mark{end: 140, count: 10}, nil)
		s.marks.add(mark{end: 195, count: 30, over: true}, nil)
		require.EqualValues(t, 140, s.aim(25))
	})
	t.Run("in a zone that is open to the past, at the oldest object known", func(t *testing.T) {
		t.Parallel()
		s := &sweep[object]{e: newEngine(context.Background(), Config[object]{}), zone: Window{Past, 900}}
		s.marks.pos = Past
		s.marks.add(mark{end: 900, count: 500, over: true}, samplesAt(800, 850))
		require.EqualValues(t, 800, s.aim(2))
		s.marks.add(mark{end: 800, count: 499, over: true}, samplesAt(790, 795))
		require.EqualValues(t, 790-110, s.aim(2), "and where that did not help, ever farther")
		s.marks.add(mark{end: 680, count: 400, over: true}, samplesAt(660, 670))
		require.EqualValues(t, 660-2*240, s.aim(2))
	})
	t.Run("between samples within a count of few pages", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.marks.add(mark{end: 900, count: 8, over: true}, samplesAt(110, 120, 130, 140))
		require.EqualValues(t, 119, s.aim(4), "half of the eight are known: one of them and its share of the others fit")
	})
	t.Run("always nearer than what overflowed", func(t *testing.T) {
		t.Parallel()
		s := aimed()
		s.marks.add(mark{end: 101, count: 60, over: true}, nil)
		require.EqualValues(t, 100, s.aim(25))
	})
}

func TestFill(t *testing.T) {
	t.Parallel()
	require.Zero(t, fill(0))
	require.Zero(t, fill(-3))
	for _, room := range []int{1, 10, 25, 100} {
		full := fill(room)
		require.Less(t, full, float64(room))
		require.InDelta(t, float64(room), full+(0.5+0.08*math.Sqrt(float64(room)))*math.Sqrt(full), 1e-9)
	}
}
