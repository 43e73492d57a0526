package idvtest

import (
	"math/rand/v2"
	"time"
)

// disorder is what may come between an event and its first delivery. Each kind of it has its own chance, so that its seed
// repeats it whatever else the service does; they are guarded by the mutex of webhooks.
type disorder struct {
	shuffle, duplicate, delay *rand.Rand // nil for none
	longest                   time.Duration
}

func newRandom(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, seed)) }

func (d *disorder) doubles() bool { return d.duplicate != nil && d.duplicate.IntN(2) == 0 }

// dispatch makes the first attempt, now or when its time has come.
func (w *webhooks) dispatch(s *sending) {
	switch d := &w.config.disorder; {
	case d.delay != nil:
		w.clock.at(w.delayed(), func() { w.try(s) })
	case d.shuffle != nil:
		w.hold(s)
	default:
		w.try(s)
	}
}

func (w *webhooks) delayed() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := &w.config.disorder
	return w.clock.Now().Add(time.Duration(d.delay.Int64N(int64(d.longest) + 1)))
}

// hold has a sending wait for the clock, and for others to change places with.
func (w *webhooks) hold(s *sending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = append(w.held, s)
	if len(w.held) == 1 {
		w.clock.at(w.clock.Now(), w.release)
	}
}

func (w *webhooks) release() {
	for _, s := range w.shuffled() {
		w.try(s)
	}
}

func (w *webhooks) shuffled() []*sending {
	w.mu.Lock()
	defer w.mu.Unlock()
	held := w.held
	w.held = nil
	w.config.disorder.shuffle.Shuffle(len(held), func(i, j int) { held[i], held[j] = held[j], held[i] })
	return held
}
