package scan

// second settles one second that holds more than a page: no range of created_at can divide it. What was seen is yielded and
// the rest recorded as a gap, unless offsets are allowed and bring every object of it. It returns how many it accounts for.
func (e *engine[T]) second(w Window, p Page[T]) (int, error) {
	items, whole := p.Items, false
	if e.Offset {
		var err error
		if items, whole, err = e.turn(w, p); err != nil {
			return 0, err
		}
	}
	if !whole {
		e.gap(w, p.Total, len(items), ReasonSecond)
	}
	return p.Total, e.emit(items)
}

// turn pages through one second. Its objects have no dependable order, so pages may repeat and leave out: it is whole only if as
// many objects came as each page counted, all of them different. It ends with the last page, or when a page brings nothing new.
func (e *engine[T]) turn(w Window, p Page[T]) (items []T, whole bool, err error) {
	ids, total, steady := make(map[string]bool), p.Total, !p.contradictory()
	for offset := 0; ; {
		before := len(items)
		for _, item := range p.Items {
			if id := e.ID(item); !ids[id] {
				ids[id] = true
				items = append(items, item)
			}
		}
		offset += len(p.Items)
		steady = steady && p.Total == total
		if !p.HasMore || len(items) == before {
			return items, steady && len(items) == total && offset == total, nil
		}
		if p, err = e.list(w, offset); err != nil {
			return nil, false, err
		}
	}
}
