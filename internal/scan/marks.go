package scan

import (
	"cmp"
	"slices"
)

// A mark is an exact count: that many objects lie between the sweep's position and end.
type mark struct {
	end   int64
	count int
	over  bool // the range from this very position up to end was asked, and is more than a page
	at    int  // when: the number of the answer
}

// A sample is an object from a page that had more, not yet yielded.
type sample[T any] struct {
	item    T
	id      string
	created int64
	at      int // the number of the last answer that showed it
}

// marks is what a sweep knows of the rest of its zone. The list ascends by end, and its last is the zone; samples ascend by time.
// Both are few: a mark inside another holds at most part of its objects, and each brought at most a page of samples.
type marks[T any] struct {
	pos     int64
	list    []mark
	samples []sample[T]
	answers int
}

func (m *marks[T]) zone() mark { return m.list[len(m.list)-1] }

// add notes a count and the objects that came with it.
func (m *marks[T]) add(k mark, seen []sample[T]) {
	m.answers++
	k.at = m.answers
	i, same := slices.BinarySearchFunc(m.list, k.end, func(k mark, end int64) int { return cmp.Compare(k.end, end) })
	if same {
		m.list[i] = k
	} else {
		m.list = slices.Insert(m.list, i, k)
	}
	m.merge(seen)
}

func (m *marks[T]) merge(seen []sample[T]) {
	index := make(map[string]int, len(m.samples))
	for i, s := range m.samples {
		index[s.id] = i
	}
	for _, s := range seen {
		s.at = m.answers
		if i, ok := index[s.id]; ok {
			m.samples[i].at = s.at
		} else {
			m.samples = append(m.samples, s)
		}
	}
	slices.SortStableFunc(m.samples, func(a, b sample[T]) int { return cmp.Compare(a.created, b.created) })
}

// pass moves the position behind end, between which and the position count objects were found.
func (m *marks[T]) pass(end int64, count int) {
	for i := range m.list {
		m.list[i].count -= count
		m.list[i].over = false
	}
	m.list = slices.DeleteFunc(m.list, func(k mark) bool { return k.end <= end })
	m.samples = slices.DeleteFunc(m.samples, func(s sample[T]) bool { return s.created <= end })
	m.pos = end + 1
}

// shorten ends the zone earlier, after count objects behind the new end were given away.
func (m *marks[T]) shorten(end int64, count int) {
	k := m.zone()
	k.end, k.count, k.over = end, k.count-count, false
	m.list = append(slices.DeleteFunc(m.list, func(k mark) bool { return k.end >= end }), k)
	m.samples = slices.DeleteFunc(m.samples, func(s sample[T]) bool { return s.created > end })
}

// inside is the number of samples up to a mark's end.
func (m *marks[T]) inside(k mark) int {
	n, _ := slices.BinarySearchFunc(m.samples, k.end, func(s sample[T], end int64) int {
		if s.created <= end {
			return -1
		}
		return 1
	})
	return n
}

// proven counts the samples up to a mark's end that are evidence for it: they were seen with it or later, so they existed when
// it was counted. An object seen before may have been deleted since, and would hide one that was not seen.
func (m *marks[T]) proven(k mark) (n int) {
	for _, s := range m.samples[:m.inside(k)] {
		if s.at >= k.at {
			n++
		}
	}
	return n
}

// complete returns the objects up to the first mark, if all of them are known.
func (m *marks[T]) complete() ([]T, bool) {
	k := m.list[0]
	if m.proven(k) != k.count {
		return nil, false
	}
	items := make([]T, 0, k.count)
	for _, s := range m.samples[:m.inside(k)] {
		if s.at >= k.at {
			items = append(items, s.item)
		}
	}
	return items, true
}

// wrong reports whether a count is below what was seen. Deletions make a count too large at most.
func (m *marks[T]) wrong() bool {
	return slices.ContainsFunc(m.list, func(k mark) bool { return k.count < m.proven(k) })
}

func (e *engine[T]) samples(items []T) []sample[T] {
	samples := make([]sample[T], len(items))
	for i, item := range items {
		samples[i] = sample[T]{item: item, id: e.ID(item), created: e.Created(item)}
	}
	return samples
}
