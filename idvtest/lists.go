package idvtest

import (
	"cmp"
	"slices"
)

// Order is the order of lists. The contract promises none; newest first was observed.
type Order int

const (
	// Newest puts what was created last first: the default.
	Newest Order = iota
	// Oldest puts what was created first first.
	Oldest
	// None is an order that has nothing to do with time, and that is the same for every request.
	None
)

// list answers the index of a collection.
func (a *rest) list(c *collection) func(*call) (any, error) {
	return func(call *call) (any, error) {
		q, err := parseQuery(c.kind, call.query, a.config.pageSize)
		if err != nil {
			return nil, err
		}
		matched := a.selectFrom(c, call.live, q)
		page := a.page(matched, q)
		return object{
			{"total_count", len(matched)},
			{"has_more", q.offset+len(page) < len(matched)},
			{"object", "list"},
			{"data", a.objects(page)},
		}, nil
	}
}

// selectFrom returns what a query asks for: best match first in a search, else oldest first. Without any filter that is a part of
// the sorted collection and costs two binary searches, however many objects there are.
func (a *rest) selectFrom(c *collection, live bool, q *listQuery) []*record {
	window := c.created(live, q.created)
	if len(q.filters) > 0 || q.updated != anyTime || a.config.indexDelay > 0 || a.config.indexDelayAll > 0 {
		now := a.clock.Now()
		window = keep(window, func(r *record) bool {
			return q.updated.holds(r.updated) && r.listed <= now.UnixMilli() && q.passes(r, now.UnixMilli())
		})
	}
	if q.search == "" {
		return window
	}
	return c.words.search(a.ordered(window), q.search)
}

func (q *listQuery) passes(r *record, nowMilli int64) bool {
	return !slices.ContainsFunc(q.filters, func(f filter) bool {
		value := r.values[f.position]
		if o, ok := value.(object); ok && f.member != "" {
			value = o.get(f.member)
		}
		return !matches(value, f.text, nowMilli)
	})
}

// page cuts the page out of what was selected. Only as much is put in order as the page needs.
func (a *rest) page(matched []*record, q *listQuery) []*record {
	first := min(q.offset, len(matched))
	end := min(first+q.count, len(matched))
	if q.search == "" && a.config.order == Newest {
		page := slices.Clone(matched[len(matched)-end : len(matched)-first])
		slices.Reverse(page)
		return page
	}
	if q.search == "" && a.config.order == None {
		matched = a.ordered(matched)
	}
	return matched[first:end]
}

// ordered is the whole of a selection in the order of lists.
func (a *rest) ordered(matched []*record) []*record {
	matched = slices.Clone(matched)
	switch a.config.order {
	case Newest:
		slices.Reverse(matched)
	case None: // ids are random
		slices.SortFunc(matched, func(x, y *record) int { return cmp.Compare(x.id, y.id) })
	}
	return matched
}

func (a *rest) objects(records []*record) []object {
	now := a.clock.Now().UnixMilli()
	list := make([]object, len(records))
	for i, r := range records {
		list[i] = r.object(now)
	}
	return list
}

func keep(records []*record, wanted func(*record) bool) []*record {
	var kept []*record
	for _, r := range records {
		if wanted(r) {
			kept = append(kept, r)
		}
	}
	return kept
}
