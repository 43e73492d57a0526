package scan

// walk follows an ordered service through a window, page by page. Each step asks for the rest behind the page; the count of the
// window less that of the rest is what the step leaves behind, and must be what the page showed of it.
func (e *engine[T]) walk(w Window, p Page[T], dir order) error {
	for {
		if done, err := e.settled(w, p); done {
			return err
		}
		times := e.times(p.Items)
		end := times[len(times)-1]
		shown, rest := dir.split(w, end, again(times))
		if rest.empty() || !dir.fits(times) {
			return e.sweep(w, p.Total, p.Items, true)
		}
		if e.hungry(p.Total) {
			var err error
			if w, p, err = e.share(w, p, dir); err != nil {
				return err
			}
			continue
		}
		next, err := e.fetch(rest)
		if err != nil {
			return err
		}
		if err := e.leave(shown, end, p.Total-next.Total, p.Items, dir); err != nil {
			return err
		}
		w, p = rest, next
	}
}

// again decides whether the rest begins with the second in which the page ended, which repeats its objects, or behind it,
// which costs a repair if the page cut that second. The chance of a cut is read from the page: how often does the next object
// share the second of the one before?
func again(times []int64) bool {
	run, ties := 1, 0
	for i := 1; i < len(times); i++ {
		if times[i] == times[i-1] {
			ties++
			run++
		} else {
			run = 1
		}
	}
	cut := float64(ties) / float64(len(times)-1)
	if run > 1 {
		cut = 0.5
	}
	return float64(run)/float64(len(times)) < cut
}

// leave settles the window behind a step. Where the count is not that of the page's part, the page cut its last second, or the
// order is not what it seems, or the collection changed.
func (e *engine[T]) leave(shown Window, end int64, left int, items []T, dir order) error {
	part := e.within(shown, items)
	if left != len(part) && shown.holds(end) {
		n, err := e.wholeSecond(end)
		if err != nil {
			return err
		}
		shown, _ = dir.split(shown, end, true)
		left, part = left-n, e.within(shown, part)
	}
	if left == len(part) {
		return e.emit(part)
	}
	return e.sweep(shown, left, part, false)
}

// wholeSecond reads one second and returns for how many objects it accounts.
func (e *engine[T]) wholeSecond(second int64) (int, error) {
	w := Window{second, second}
	p, err := e.fetch(w)
	switch {
	case err != nil:
		return 0, err
	case p.HasMore:
		return e.second(w, p)
	}
	return len(p.Items), e.emit(p.Items)
}
