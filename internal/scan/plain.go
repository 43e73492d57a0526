package scan

import "slices"

// plainly enumerates a window by has_more alone: where counts move, or lie.
func (e *engine[T]) plainly(w Window) error {
	if w.empty() {
		return nil
	}
	p, err := e.fetch(w)
	if err != nil {
		return err
	}
	return e.plain(w, p)
}

// plain divides a window until no answer has more.
func (e *engine[T]) plain(w Window, p Page[T]) error {
	switch {
	case !p.HasMore:
		if w.To > e.frozen && p.contradictory() { // in the frozen range every contradiction is reported at the end
			e.gap(w, p.Total, len(p.Items), ReasonCount)
		}
		return e.emit(p.Items)
	case len(p.Items) == 0:
		e.gap(w, p.Total, 0, ReasonEmpty)
		return nil
	case w.single():
		_, err := e.second(w, p)
		return err
	}
	older, newer := w.cut(w.inner(divide(e.times(p.Items))))
	e.queue.push(func() error { return e.plainly(older) })
	e.queue.push(func() error { return e.plainly(newer) })
	return nil
}

// divide picks the second after which to cut a window whose first page has these times: where an ordered page ends, so that
// one side is what the page showed less its last second, else in the middle of the page.
func divide(times []int64) int64 {
	switch orderOf(times) {
	case newestFirst:
		return times[len(times)-1]
	case oldestFirst:
		return times[len(times)-1] - 1
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)/2]
}
