package session

import (
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/idv/webhook"
)

// State is what the events tell about one Flow session. The zero State knows nothing and is ready to use; the first event
// makes it that of its session. A State is a value: a copy is independent. It is not safe for concurrent changes.
type State struct {
	id          string
	environment webhook.Environment
	retried     bool
	undated     []undatedEvent // sorted by id, never changed in place
	reports     []report       // sorted by status, never changed in place
	fetched     lookUp
}

var (
	// ErrOtherSession: the event or the state is of another session, or of one with the same id in another environment.
	ErrOtherSession = errors.New("session: it is of another session")
	// ErrNoSession: the event is about a Flow session and does not name it.
	ErrNoSession = errors.New("session: the event names no session: its data.id is empty")
)

// Apply adds an event. Events that are not about Flow sessions are ignored. After an error, [ErrOtherSession] or
// [ErrNoSession], the state is as it was.
func (s *State) Apply(e webhook.Event) error {
	data, ok := webhook.SessionOf(e)
	if !ok {
		return nil
	}
	return s.Merge(stateOf(e.Common(), data))
}

// stateOf is the state that one event tells of.
func stateOf(e *webhook.Envelope, data webhook.Session) State {
	at := storable(e.Timestamp)
	s := State{
		id:          valid(data.ID),
		environment: valid(e.Environment),
		retried:     e.Kind == webhook.KindRetried,
		reports: []report{{
			status: valid(data.Status),
			first:  at,
			last:   mark{at, valid(data.Step), valid(e.Kind), valid(e.ID), valid(data.CustomerReference), false},
		}},
	}
	if at.IsZero() {
		s.undated = []undatedEvent{{id: valid(e.ID)}}
	}
	return s
}

// storable is t as it comes back from JSON; a year that JSON cannot hold is no date.
func storable(t time.Time) time.Time {
	t = t.UTC().Round(0)
	if y := t.Year(); y < 0 || y > 9999 {
		return time.Time{}
	}
	return t
}

// valid is s as it comes back from JSON.
func valid[S ~string](s S) S { return S(strings.ToValidUTF8(string(s), "\uFFFD")) }

// Merge adds what o knows of the same session: it was folded from other events, or from some of the same. After an error,
// [ErrOtherSession] or [ErrNoSession], the state is as it was.
func (s *State) Merge(o State) error {
	switch {
	case o.IsZero():
		return nil
	case o.id == "":
		return ErrNoSession
	case !s.IsZero() && (s.id != o.id || s.environment != o.environment):
		return ErrOtherSession
	}
	*s = State{
		id:          o.id,
		environment: o.environment,
		retried:     s.retried || o.retried,
		undated:     joinUndated(s.undated, o.undated),
		reports:     joinReports(s.reports, o.reports),
		fetched:     joinLookUps(s.fetched, o.fetched),
	}
	return nil
}

// IsZero tells whether the state knows nothing.
func (s State) IsZero() bool { return len(s.reports) == 0 }

// Equal tells whether two states know the same. Folds of the same events, and of the same look-ups after the same of
// them, are equal.
func (s State) Equal(o State) bool {
	return s.id == o.id && s.environment == o.environment && s.retried == o.retried && s.fetched == o.fetched &&
		slices.Equal(s.undated, o.undated) && slices.Equal(s.reports, o.reports)
}

// ID returns the id of the session, with which it can be looked up; "" for the zero State.
func (s State) ID() string { return s.id }

// Environment returns the environment of the session.
func (s State) Environment() webhook.Environment { return s.environment }

// standing is the report that tells the session's status; of the zero State, a zero report.
func (s State) standing() report {
	if s.IsZero() {
		return report{}
	}
	return slices.MaxFunc(s.open(), compareStanding)
}

// Status returns the status of the session; "" for the zero State.
func (s State) Status() webhook.Status { return s.standing().status }

// Terminal tells whether the session has reached a terminal state. That of pending_review may still turn into another one.
func (s State) Terminal() bool { return s.Status().Terminal() }

// Step returns where the user is; "" in a terminal state.
func (s State) Step() webhook.Step { return s.standing().last.step }

// LastStep returns the last step that the user was at, also after the session has ended; "" where no event has told.
func (s State) LastStep() webhook.Step {
	all := s.reports
	if s.fetched.done {
		all = joinReports(all, []report{s.fetched.report()})
	}
	return of(all, webhook.StatusActive).last.step
}

// UpdatedAt returns the timestamp of the event, or the time of the look-up, that tells the status, in UTC; zero where it
// has none.
func (s State) UpdatedAt() time.Time { return s.standing().last.at }

// Retried tells whether the session was started by a retry. False may only mean that the event has not come yet.
func (s State) Retried() bool { return s.retried }

// CustomerReference returns what the customer gave as customerReference.
func (s State) CustomerReference() string {
	reference := s.standing().last.reference
	for i := 0; reference == "" && i < len(s.reports); i++ {
		reference = s.reports[i].last.reference
	}
	return reference
}

// of returns the report of a status, or a zero report.
func of(reports []report, status webhook.Status) report {
	if i, found := slices.BinarySearchFunc(reports, status, byStatus); found {
		return reports[i]
	}
	return report{}
}
