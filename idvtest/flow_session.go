package idvtest

import (
	"fmt"
	"time"
)

// Session is one Flow session, seen by its user: the test moves it on, and the webhooks tell about it.
//
// Each method returns when the first delivery of its events has been attempted. While the clock stands still, the
// timestamps of events are a millisecond apart, so that they tell the order in which things happened.
//
// A Session is safe for concurrent use. Its exported fields never change.
type Session struct {
	// ID begins with flwses_.
	ID string

	// CustomerReference is what the customer's application gave as customerReference.
	CustomerReference string

	// PreviousSessionID is the session that this one retries, or "".
	PreviousSessionID string

	flow *flow

	// What follows is guarded by the mutex of flow.
	template           string
	created, completed time.Time
	status, step       string // step is "" before the first one
	steps              map[string]string
	user               sessionUser
	shareable          bool
	screening          string // the id, once the user has been screened
	retriedAs          string // the id of the session that retries this one
}

// Status returns the status of the session; [StatusActive] until it ends.
func (s *Session) Status() string {
	s.flow.mu.Lock()
	defer s.flow.mu.Unlock()
	return s.status
}

// Step returns the step that the user is at, or was at when the session ended; "" if the user has not begun.
func (s *Session) Step() string {
	s.flow.mu.Lock()
	defer s.flow.mu.Unlock()
	return s.step
}

// EnterStep is the user moving to a step. It sends flow_session.step.updated, unless the user is at that step already.
//
// Any order of steps is allowed, the template decides about it. EnterStep returns [ErrSessionEnded] if the session is no
// longer active and [ErrUnknownValue] for a step that the contract does not name; with [WithFutureFormat] every step is
// known.
func (s *Session) EnterStep(step string) error {
	if err := s.flow.config.known("step", step, allSteps); err != nil {
		return err
	}
	return s.flow.change(func() ([]event, error) {
		if s.status != StatusActive {
			return nil, s.ended()
		}
		if s.step == step {
			return nil, nil
		}
		s.flow.enter(s, step)
		return []event{s.flow.sessionEvent(KindStepUpdated, s)}, nil
	})
}

// Finish ends the session with success, failed, expired, canceled or pending_review. It sends flow_session.status.updated.
//
// A session that awaits review may be finished once more, by its reviewer (the contract does not say whether
// pending_review is final). Finish returns [ErrSessionEnded] if it has any other outcome already, and [ErrUnknownValue]
// for a status that is no outcome; with [WithFutureFormat] every status but active is one.
func (s *Session) Finish(status string) error {
	if err := s.flow.config.outcome(status); err != nil {
		return err
	}
	return s.flow.change(func() ([]event, error) {
		if s.status != StatusActive && (s.status != StatusPendingReview || status == StatusPendingReview) {
			return nil, s.ended()
		}
		return s.flow.end(s, status), nil
	})
}

// Retry starts the session over, as the dashboard and the API do: a session that is still active is canceled, which sends
// flow_session.status.updated for it; then a new session begins at accept_tos, which sends flow_session.retried.
//
// Retry returns [ErrAlreadyRetried] if that has happened to this session before: the later one is the one to retry.
func (s *Session) Retry() (*Session, error) {
	return s.flow.retry(s, retryPlan{strategy: strategyReset})
}

// Screen is the watchlist screening of the user reaching a status. It sends screening.status.updated, whose data are made
// up: the contract does not show them. Screen returns [ErrNotConnected] without [WithScreening].
func (s *Session) Screen(status string) error { return s.screen(KindScreeningUpdated, status) }

// ScreenEntity is Screen for the entity behind the user. It sends entity_screening.status.updated.
func (s *Session) ScreenEntity(status string) error {
	return s.screen(KindEntityScreeningUpdated, status)
}

func (s *Session) screen(kind, status string) error {
	if !s.flow.config.screening {
		return fmt.Errorf("idvtest: %w: start the service with WithScreening", ErrNotConnected)
	}
	return s.flow.change(func() ([]event, error) {
		if s.screening == "" {
			s.screening = "scr_" + s.flow.dice.hex(14)
		}
		return []event{s.flow.screeningEvent(kind, s, status)}, nil
	})
}

func (s *Session) ended() error {
	return fmt.Errorf("idvtest: %w: %s is %s", ErrSessionEnded, s.ID, s.status)
}
