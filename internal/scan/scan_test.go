package scan

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// every second from epoch on.
func seconds(n int) []int64 {
	times := make([]int64, n)
	for i := range times {
		times[i] = epoch + int64(i)
	}
	return times
}

// result enumerates to the end and tells objects from the last error.
func result(c Config[object]) (objects []object, last error) {
	for o, err := range All(context.Background(), c) {
		if err != nil {
			return objects, err
		}
		objects = append(objects, o)
	}
	return objects, nil
}

func TestContract(t *testing.T) {
	t.Parallel()
	t.Run("R36 no list operation needs an undocumented parameter", func(t *testing.T) {
		t.Parallel()
		for _, o := range orderings {
			s := newServer(shapes[2].times(500, rand.New(rand.NewPCG(3, 4))), o, 10)
			c := s.config()
			c.List = func(ctx context.Context, w Window, offset int) (Page[object], error) {
				require.Zero(t, offset)
				return s.list(ctx, w, offset)
			}
			require.Len(t, drain(t, c), 500, "%s", o)
		}
	})
}

// An ordered service is followed page by page, in its own order.
func TestOrderIsKept(t *testing.T) {
	t.Parallel()
	for _, o := range []ordering{newest, oldest} {
		s := newServer(seconds(1000), o, 10)
		objects := drain(t, s.config())
		for i := 1; i < len(objects); i++ {
			later := objects[i].created > objects[i-1].created
			require.Equal(t, o == oldest, later, "%s: object %d", o, i)
		}
	}
}

// One second that holds more than a page is yielded as far as seen, and named.
func TestCrowdedSecond(t *testing.T) {
	t.Parallel()
	times := append(seconds(40), make([]int64, 30)...)
	for i := range 30 {
		times[40+i] = epoch + 17
	}
	for _, o := range orderings {
		for _, parallel := range []int{1, 4} {
			t.Run(fmt.Sprintf("%s, parallel %d", o, parallel), func(t *testing.T) {
				t.Parallel()
				c := newServer(times, o, 10).config()
				c.Parallel = parallel
				objects, err := result(c)
				var incomplete *Incomplete
				require.ErrorAs(t, err, &incomplete)
				require.Equal(t, []Gap{{From: epoch + 17, To: epoch + 17, Count: 31, Seen: 10, Reason: ReasonSecond}}, incomplete.Gaps)
				require.Len(t, objects, 39+10)
			})
		}
	}
}

func TestCrowdedSecondByOffset(t *testing.T) {
	t.Parallel()
	times := append(seconds(40), make([]int64, 30)...)
	for i := range 30 {
		times[40+i] = epoch + 17
	}
	t.Run("a dependable order is walked to the end", func(t *testing.T) {
		t.Parallel()
		for _, o := range []ordering{newest, oldest, hashed, byUpdate} {
			c := newServer(times, o, 10).config()
			c.Offset = true
			require.Len(t, drain(t, c), 70, "%s", o)
		}
	})
	t.Run("an order that changes leaves a gap", func(t *testing.T) {
		t.Parallel()
		c := newServer(times, random, 10).config()
		c.Offset = true
		objects, err := result(c)
		var incomplete *Incomplete
		require.ErrorAs(t, err, &incomplete)
		require.Len(t, incomplete.Gaps, 1)
		gap := incomplete.Gaps[0]
		require.Equal(t, 31, gap.Count)
		require.Greater(t, gap.Seen, 10)
		require.Len(t, objects, 39+gap.Seen)
	})
}

func TestErrorsAreTerminal(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for _, parallel := range []int{1, 4} {
		t.Run(fmt.Sprintf("an error of List comes as it is, parallel %d", parallel), func(t *testing.T) {
			t.Parallel()
			s := newServer(seconds(1000), hashed, 10)
			c := s.config()
			c.Parallel = parallel
			n, after := 0, 0
			for _, err := range All(context.Background(), c) {
				if after++; err != nil {
					require.Same(t, refused, err)
					after = 0
					continue
				}
				if n++; n == 100 {
					s.fail(refused)
				}
			}
			require.Zero(t, after, "something followed the error")
			require.Less(t, n, 1000)
		})
	}
	t.Run("a context that is done asks nothing", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		s := newServer(seconds(100), newest, 10)
		for _, err := range All(ctx, s.config()) {
			require.ErrorIs(t, err, context.Canceled)
		}
		require.Zero(t, s.requests)
	})
}

func TestMaxRequests(t *testing.T) {
	t.Parallel()
	for _, parallel := range []int{1, 4} {
		s := newServer(seconds(1000), newest, 10)
		c := s.config()
		c.Parallel, c.MaxRequests = parallel, 7
		objects, err := result(c)
		var limit *LimitError
		require.ErrorAs(t, err, &limit)
		require.Equal(t, 7, limit.MaxRequests)
		require.Equal(t, 7, s.requests)
		require.NotEmpty(t, objects, "what was paid for is yielded")
	}
}

func TestBreakStopsTheRequests(t *testing.T) {
	t.Parallel()
	s := newServer(seconds(1000), newest, 10)
	n := 0
	for _, err := range All(context.Background(), s.config()) {
		require.NoError(t, err)
		if n++; n == 25 {
			break
		}
	}
	require.LessOrEqual(t, s.requests, 4)
}

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, o := range orderings {
		for _, parallel := range []int{1, 4} {
			c := newServer(seconds(1000), o, 10).config()
			c.Parallel = parallel
			before, last, total := 0, 0, 0
			c.Progress = func(done, of int) {
				require.Greater(t, done, before, "progress never falls")
				require.Equal(t, 1000, of)
				before, last, total = done, done, of
			}
			drain(t, c)
			require.Equal(t, total, last)
			require.Equal(t, 1000, last)
		}
	}
}

// Where objects vanish on the way, progress still ends at its total.
func TestProgressEndsAtTheTotal(t *testing.T) {
	t.Parallel()
	s := newServer(seconds(40), hashed, 10)
	s.now = epoch + 60 // all of it is too new for counts, so a deletion is nothing to report
	s.disturb = func(s *server) {
		if s.requests == 2 {
			s.objects = s.objects[:len(s.objects)-5]
		}
	}
	c := s.config()
	var last, total int
	c.Progress = func(done, of int) { last, total = done, of }
	require.Len(t, drain(t, c), 35)
	require.Equal(t, 35, last)
	require.Equal(t, 35, total)
}

// Without a Date header no count is trusted: more requests, and still everything.
func TestNoDate(t *testing.T) {
	t.Parallel()
	for _, o := range orderings {
		s := newServer(seconds(500), o, 10)
		c := s.config()
		c.List = func(ctx context.Context, w Window, offset int) (Page[object], error) {
			p, err := s.list(ctx, w, offset)
			p.Date = time.Time{}
			return p, err
		}
		require.Len(t, drain(t, c), 500, "%s", o)
		require.Less(t, s.requests, 4*50, "%s", o)
	}
}

// An object deleted on the way shows as a count that does not add up, never as nothing.
func TestDeletionIsReported(t *testing.T) {
	t.Parallel()
	for _, o := range orderings {
		s := newServer(seconds(500), o, 10)
		s.disturb = func(s *server) {
			if s.requests == 20 {
				s.objects = append(s.objects[:240:240], s.objects[260:]...)
			}
		}
		objects, err := result(s.config())
		var incomplete *Incomplete
		require.ErrorAs(t, err, &incomplete, "%s", o)
		lost := 0
		for _, gap := range incomplete.Gaps {
			require.Equal(t, ReasonCount, gap.Reason)
			if o == newest || o == oldest {
				require.Greater(t, gap.From, int64(Past))
				require.Less(t, gap.To-gap.From, int64(50), "the range is named where the order tells it")
			}
			lost += gap.Count - gap.Seen
		}
		require.Equal(t, 500-len(objects), lost, "%s", o)
	}
}

// A service whose counts stop at a limit, as search engines do, is found out.
func TestCappedCounts(t *testing.T) {
	t.Parallel()
	for _, o := range orderings {
		s := newServer(seconds(1000), o, 10)
		s.count = func(total int) int { return min(total, 100) }
		_, err := result(s.config())
		var incomplete *Incomplete
		require.ErrorAs(t, err, &incomplete, "%s", o)
		require.Equal(t, ReasonCount, incomplete.Gaps[len(incomplete.Gaps)-1].Reason)
	}
}

// Answers from which nothing can be learnt end in a gap, not in a loop.
func TestNonsenseEnds(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		answer func(Window, Page[object]) Page[object]
	}{
		{"empty pages that have more", func(_ Window, p Page[object]) Page[object] { p.Items, p.HasMore = nil, true; return p }},
		{"always more", func(_ Window, p Page[object]) Page[object] { p.HasMore = true; return p }},
		{"never more", func(_ Window, p Page[object]) Page[object] { p.HasMore = false; return p }},
		{"no counts", func(_ Window, p Page[object]) Page[object] { p.Total = 0; return p }},
		{"negative counts", func(_ Window, p Page[object]) Page[object] { p.Total = -p.Total; return p }},
		{"huge counts", func(_ Window, p Page[object]) Page[object] { p.Total = math.MaxInt; return p }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, o := range orderings {
				s := newServer(seconds(200), o, 10)
				s.answer = tt.answer
				c := s.config()
				c.MaxRequests = 2000
				_, err := result(c)
				var incomplete *Incomplete
				require.ErrorAs(t, err, &incomplete, "%s", o)
			}
		})
	}
}

// A service that ignores the range answers with what was not asked for: it is not yielded twice, and the rest is a gap.
func TestBoundsIgnored(t *testing.T) {
	t.Parallel()
	for _, o := range orderings {
		s := newServer(seconds(200), o, 10)
		c := s.config()
		c.List = func(ctx context.Context, _ Window, _ int) (Page[object], error) { return s.list(ctx, everything, 0) }
		c.MaxRequests = 2000
		objects, err := result(c)
		var incomplete *Incomplete
		require.ErrorAs(t, err, &incomplete, "%s", o)
		require.LessOrEqual(t, len(objects), 200)
	}
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	gap := Gap{From: epoch, To: epoch, Count: 31, Seen: 10, Reason: ReasonSecond}
	tests := []struct {
		err  error
		want string
	}{
		{&LimitError{MaxRequests: 7}, "scan: stopped after 7 requests, the limit the caller set, before everything was seen"},
		{&Incomplete{Gaps: []Gap{gap}}, "scan: incomplete in 1 ranges of created_at; [gte]=1600000000 [lte]=1600000000: 10 of 31 seen, " + ReasonSecond},
		{&Incomplete{Gaps: []Gap{{From: Past, To: Future, Reason: "r"}, {From: 1, To: Future, Reason: "r"}, {From: Past, To: 9, Reason: "r"}, gap, gap}},
			"scan: incomplete in 5 ranges of created_at; all: 0 of 0 seen, r; [gte]=1: 0 of 0 seen, r; [lte]=9: 0 of 0 seen, r; and 2 more"},
	}
	for _, tt := range tests {
		require.EqualError(t, tt.err, tt.want)
	}
}
