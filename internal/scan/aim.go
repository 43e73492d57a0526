package scan

import "math"

// aim picks the end of the next range to ask: one that should hold nearly a page. Exact counts come first: the range up to base
// fits. Beyond it the cut is guessed, by the samples up to the next mark if that is few pages away, else by the pace of the
// ranges before.
func (s *sweep[T]) aim(size int) int64 {
	limit, next := s.limit(), s.next(size)
	base, fits := s.base(size)
	again := limit < s.zone.To
	room := size - base.count
	switch {
	case next.end == base.end, fits && (again || fill(room) < 1):
		return base.end
	case s.marks.pos == Past && !fits:
		return s.clamp(s.oldest(limit), limit)
	}
	samples := s.marks.samples[s.marks.inside(base):s.marks.inside(next)]
	if next.count-base.count <= few*size && 2*len(samples) >= min(size, next.count-base.count) {
		return s.clamp(quantile(samples, base.end, next.count-base.count, room), limit)
	}
	return s.clamp(s.onward(base, next, room), limit)
}

// base is the farthest mark that fits on a page; without one, nothing before the position.
func (s *sweep[T]) base(size int) (base mark, fits bool) {
	base.end = max(s.marks.pos, Past+1) - 1
	for _, k := range s.marks.list {
		if k.count <= size && !k.over {
			base, fits = k, true
		}
	}
	return base, fits
}

// next is the first mark that does not fit, or else the zone.
func (s *sweep[T]) next(size int) mark {
	for _, k := range s.marks.list {
		if k.count > size || k.over {
			return k
		}
	}
	return s.marks.zone()
}

// limit is the last second worth asking up to: a range that held more than a page is not asked a second time.
func (s *sweep[T]) limit() int64 {
	for _, k := range s.marks.list {
		if k.over {
			return k.end - 1
		}
	}
	return s.zone.To
}

func (s *sweep[T]) clamp(end, limit int64) int64 { return max(s.marks.pos, min(end, limit)) }

func (s *sweep[T]) oldest(limit int64) int64 {
	if len(s.marks.samples) == 0 {
		return limit
	}
	return s.marks.samples[0].created
}

// onward goes beyond base at the recent pace while that proves right; else it probes for several pages at the long-term pace.
func (s *sweep[T]) onward(base, next mark, room int) int64 {
	from := float64(base.end)
	if base.end == Past {
		from = float64(next.end)
	}
	width := float64(next.end) - from
	linear := float64(next.count-base.count) / width
	seconds := fill(room) / s.pace.density(linear)
	if s.pace.trust < 0.5 {
		seconds = probe * float64(room) / s.long.density(linear)
	}
	s.guess = true
	if seconds >= width {
		seconds = fill(room) / linear
	}
	return base.end + int64(min(seconds, width))
}

var probe, few, trustDecay = 4.0, 8, 0.7

// quantile cuts between two samples of a range that holds count objects: the samples before the cut are known, and of the others as
// many should lie there as the share of the samples says.
func quantile[T any](samples []sample[T], base int64, count, room int) int64 {
	hidden, cut := float64(count-len(samples)), 0
	for n := range samples {
		share := float64(n+1) / float64(len(samples)+1)
		expect := float64(n) + hidden*share
		if expect+caution*math.Sqrt(hidden*share*(1-share)) > float64(room) {
			break
		}
		cut = n
	}
	at := samples[cut].created
	if cut == 0 || at == samples[0].created {
		return at
	}
	return at - 1
}

// caution is how many standard deviations of room a range leaves on a page.
var caution = 1.0

// fill is the number of objects to aim at so that chance seldom overflows the room: t + caution * sqrt(t) = room.
func fill(room int) float64 {
	root := (math.Sqrt(caution*caution+4*float64(max(0, room))) - caution) / 2
	return root * root
}

// pace is the density of the recent ranges: objects over seconds, older ranges fading.
type pace struct{ objects, seconds, trust float64 }

func (p *pace) judge(good bool) {
	p.trust *= trustDecay
	if good {
		p.trust += 1 - trustDecay
	}
}

func (p *pace) learn(w Window, objects int, decay float64) {
	if w.From == Past {
		return
	}
	p.objects = decay*p.objects + float64(objects)
	p.seconds = decay*p.seconds + float64(w.To-w.From) + 1
}

var decay, longDecay = 0.8, 0.97

func (p *pace) density(otherwise float64) float64 {
	if p.objects == 0 {
		return otherwise
	}
	return p.objects / p.seconds
}
