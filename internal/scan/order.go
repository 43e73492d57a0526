package scan

import (
	"cmp"
	"slices"
)

// order is what a page shows of the order of a list. The contract promises none.
type order int8

const (
	unordered order = iota
	newestFirst
	oldestFirst
)

// orderOf reads the order of a page from its times. A page of one second shows none.
func orderOf(times []int64) order {
	switch {
	case len(times) == 0 || times[0] == times[len(times)-1]:
		return unordered
	case oldestFirst.fits(times):
		return oldestFirst
	case newestFirst.fits(times):
		return newestFirst
	}
	return unordered
}

// fits reports whether a page does not contradict the order.
func (o order) fits(times []int64) bool {
	switch o {
	case oldestFirst:
		return slices.IsSorted(times)
	case newestFirst:
		return slices.IsSortedFunc(times, func(a, b int64) int { return cmp.Compare(b, a) })
	}
	return true
}

// split divides w at the second where a page ended: what the page showed, and the rest of the window. With again, the rest
// begins with that second, else behind it.
func (o order) split(w Window, end int64, again bool) (shown, rest Window) {
	if o == newestFirst {
		if !again {
			end--
		}
		rest, shown = w.cut(end)
		return shown, rest
	}
	if again {
		end--
	}
	return w.cut(end)
}
