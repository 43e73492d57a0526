package session

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"example.com/idv/webhook"
)

// Fetched is what a look-up through the API has told about a session (contract: events 4). The fields are those of the
// session record of package example.com/idv/flow, which is observed, not in the written contract.
type Fetched struct {
	// ID is the id of the session.
	ID string
	// At is the service's time of the look-up, the Date header of its answer (flow.Session.AsOf). It tells which events
	// are later. Where it is zero, every event that was not known yet counts as later.
	At time.Time
	// Status is the status of the session, and Step where the user is; "" in a terminal state.
	Status webhook.Status
	Step   webhook.Step
	// CreatedAt is when the session was created, zero if unknown. It orders the sessions of a customer.
	CreatedAt time.Time
	// PreviousSessionID is the session that this one retries, "" if it retries none.
	PreviousSessionID string
	// CustomerReference is the customer's; "" if unknown.
	CustomerReference string
}

// ErrNoEvents says that no event of the session has been applied yet, so that there is nothing to resolve.
var ErrNoEvents = errors.New("session: no event of the session is known")

// Resolve settles what the events left open: the look-up says what the session is, and the events that were known before
// it count for nothing beside it. Events that were not are folded as ever: a later one moves the session on, and one that
// contradicts the look-up asks for another. After it NeedsFetch is false.
//
// Where events may be applied while the session is being looked up, resolve a copy and merge it: otherwise the look-up
// would settle events that it knows nothing of.
//
//	copied := state                        // a State is a value
//	...look copied.ID() up...
//	err := copied.Resolve(session.Fetched{...})
//	err = state.Merge(copied)              // state may know more by now
//
// After an error, [ErrOtherSession] or [ErrNoEvents], the state is as it was.
func (s *State) Resolve(f Fetched) error {
	switch {
	case s.IsZero():
		return ErrNoEvents
	case valid(f.ID) != s.id:
		return ErrOtherSession
	}
	reports, undated := slices.Clone(s.reports), slices.Clone(s.undated)
	for i := range reports {
		reports[i].last.settled = true
	}
	for i := range undated {
		undated[i].settled = true
	}
	s.reports, s.undated = reports, undated
	s.retried = s.retried || f.PreviousSessionID != ""
	s.fetched = joinLookUps(s.fetched, lookUp{
		done: true, at: storable(f.At), status: valid(f.Status), step: valid(f.Step),
		created: storable(f.CreatedAt), reference: valid(f.CustomerReference),
	})
	return nil
}

// Settled tells whether a look-up was made after all that is known: the status is what the service itself says. A receiver
// that wants to be sure before it acts, such as on a success, looks up what is not settled, also where NeedsFetch does not
// ask for it.
func (s State) Settled() bool {
	return s.fetched.done && !slices.ContainsFunc(s.reports, func(r report) bool { return !r.last.settled }) && !s.hasUndated()
}

func (s State) hasUndated() bool {
	return slices.ContainsFunc(s.undated, func(e undatedEvent) bool { return !e.settled })
}

// lookUp is the latest answer of the API. Every field takes part in the order, so that only equal look-ups compare equal.
type lookUp struct {
	done      bool // false for the zero lookUp: there was none
	at        time.Time
	status    webhook.Status
	step      webhook.Step
	created   time.Time
	reference string
}

// joinLookUps keeps the later one; of two in the same second, the one that tells of more progress.
func joinLookUps(a, b lookUp) lookUp {
	if a.compare(b) < 0 {
		return b
	}
	return a
}

func (l lookUp) compare(o lookUp) int {
	return cmp.Or(
		compareBool(l.done, o.done),
		l.at.Compare(o.at),
		compareStanding(l.report(), o.report()),
		l.report().last.compare(o.report().last),
		l.created.Compare(o.created),
	)
}

// report is the look-up as one more report beside those of the events.
func (l lookUp) report() report {
	return report{l.status, l.created, mark{at: l.at, step: l.step, reference: l.reference}}
}

// open are the reports that count: those that no look-up has settled, and that of the look-up itself.
func (s State) open() []report {
	if !s.fetched.done {
		return s.reports
	}
	unsettled := slices.DeleteFunc(slices.Clone(s.reports), func(r report) bool { return r.last.settled })
	return joinReports(unsettled, []report{s.fetched.report()})
}

// undatedEvent is an event without a date that can be read. It cannot be ordered, so that only a look-up made after it
// settles what it has done.
type undatedEvent struct {
	id      string
	settled bool
}

// joinUndated merges two lists that are sorted by id into a new one.
func joinUndated(a, b []undatedEvent) []undatedEvent {
	joined := slices.Clone(a)
	for _, e := range b {
		i, found := slices.BinarySearchFunc(joined, e.id, func(e undatedEvent, id string) int { return strings.Compare(e.id, id) })
		if found {
			joined[i].settled = joined[i].settled || e.settled
		} else {
			joined = slices.Insert(joined, i, e)
		}
	}
	return joined
}

// Resolve settles what the events left open of one session; see [State.Resolve], also for what to do where events may come
// meanwhile. [Customer.ToFetch] names the sessions to look up. After an error, [ErrNoEvents] or [ErrOtherCustomer], the customer is as it was.
func (c *Customer) Resolve(f Fetched) error {
	s, known := c.Session(valid(f.ID))
	switch {
	case !known:
		return ErrNoEvents
	case f.CustomerReference != "" && valid(f.CustomerReference) != c.reference:
		return ErrOtherCustomer
	}
	if err := s.Resolve(f); err != nil {
		return err
	}
	return c.Merge(Customer{c.reference, c.environment, []State{s}})
}

// ToFetch returns the ids of the sessions to look up where NeedsFetch asks for it, and nil where it does not. What the
// answers tell may ask for further look-ups; each session is asked for once, until another event of it comes.
func (c Customer) ToFetch() []string {
	_, ids := c.lookUps()
	return ids
}
