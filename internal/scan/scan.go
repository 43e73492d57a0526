package scan

import (
	"context"
	"iter"
	"time"
)

// Margin is how far behind the service's clock counts begin to be trusted. An object can enter the index later than its
// created_at says (observed: some seconds), and a late one beside a cut second would cancel out in a difference of counts.
const Margin = 10 * time.Minute

// Page is one answer of a list: the envelope, and the time of its Date header.
type Page[T any] struct {
	Items   []T
	Total   int       // total_count of what was asked for
	HasMore bool      // has_more
	Date    time.Time // zero without a Date header: then no count is trusted, at about three times the requests
}

// Config says what to enumerate. List, ID and Created are required.
type Config[T any] struct {
	// List asks for the objects created in w, without the first offset of them. It must return an object's created_at
	// unchanged, and errors as the caller shall see them. With Parallel it is called from several goroutines.
	List func(ctx context.Context, w Window, offset int) (Page[T], error)

	ID      func(T) string // identifier, unique in the collection
	Created func(T) int64  // created_at in Unix seconds; must never change

	Bounds      Window // the caller's own range; Window{Past, Future} for all
	Parallel    int    // requests in flight at most; below 2 there is no goroutine
	MaxRequests int    // requests in all; 0 for no limit. Passing it is a *LimitError

	// Offset allows to page through one second that holds more than a page by offset. Otherwise offset is always 0.
	Offset bool

	// Progress is called from the goroutine of the caller of All after each batch. done never falls and ends at total
	// unless the enumeration ends in an error; total is the total_count of the first answer, or done once that is larger.
	Progress func(done, total int)
}

// All yields every object of the collection once, in no promised order, though in that of the service where it has one.
//
// The error is the last thing yielded, beside a zero T: an error of List as it came, the context's error, *LimitError, or,
// after everything that could be seen, *Incomplete. Without an error everything that existed when the range began was yielded.
// Breaking out of the loop stops the requests; no goroutine outlives the loop.
func All[T any](ctx context.Context, c Config[T]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		e := newEngine(ctx, c)
		e.yield = func(item T) bool { return yield(item, nil) }
		run := e.runHere
		if c.Parallel > 1 {
			run = func() error { return e.runParallel(cancel) }
		}
		if err := run(); err != nil && err != errBreak {
			var none T
			yield(none, err)
		}
	}
}
