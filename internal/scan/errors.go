package scan

import (
	"fmt"
	"strings"
)

// The reasons of a Gap. They name what the service answered, never what it answered about.
const (
	ReasonSecond = "one second holds more objects than a page"
	ReasonEmpty  = "the service answered with an empty page and has_more"
	ReasonCount  = "total_count and the objects of this range disagree"
)

// A Gap is a range of created_at, in Unix seconds and both ends included, that could not be seen whole.
// From can be Past and To can be Future.
type Gap struct {
	From, To int64
	Count    int    // total_count of the range when it was given up
	Seen     int    // objects of the range that were yielded; more than Count where the service miscounts
	Reason   string // one of the Reason constants
}

// Incomplete is the last thing an enumeration yields that could not see everything. Every object that was missed was
// created in one of its gaps.
type Incomplete struct{ Gaps []Gap }

func (e *Incomplete) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "scan: incomplete in %d ranges of created_at", len(e.Gaps))
	for i, g := range e.Gaps {
		if i == 3 {
			fmt.Fprintf(&b, "; and %d more", len(e.Gaps)-i)
			break
		}
		fmt.Fprintf(&b, "; %s: %d of %d seen, %s", Window{g.From, g.To}, g.Seen, g.Count, g.Reason)
	}
	return b.String()
}

// String writes the range as a reader of the contract would ask for it.
func (w Window) String() string {
	switch {
	case w.From == Past && w.To == Future:
		return "all"
	case w.From == Past:
		return fmt.Sprintf("[lte]=%d", w.To)
	case w.To == Future:
		return fmt.Sprintf("[gte]=%d", w.From)
	}
	return fmt.Sprintf("[gte]=%d [lte]=%d", w.From, w.To)
}

// LimitError ends an enumeration that would need more requests than Config.MaxRequests.
type LimitError struct{ MaxRequests int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("scan: stopped after %d requests, the limit the caller set, before everything was seen", e.MaxRequests)
}
