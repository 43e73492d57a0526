package idvtest

import (
	"container/heap"
	"time"
)

// alarm is one callback that waits for its time.
type alarm struct {
	at      time.Time
	ordinal int // settles alarms of one moment: first set, first run
	run     func()
}

// alarms is a heap, the earliest first.
type alarms []alarm

func (q *alarms) push(a alarm) { heap.Push(q, a) }
func (q *alarms) pop() alarm   { return heap.Pop(q).(alarm) }

// Len, Less, Swap, Push and Pop make alarms a heap.Interface.
func (q alarms) Len() int { return len(q) }

func (q alarms) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].ordinal < q[j].ordinal
}

func (q alarms) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *alarms) Push(x any) { *q = append(*q, x.(alarm)) }

func (q *alarms) Pop() any {
	last := len(*q) - 1
	a := (*q)[last]
	(*q)[last] = alarm{} // lets go of what the callback holds
	*q = (*q)[:last]
	return a
}
