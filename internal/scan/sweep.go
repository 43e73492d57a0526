package scan

// sweep enumerates a window of the frozen range whose order is unknown, from old to new. It asks for ranges that hold about a page;
// what a range that holds more shows is not lost: its count becomes a mark, its objects become samples.
type sweep[T any] struct {
	e          *engine[T]
	zone       Window
	marks      marks[T]
	pace, long pace
	guess      bool
	found      int // objects yielded
	given      int // objects that gaps account for
	count      int // total_count of the zone
}

// sweep enumerates w, of which total objects are counted and some known from the answer that was counted. It returns how many it
// yielded.
func (e *engine[T]) sweep(w Window, total int, known []T, over bool) (int, error) {
	s := &sweep[T]{e: e, zone: w, count: total}
	s.marks.pos = w.From
	s.pace.trust = 1
	s.marks.add(mark{end: w.To, count: total, over: over}, e.samples(known))
	for len(s.marks.list) > 0 {
		if s.marks.wrong() {
			e.broken.Store(true)
		}
		if e.broken.Load() {
			return s.found, e.plainly(Window{s.marks.pos, s.zone.To})
		}
		if err := s.step(); err != nil {
			return s.found, err
		}
	}
	if s.found+s.given != s.count {
		e.gap(s.zone, s.count-s.given, s.found, ReasonCount)
	}
	return s.found, nil
}

// step settles the next range, or learns from it.
func (s *sweep[T]) step() error {
	if known, ok := s.marks.complete(); ok {
		return s.settle(s.marks.list[0].end, known)
	}
	if w := (Window{s.marks.pos, s.zone.To}); !w.single() && s.e.hungry(s.marks.zone().count) {
		return s.share()
	}
	w := Window{s.marks.pos, s.aim(int(s.e.size.Load()))}
	guess := s.guess
	s.guess = false
	p, err := s.e.fetch(w)
	if size := int(s.e.size.Load()); guess {
		s.pace.judge(p.Total > size/3 && p.Total < 2*size)
	}
	switch {
	case err != nil:
		return err
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
	s.pace.learn(Window{s.marks.pos, end}, len(items), decay)
	s.long.learn(Window{s.marks.pos, end}, len(items), longDecay)
	s.marks.pass(end, len(items))
	s.found += len(items)
	return s.e.emit(items)
}

func (s *sweep[T]) give(end int64, count int) {
	s.marks.pass(end, count)
	s.given += count
}
