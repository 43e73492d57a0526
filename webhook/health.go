package webhook

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// The contract's rules about a webhook that fails (contract: errors 3).
const (
	warningAfter  = 3 * 24 * time.Hour
	disabledAfter = warningAfter + 24*time.Hour
)

// Health tells how close the service is to disabling the webhook. It knows the deliveries that this Receiver has answered
// since it was made; where several processes serve a webhook, each has a part of the picture. All times are the clock of
// the [Verifier].
type Health struct {
	// LastSuccess is when a delivery was last answered 200; zero if none was.
	LastSuccess time.Time
	// FailingSince is when the first delivery after LastSuccess failed, and Failures how many have since. Zero when the
	// latest delivery succeeded.
	FailingSince time.Time
	Failures     int
	// WarningAt is when the service sends its warning mail, and DisabledAt when it disables the webhook, if every delivery
	// until then fails: 3 and 4 days after FailingSince. Zero when the latest delivery succeeded.
	WarningAt, DisabledAt time.Time
	// RefusedSince is when the first request after LastSuccess was refused whose signature proves nothing, and Refused
	// how many were since. Forged requests do no harm. But if LastSuccess stays where it is while Refused grows, look at
	// the secret and the path: then it may be the service that is refused.
	RefusedSince time.Time
	Refused      int
	// Unguarded is how many events were handled although the store was down; see [WithFailOpen].
	Unguarded int
}

// Failing tells whether the latest delivery failed.
func (h Health) Failing() bool { return !h.FailingSince.IsZero() }

// Health returns how deliveries fare. It is cheap: fit for a health check.
func (r *Receiver) Health() Health {
	r.health.mu.Lock()
	defer r.health.mu.Unlock()
	return r.health.current
}

type healthRecord struct {
	mu      sync.Mutex
	current Health
}

func (h *healthRecord) unguarded() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.current.Unguarded++
}

func (h *healthRecord) record(now time.Time, o Observation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case o.Status == http.StatusOK:
		h.current = Health{LastSuccess: now, Unguarded: h.current.Unguarded}
	case o.Outcome == OutcomeRefused && fromAnybody(o.Err):
		h.current.refused(now)
	default:
		h.current.failed(now)
	}
}

func (h *Health) refused(now time.Time) {
	if h.Refused++; h.Refused == 1 {
		h.RefusedSince = now
	}
}

func (h *Health) failed(now time.Time) {
	if h.Failures++; h.Failures == 1 {
		h.FailingSince, h.WarningAt, h.DisabledAt = now, now.Add(warningAfter), now.Add(disabledAfter)
	}
}

// fromAnybody tells whether a refused request may have come from anybody. An old Date and an altered body are found only
// after the signature has proved the sender.
func fromAnybody(err error) bool {
	for _, unproven := range []error{ErrMethod, ErrNotSigned, ErrMalformed, ErrUnknownKey, ErrSignatureMismatch} {
		if errors.Is(err, unproven) {
			return true
		}
	}
	return false
}
