package scan

// start asks for everything once. If one page holds it, that is all. Otherwise the service's clock freezes the range in which
// counts are exact, and the newer rest is read by has_more alone.
func (e *engine[T]) start() error {
	if e.Bounds.empty() {
		return nil
	}
	p, err := e.fetch(e.Bounds)
	if err != nil {
		return err
	}
	e.total.Store(int64(p.Total))
	if !p.HasMore {
		return e.onePage(p)
	}
	if !p.Date.IsZero() {
		e.frozen = p.Date.Add(-Margin).Unix()
	}
	old, hot := e.Bounds.cut(e.frozen)
	e.counts = old
	e.broken.Store(p.contradictory())
	switch last := e.last(p); {
	case old.empty():
		return e.plain(hot, p)
	case hot.empty():
		return e.counted(old, p)
	case e.dir(p) == newestFirst && last <= e.frozen:
		return e.fromTop(p, last)
	}
	return e.fromHot(p, old, hot)
}

// onePage settles an answer that holds everything.
func (e *engine[T]) onePage(p Page[T]) error {
	if err := e.emit(p.Items); err != nil {
		return err
	}
	if p.Total != len(p.Items) {
		e.gap(e.Bounds, p.Total, len(p.Items), ReasonCount)
	}
	return nil
}

// fromHot reads the newer zone first. If nothing is there, the first page is already one of the frozen range, and its count
// too: what could have been deleted since only makes that count too large, which shows.
func (e *engine[T]) fromHot(p Page[T], old, hot Window) error {
	top, err := e.fetch(hot)
	if err != nil {
		return err
	}
	quiet := !top.HasMore && top.Total == 0 && e.inside(hot, top.Items)+e.inside(hot, p.Items) == 0
	if !quiet {
		e.queue.push(func() error { return e.plain(hot, top) })
		if p, err = e.fetch(old); err != nil {
			return err
		}
	}
	return e.counted(old, p)
}

// fromTop saves the hot zone a request where the first page, newest first, reaches below it. The rest is frozen, so its count
// held when the first page was made. If the first count less the rest's is what the page showed above the rest, nothing
// was hidden there, neither in the hot zone nor below. The end's second is asked again: a count that an insert had reached
// before the page could otherwise cancel out against a cut second.
func (e *engine[T]) fromTop(p Page[T], last int64) error {
	shown, rest := newestFirst.split(e.Bounds, last, true)
	next, err := e.fetch(rest)
	if err != nil {
		return err
	}
	part := e.within(shown, p.Items)
	if p.Total-next.Total != len(part) {
		return e.apart(shown, rest, next)
	}
	e.counts = e.Bounds
	e.expect(len(part))
	if err := e.emit(part); err != nil {
		return err
	}
	return e.counted(rest, next)
}

// apart reads a window that reaches into the hot zone as its two halves, beside the rest.
func (e *engine[T]) apart(shown, rest Window, next Page[T]) error {
	old, hot := shown.cut(e.frozen)
	e.queue.push(func() error { return e.counted(rest, next) })
	e.queue.push(func() error { return e.plainly(hot) })
	p, err := e.fetch(old)
	if err != nil {
		return err
	}
	return e.counted(old, p)
}

// counted enumerates a window of the frozen range from its first page, whose count joins what is expected.
func (e *engine[T]) counted(w Window, p Page[T]) error {
	e.expect(p.Total)
	return e.exact(w, p)
}

// exact enumerates a window of the frozen range from its first page.
func (e *engine[T]) exact(w Window, p Page[T]) error {
	if done, err := e.settled(w, p); done {
		return err
	}
	if dir := e.dir(p); dir != unordered {
		return e.walk(w, p, dir)
	}
	return e.sweep(w, p.Total, p.Items, true)
}

// settled deals with the answers after which nothing is left to ask.
func (e *engine[T]) settled(w Window, p Page[T]) (bool, error) {
	switch {
	case !p.HasMore:
		return true, e.emit(p.Items)
	case len(p.Items) == 0:
		e.gap(w, p.Total, 0, ReasonEmpty)
		return true, nil
	case e.broken.Load():
		return true, e.plain(w, p)
	}
	return false, nil
}

func (e *engine[T]) dir(p Page[T]) order { return orderOf(e.times(p.Items)) }

// last is the second in which a page ends, Future for an empty page.
func (e *engine[T]) last(p Page[T]) int64 {
	if len(p.Items) == 0 {
		return Future
	}
	return e.Created(p.Items[len(p.Items)-1])
}
