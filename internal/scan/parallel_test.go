package scan

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// timed enumerates 10,000 objects, 400 pages, from a service that takes 50 ms, in virtual time.
func timed(t *testing.T, sh shape, o ordering, parallel int) (took time.Duration, s *server) {
	synctest.Test(t, func(t *testing.T) {
		s = newServer(sh.times(10_000, rand.New(rand.NewPCG(1, 2))), o, 25)
		s.delay = 50 * time.Millisecond
		c := s.config()
		c.Parallel = parallel
		begin := time.Now()
		require.Len(t, drain(t, c), 10_000)
		took = time.Since(begin)
	})
	return took, s
}

func TestParallelSpeed(t *testing.T) {
	t.Parallel()
	for _, o := range []ordering{newest, oldest, hashed, random} {
		t.Run(o.String(), func(t *testing.T) {
			alone, one := timed(t, shapes[0], o, 1)
			together, eight := timed(t, shapes[0], o, 8)
			t.Logf("%.2f times as fast, %d instead of %d requests", float64(alone)/float64(together), eight.requests, one.requests)
			require.GreaterOrEqual(t, float64(alone)/float64(together), 6.0)
			require.LessOrEqual(t, float64(eight.requests), 1.2*float64(one.requests))
			require.Equal(t, 1, one.most)
			require.Equal(t, 8, eight.most, "requests in flight")
		})
	}
}

// However a parallel enumeration ends, its goroutines end with it: a bubble of synctest does not end before them.
func TestParallelEnds(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	tests := []struct {
		name  string
		after int // objects, then:
		stop  func(cancel context.CancelFunc, s *server) (leave bool)
		want  error
	}{
		{"by break at once", 1, func(context.CancelFunc, *server) bool { return true }, nil},
		{"by break", 500, func(context.CancelFunc, *server) bool { return true }, nil},
		{"by cancel", 500, func(cancel context.CancelFunc, _ *server) bool { cancel(); return false }, context.Canceled},
		{"by an error of the service", 500, func(_ context.CancelFunc, s *server) bool { s.fail(refused); return false }, refused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(shapes[0].times(5_000, rand.New(rand.NewPCG(1, 2))), hashed, 25)
				s.delay = 50 * time.Millisecond
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c := s.config()
				c.Parallel = 8
				err := enumerate(ctx, c, tt.after, func() bool { return tt.stop(cancel, s) })
				require.ErrorIs(t, err, tt.want)
				requests := s.asked()
				time.Sleep(time.Minute)
				synctest.Wait()
				require.Equal(t, requests, s.asked(), "requests after the end")
			})
		})
	}
}

// enumerate calls stop after so many objects, leaves if it says so, and returns the last error.
func enumerate(ctx context.Context, c Config[object], after int, stop func() bool) (last error) {
	n := 0
	for _, err := range All(ctx, c) {
		if last = err; err != nil {
			continue
		}
		if n++; n == after && stop() {
			break
		}
	}
	return last
}

// A caller who takes time is not flooded: while it holds an object, at most one page for each worker waits.
func TestParallelWaitsForTheCaller(t *testing.T) {
	t.Parallel()
	for _, o := range []ordering{newest, hashed} {
		t.Run(o.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newServer(shapes[0].times(10_000, rand.New(rand.NewPCG(1, 2))), o, 25)
				s.delay = time.Millisecond
				c := s.config()
				c.Parallel = 8
				for range All(t.Context(), c) {
					time.Sleep(time.Hour)
					require.Less(t, s.asked(), 100, "requests while the caller is busy")
					break
				}
			})
		})
	}
}

func TestQueue(t *testing.T) {
	t.Parallel()
	t.Run("one worker is never hungry", func(t *testing.T) {
		t.Parallel()
		q := newQueue(1)
		q.push(func() error { return nil })
		require.NotNil(t, q.next())
		require.False(t, q.hungry())
		require.Nil(t, q.next(), "nobody is left who could push")
	})
	t.Run("a worker waits for another that may still push", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			q, got := newQueue(2), fmt.Errorf("pushed")
			q.push(func() error { return nil })
			q.next()
			done := make(chan error)
			go func() { done <- q.next()() }()
			synctest.Wait()
			require.True(t, q.hungry())
			q.push(func() error { return got })
			require.Equal(t, got, <-done)
			require.False(t, q.hungry())
		})
	})
	t.Run("close sends everybody home", func(t *testing.T) {
		t.Parallel()
		q := newQueue(2)
		q.push(func() error { return nil })
		q.close()
		require.Nil(t, q.next())
	})
}

// Nobody tells how far back the collection goes, and a burst on the first page suggests seconds: the guesses must grow.
func TestParallelFindsThePast(t *testing.T) {
	t.Parallel()
	alone, one := timed(t, shapes[1], newest, 1)
	together, eight := timed(t, shapes[1], newest, 8)
	require.GreaterOrEqual(t, float64(alone)/float64(together), 4.5)
	require.LessOrEqual(t, float64(eight.requests), 1.2*float64(one.requests))
}
