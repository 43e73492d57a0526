package scan

import "math"

// Past and Future are the open ends of a Window: no bound is sent for them.
const (
	Past   = math.MinInt64
	Future = math.MaxInt64
)

// A Window is a range of created_at in Unix seconds, both ends included. From may be Past, To may be Future.
// A Window whose From lies after its To holds nothing.
type Window struct{ From, To int64 }

func (w Window) empty() bool { return w.From > w.To }

// single reports whether w is one second, which no range of created_at can divide.
func (w Window) single() bool { return w.From == w.To }

// holds leaves the open ends out: they are no seconds, and arithmetic on them would overflow.
func (w Window) holds(second int64) bool {
	return w.From <= second && second <= w.To && second != Past && second != Future
}

// cut divides w after the given second. Either side may be empty.
func (w Window) cut(after int64) (older, newer Window) {
	nothing := Window{Future, Past}
	switch after {
	case Past:
		return nothing, w
	case Future:
		return w, nothing
	}
	return Window{w.From, min(w.To, after)}, Window{max(w.From, after+1), w.To}
}

// inner brings a second to cut after into w, such that both sides of the cut hold one. w must not be a single second.
func (w Window) inner(after int64) int64 { return max(w.From, min(after, w.To-1)) }
