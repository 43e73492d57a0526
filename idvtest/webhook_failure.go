package idvtest

import "time"

// How long a webhook may fail (contract: Limits).
const (
	warnAfter    = 3 * 24 * time.Hour
	disableAfter = warnAfter + 24*time.Hour
)

// failure is a time in which a webhook has had errors only. It ends with the first success.
type failure struct{ since time.Time }

// failed notes an error at the end of a delivery; the first one after a success starts the countdown.
func (w *webhooks) failed(s *subscription) {
	if s.failing != nil || !s.enabled {
		return
	}
	f := &failure{since: w.clock.Now()}
	s.failing = f
	w.clock.at(f.since.Add(warnAfter), func() { w.warn(s, f) })
}

// warn sends the mail, unless a success came in between.
func (w *webhooks) warn(s *subscription, f *failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.failing != f {
		return
	}
	w.mails = append(w.mails, warning(s, f, w.clock.Now()))
	w.clock.at(f.since.Add(disableAfter), func() { w.disable(s, f) })
}

func (w *webhooks) disable(s *subscription, f *failure) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if s.failing == f {
		s.enabled = false
		s.disabled++
	}
}
