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
	go func() {
		e.work(stop)
		close(batches)
	}()
	for items := range batches {
		if err := e.deliver(items); err != nil {
			stop(err)
			for range batches { // until the workers are gone
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

// work runs the workers until the queue closes.
func (e *engine[T]) work(stop func(error)) {
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
	workers.Wait()
}

// hungry reports whether a window of this many objects should be shared: another worker has nothing to do.
func (e *engine[T]) hungry(count int) bool {
	return e.queue.hungry() && int64(count) >= 4*e.size.Load()
}

// share leaves the far side of a walk's window to another worker, and returns the near side with what the difference of the
// counts says of it.
func (e *engine[T]) share(w Window, p Page[T], dir order) (Window, Page[T], error) {
	last := e.last(p)
	mid := w.inner(e.halfway(w, p, dir))
	near, far := w.cut(mid)
	if dir == newestFirst {
		near, far = far, near
	}
	q, err := e.fetch(far)
	if err != nil {
		return w, p, err
	}
	e.queue.push(func() error { return e.exact(far, q) })
	if w.From == Past && 4*q.Total > 3*p.Total {
		e.reach.Store(4 * (last - mid))
	}
	p.Items = e.within(near, p.Items)
	p.Total -= q.Total
	p.HasMore = p.Total != len(p.Items)
	return near, p, nil
}

// halfway guesses the second that has half of the objects of w behind it: the middle in time of what the page left over. A window
// that is open to the past has none. There the page's own density tells how far to go, and after a guess that was too short
// reach does, fourfold.
func (e *engine[T]) halfway(w Window, p Page[T], dir order) int64 {
	first, last := e.Created(p.Items[0]), e.last(p)
	switch {
	case dir == oldestFirst:
		return last + (w.To-last)/2
	case w.From != Past:
		return w.From + (last-w.From)/2
	}
	seconds := float64(first-last) * float64(p.Total) / float64(2*len(p.Items))
	return last - max(e.reach.Load(), int64(min(seconds, 1<<40)))
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

// newerHalf is the second half of the zone's time, or, of a zone that is open to the past, what lies behind the middle of the
// samples. It is empty where nothing can be divided.
func (s *sweep[T]) newerHalf() Window {
	rest, samples := Window{s.marks.pos, s.zone.To}, s.marks.samples
	mid := rest.From + (rest.To-rest.From)/2
	switch {
	case rest.single(), rest.From == Past && len(samples) == 0:
		return Window{Future, Past}
	case rest.From == Past:
		mid = samples[len(samples)/2].created
	}
	_, far := rest.cut(rest.inner(mid))
	return far
}
