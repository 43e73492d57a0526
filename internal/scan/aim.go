package scan

import (
	"math"
	"slices"
)

// aim picks the end of the next range to ask: one that should hold nearly a page. Exact counts come first: the range up to base
// fits. Beyond it the cut is guessed, by the samples up to the next mark if that is few pages away, else by the pace of the
// ranges before.
func (s *sweep[T]) aim(size int) int64 {
	limit, tries := s.limit()
	next := s.next(size)
	base, fits := s.base(size)
	room := size - base.count
	switch {
	case base.end == next.end, fits && (tries > 0 || fill(room) < 1):
		return base.end
	case s.marks.pos == Past && !fits:
		return s.clamp(s.oldest(limit, tries), limit)
	}
	count := next.count - base.count
	samples := s.marks.samples[s.marks.inside(base):s.marks.inside(next)]
	if count <= near*size && 2*len(samples) >= min(size, count) {
		return s.clamp(quantile(samples, count, room), limit)
	}
	return s.clamp(s.onward(base, next, room), limit)
}

// near is how many pages a mark may hold for its samples to be a better guide than the pace.
const near = 32

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

// limit is the last second worth asking up to: a range that held more than a page is not asked a second time. With it comes how
// many ranges from this position did.
func (s *sweep[T]) limit() (limit int64, tries int) {
	limit = s.zone.To
	for _, k := range slices.Backward(s.marks.list) {
		if k.over {
			limit = k.end - 1
			tries++
		}
	}
	return limit, tries
}

func (s *sweep[T]) clamp(end, limit int64) int64 { return max(s.marks.pos, min(end, limit)) }

// oldest begins a zone that is open to the past: at the oldest object known, which is a good guess if pages are drawn from
// everywhere, then ever farther before it, in case they are drawn from the new end.
func (s *sweep[T]) oldest(limit int64, tries int) int64 {
	if len(s.marks.samples) == 0 {
		return limit
	}
	first := s.marks.samples[0].created
	return first - int64(min(float64(s.zone.To-first)*float64(max(0, tries-1)), 1<<50))
}

// onward goes beyond base at the recent pace, or, where that would lead to next, at the one between the two.
func (s *sweep[T]) onward(base, next mark, room int) int64 {
	width, share := float64(next.end)-float64(base.end), fill(room)/float64(next.count-base.count)
	if s.pace.objects > 0 {
		if seconds := s.pace.stride(fill(room)); seconds < width {
			return base.end + int64(seconds)
		}
	}
	return base.end + int64(min(0.5, share*s.pace.leap())*width)
}

// quantile cuts between two samples of a range that holds count objects: the samples before the cut are known, and of the
// others as many should lie there as the share of the samples says.
func quantile[T any](samples []sample[T], count, room int) int64 {
	hidden, cut := float64(count-len(samples)), 0
	for n := range samples {
		share := float64(n+1) / float64(len(samples)+1)
		if float64(n)+hidden*share+math.Sqrt(hidden*share*(1-share))/2 > float64(room) {
			break
		}
		cut = n
	}
	at := samples[cut].created
	if at == samples[0].created {
		return at
	}
	return at - 1
}

// fill is the number of objects to aim at so that chance seldom overflows the room. Half a standard deviation stays free, and
// more on large pages, where it is not chance but the pace that errs.
func fill(room int) float64 {
	if room <= 0 {
		return 0
	}
	caution := 0.5 + 0.08*math.Sqrt(float64(room))
	root := (math.Sqrt(caution*caution+4*float64(room)) - caution) / 2 // root² + caution*root = room
	return root * root
}
