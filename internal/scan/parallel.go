package scan

import (
	"context"
	"sync"
)

// runHere works through the queue on the goroutine of the caller.
func (e *engine[T]) runHere() error {
	for work := e.queue.next(); work != nil; work = e.queue.next() {
		if err := work(); err != nil {
			return err
		}
	}
	return e.finish()
}

// runParallel lets workers fetch while the goroutine of the caller yields. A batch changes hands only when the caller is ready
// for it, so no more than one batch for each worker waits.
func (e *engine[T]) runParallel(cancel context.CancelFunc) error {
	batches, failed := make(chan []T), make(chan error, 1)
	e.out = func(items []T) error {
		select {
		case batches <- items:
			return nil
		case <-e.ctx.Done():
			return e.ctx.Err()
		}
	}
	stop := func(err error) {
		select {
		case failed <- err:
		default: // the first error counts
		}
		cancel()
		e.queue.close()
	}
	var workers sync.WaitGroup
	for range e.Parallel {
		workers.Go(func() {
			for work := e.queue.next(); work != nil; work = e.queue.next() {
				if err := work(); err != nil {
					stop(err)
				}
			}
		})
	}
	go func() { workers.Wait(); close(batches) }()
	for items := range batches {
		if err := e.deliver(items); err != nil {
			stop(err)
			for range batches {
			}
			return err
		}
	}
	select {
	case err := <-failed:
		return err
	default:
		return e.finish()
	}
}

// hungry reports whether a window of this many objects should be shared: another worker has nothing to do.
func (e *engine[T]) hungry(count int) bool {
	return e.queue.hungry() && int64(count) >= 4*e.size.Load()
}

// share asks for one side of a window, leaves it to another worker, and returns the other side with what the difference of the
// counts says of it.
func (e *engine[T]) share(w Window, p Page[T], after int64, keepNewer bool) (Window, Page[T], error) {
	far, near := w.cut(w.inner(after))
	if !keepNewer {
		far, near = near, far
	}
	q, err := e.fetch(far)
	if err != nil {
		return w, p, err
	}
	e.queue.push(func() error { return e.exact(far, q) })
	p.Items = e.within(near, p.Items)
	p.Total -= q.Total
	p.HasMore = p.Total != len(p.Items)
	return near, p, nil
}

// ahead guesses the second at which half of the objects of w lie behind a page with these times.
func (o order) ahead(w Window, times []int64, total int) int64 {
	first, last := times[0], times[len(times)-1]
	pages := float64(total) / float64(len(times)) / 2
	if o == newestFirst {
		if w.From != Past {
			return w.From + (last-w.From)/2
		}
		return first - int64(min(float64(first-last)*pages, 1<<40))
	}
	if w.To != Future {
		return last + (w.To-last)/2
	}
	return first + int64(min(float64(last-first)*pages, 1<<40))
}

// share gives the newer half of a sweep's zone away.
func (s *sweep[T]) share(far Window) error {
	q, err := s.e.fetch(far)
	if err != nil {
		return err
	}
	s.e.queue.push(func() error { return s.e.exact(far, q) })
	s.zone.To = far.From - 1
	s.count -= q.Total
	s.marks.shorten(s.zone.To, q.Total)
	return nil
}

// newerHalf is what lies behind the middle of the samples that are spread over the zone, or behind its middle in time. It is empty
// where neither is known.
func (s *sweep[T]) newerHalf() Window {
	rest, spread := Window{s.marks.pos, s.zone.To}, s.marks.samples
	if n := len(s.marks.list); n > 1 {
		spread = spread[s.marks.inside(s.marks.list[n-2]):]
	}
	mid := rest.From + (rest.To-rest.From)/2
	switch {
	case rest.single(), rest.From == Past && len(spread) == 0:
		return Window{Future, Past}
	case len(spread) > 0:
		mid = spread[len(spread)/2].created
	}
	_, far := rest.cut(rest.inner(mid))
	return far
}
