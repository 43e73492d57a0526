package scan

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
)

// errBreak carries the caller's break out of the engine.
var errBreak = errors.New("scan: the caller stopped")

// engine is one run of All. What the workers of a parallel run share is atomic, behind mu, or written before a second worker
// gets anything to do (frozen, counts).
type engine[T any] struct {
	Config[T]
	ctx   context.Context
	queue *queue
	out   func([]T) error // hands a batch to the goroutine of the caller
	yield func(T) bool

	frozen int64  // the last second whose counts are exact; Past if there is none
	counts Window // the range whose completeness rests on counts: Bounds up to frozen, or more

	requests atomic.Int64
	size     atomic.Int64 // the longest page that had more behind it
	total    atomic.Int64 // total_count of the first answer, for Progress
	broken   atomic.Bool  // a count contradicted its own answer: trust none any more
	reach    atomic.Int64 // see halfway

	mu    sync.Mutex
	gaps  []Gap
	count int // objects of counts by total_count
	seen  int // those of them that were yielded
	lost  int // those of them that are in a gap
	done  int // objects yielded
}

func newEngine[T any](ctx context.Context, c Config[T]) *engine[T] {
	e := &engine[T]{Config: c, ctx: ctx, queue: newQueue(max(1, c.Parallel)), frozen: Past}
	e.out = e.deliver
	e.queue.push(e.start)
	return e
}

// list asks once. What comes back holds each object once and only objects of the window, whatever the service sent.
func (e *engine[T]) list(w Window, offset int) (Page[T], error) {
	if err := e.ctx.Err(); err != nil {
		return Page[T]{}, err
	}
	if n := e.requests.Add(1); e.MaxRequests > 0 && n > int64(e.MaxRequests) {
		return Page[T]{}, &LimitError{MaxRequests: e.MaxRequests}
	}
	p, err := e.List(e.ctx, w, offset)
	if err != nil {
		return Page[T]{}, err
	}
	p.Items = e.sift(w, p.Items)
	return p, nil
}

// fetch lists a window and notes what the answer teaches about the service.
func (e *engine[T]) fetch(w Window) (Page[T], error) {
	p, err := e.list(w, 0)
	if err != nil {
		return p, err
	}
	if w.To <= e.frozen && p.contradictory() {
		e.broken.Store(true)
	}
	if n := int64(len(p.Items)); p.HasMore && n > e.size.Load() {
		e.size.Store(n) // a race between two workers loses an estimate, nothing else
	}
	return p, nil
}

// contradictory reports whether total_count cannot be right beside the objects and has_more of the same answer.
func (p Page[T]) contradictory() bool {
	return p.HasMore != (p.Total > len(p.Items)) || p.Total < len(p.Items)
}

// sift drops what was not asked for, and repetitions within one answer. Across answers the windows are disjoint.
func (e *engine[T]) sift(w Window, items []T) []T {
	ids := make(map[string]struct{}, len(items))
	return slices.DeleteFunc(slices.Clone(items), func(item T) bool {
		id := e.ID(item)
		_, twice := ids[id]
		ids[id] = struct{}{}
		return twice || !w.holds(e.Created(item))
	})
}

// within picks the items that were created in w.
func (e *engine[T]) within(w Window, items []T) []T {
	in := make([]T, 0, len(items))
	for _, item := range items {
		if w.holds(e.Created(item)) {
			in = append(in, item)
		}
	}
	return in
}

// inside counts the items that were created in w.
func (e *engine[T]) inside(w Window, items []T) (n int) {
	for _, item := range items {
		if w.holds(e.Created(item)) {
			n++
		}
	}
	return n
}

func (e *engine[T]) times(items []T) []int64 {
	times := make([]int64, len(items))
	for i, item := range items {
		times[i] = e.Created(item)
	}
	return times
}

// emit settles objects: they are seen whole, and go to the caller.
func (e *engine[T]) emit(items []T) error {
	if len(items) == 0 {
		return nil
	}
	e.mu.Lock()
	e.seen += e.inside(e.counts, items)
	e.mu.Unlock()
	return e.out(items)
}

// deliver runs on the goroutine of the caller.
func (e *engine[T]) deliver(items []T) error {
	for _, item := range items {
		if !e.yield(item) {
			return errBreak
		}
	}
	e.done += len(items)
	if e.Progress != nil {
		e.Progress(e.done, max(e.done, int(e.total.Load())))
	}
	return nil
}

// expect adds objects, by an exact count, to those that have to be yielded.
func (e *engine[T]) expect(count int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.count += count
}

// gap records a window that is given up, of which seen objects were yielded.
func (e *engine[T]) gap(w Window, count, seen int, reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gaps = append(e.gaps, Gap{w.From, w.To, count, seen, reason})
	if w.To <= e.frozen {
		e.lost += count - seen
	}
}

// finish has the last word: complete, or what is not.
func (e *engine[T]) finish() error {
	if !e.counts.empty() && (e.seen+e.lost != e.count || e.broken.Load()) {
		e.gaps = append(e.gaps, Gap{e.counts.From, e.counts.To, e.count, e.seen, ReasonCount})
	}
	if len(e.gaps) > 0 {
		return &Incomplete{Gaps: e.gaps}
	}
	if e.Progress != nil && e.done < int(e.total.Load()) {
		e.Progress(e.done, e.done)
	}
	return nil
}
