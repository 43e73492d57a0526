package scan

// sweep enumerates a window of the frozen range whose order is unknown, from old to new. It asks for ranges that should hold
// nearly a page. What a range shows that holds more is not lost: its count becomes a mark, its objects become samples.
type sweep[T any] struct {
	e     *engine[T]
	zone  Window
	marks marks[T]
	pace  pace
	count int // total_count of the zone
	found int // objects yielded
	given int // objects that the gaps account for
}

// sweep enumerates w, of which total objects are counted and some known from the answer that was counted. With over, that
// answer was to w itself and had more.
func (e *engine[T]) sweep(w Window, total int, known []T, over bool) error {
	s := &sweep[T]{e: e, zone: w, count: total}
	s.marks.pos = w.From
	s.marks.add(mark{end: w.To, count: total, over: over}, e.samples(known))
	for len(s.marks.list) > 0 {
		if s.marks.wrong() {
			e.broken.Store(true)
		}
		if e.broken.Load() {
			return e.plainly(Window{s.marks.pos, s.zone.To})
		}
		if err := s.step(); err != nil {
			return err
		}
	}
	if s.found+s.given != s.count {
		e.gap(s.zone, s.count-s.given, s.found, ReasonCount)
	}
	return nil
}

// step settles the next range without a request if it is known, shares the zone if another worker has nothing to do, or asks.
func (s *sweep[T]) step() error {
	if known, ok := s.marks.complete(); ok && s.given == 0 { // behind a gap, whose count nothing confirms, everything is asked
		return s.settle(s.marks.list[0].end, known)
	}
	if far := s.newerHalf(); !far.empty() && s.e.hungry(s.marks.zone().count) {
		return s.share(far)
	}
	size := int(s.e.size.Load())
	w := Window{s.marks.pos, s.aim(size)}
	p, err := s.e.fetch(w)
	if err != nil {
		return err
	}
	s.pace.judge(p.Total, size)
	return s.take(w, p)
}

// take deals with the answer to a range.
func (s *sweep[T]) take(w Window, p Page[T]) error {
	switch {
	case !p.HasMore:
		return s.settle(w.To, p.Items)
	case len(p.Items) == 0:
		s.e.gap(w, p.Total, 0, ReasonEmpty)
		s.give(w.To, p.Total)
	case w.single():
		n, err := s.e.second(w, p)
		s.give(w.To, n)
		return err
	default:
		s.marks.add(mark{end: w.To, count: p.Total, over: true}, s.e.samples(p.Items))
	}
	return nil
}

func (s *sweep[T]) settle(end int64, items []T) error {
	s.pace.learn(Window{s.marks.pos, end}, len(items))
	s.marks.pass(end, len(items))
	s.found += len(items)
	return s.e.emit(items)
}

func (s *sweep[T]) give(end int64, count int) {
	s.marks.pass(end, count)
	s.given += count
}
