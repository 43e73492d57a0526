package scan

import "sync"

// queue holds the work that is left, newest first, so that it stays as short as the recursion is deep.
type queue struct {
	mu      sync.Mutex
	change  *sync.Cond
	work    []func() error
	workers int
	idle    int
	closed  bool
}

func newQueue(workers int) *queue {
	q := &queue{workers: workers}
	q.change = sync.NewCond(&q.mu)
	return q
}

func (q *queue) push(f func() error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.work = append(q.work, f)
	q.change.Signal()
}

// next waits for work. It returns nil when all is done, that is when every worker waits, or after close.
func (q *queue) next() func() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.idle++
	for len(q.work) == 0 && !q.closed {
		if q.idle == q.workers {
			q.closeLocked()
			break
		}
		q.change.Wait()
	}
	if q.closed {
		return nil
	}
	q.idle--
	last := len(q.work) - 1
	f := q.work[last]
	q.work[last] = nil // what f holds must not outlive it
	q.work = q.work[:last]
	return f
}

// hungry reports whether a worker waits for which there is nothing to do. With one worker that is never so.
func (q *queue) hungry() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.idle > len(q.work)
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closeLocked()
}

func (q *queue) closeLocked() {
	q.closed = true
	q.change.Broadcast()
}
