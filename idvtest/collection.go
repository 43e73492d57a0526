package idvtest

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// collection holds the objects of one kind, test and live apart.
type collection struct {
	kind  *kind
	words vocabulary
	modes map[bool]*shelf // by livemode
	count int64
}

// shelf is one mode's half of a collection. The list is sorted by creation when it is next read, so that seeding stays cheap.
type shelf struct {
	byID   map[string]*record
	sorted []*record
	dirty  bool
}

func newCollection(k *kind) *collection {
	return &collection{kind: k, modes: map[bool]*shelf{
		false: {byID: map[string]*record{}},
		true:  {byID: map[string]*record{}},
	}}
}

// add files a record; one that has the same id makes way.
func (c *collection) add(r *record) {
	c.count++
	r.ordinal = c.count
	s := c.modes[r.live]
	if old, taken := s.byID[r.id]; taken {
		s.sorted = slices.DeleteFunc(s.sorted, func(other *record) bool { return other == old })
	}
	if n := len(s.sorted); n > 0 && byCreation(s.sorted[n-1], r) > 0 {
		s.dirty = true
	}
	s.sorted = append(s.sorted, r)
	s.byID[r.id] = r
}

// find returns the object of that id in that mode: the other mode's objects do not exist for a key.
func (c *collection) find(id string, live bool) (*record, error) {
	if r, ok := c.modes[live].byID[id]; ok {
		return r, nil
	}
	return nil, notFound(c.kind.title, id)
}

// created returns the objects created within a span, oldest first. The slice is the collection's own.
func (c *collection) created(live bool, in span) []*record {
	s := c.modes[live]
	if s.dirty {
		slices.SortFunc(s.sorted, byCreation)
		s.dirty = false
	}
	first := sort.Search(len(s.sorted), func(i int) bool { return s.sorted[i].created >= in.low })
	end := sort.Search(len(s.sorted), func(i int) bool { return s.sorted[i].created > in.high })
	return s.sorted[first:max(first, end)]
}

func byCreation(a, b *record) int {
	return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.ordinal, b.ordinal))
}

// span is a range of Unix seconds, both ends included.
type span struct{ low, high int64 }

var anyTime = span{math.MinInt64, math.MaxInt64}

func (s span) holds(t int64) bool { return s.low <= t && t <= s.high }

// narrow applies a comparison of the contract: gt and lt are strict, gte and lte are not.
func (s span) narrow(directive string, t int64) (span, bool) {
	switch directive {
	case "gt":
		if t == math.MaxInt64 {
			return span{1, 0}, true
		}
		s.low = max(s.low, t+1)
	case "gte":
		s.low = max(s.low, t)
	case "lt":
		if t == math.MinInt64 {
			return span{1, 0}, true
		}
		s.high = min(s.high, t-1)
	case "lte":
		s.high = min(s.high, t)
	default:
		return s, false
	}
	return s, true
}
