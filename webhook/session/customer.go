package session

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"example.com/idv/webhook"
)

// Customer is what the events tell about the sessions of one customer reference: a retry starts a new session, and so does a
// customer who comes back. The zero Customer knows nothing and is ready to use; the first event makes it that of its
// customer reference. A Customer is a value: a copy is independent. It is not safe for concurrent changes.
type Customer struct {
	reference   string
	environment webhook.Environment
	sessions    []State // sorted by id, never changed in place
}

var (
	// ErrOtherCustomer: the event or the customer has another customer reference, or comes from another environment.
	ErrOtherCustomer = errors.New("session: it is of another customer reference")
	// ErrNoCustomer: the event is about a Flow session and names no customer.
	ErrNoCustomer = errors.New("session: the event names no customer: its data.customer_reference is empty")
)

// Apply adds an event. Events that are not about Flow sessions are ignored. After an error, [ErrOtherCustomer],
// [ErrNoCustomer] or [ErrNoSession], the customer is as it was.
func (c *Customer) Apply(e webhook.Event) error {
	data, ok := webhook.SessionOf(e)
	if !ok {
		return nil
	}
	s := stateOf(e.Common(), data)
	switch {
	case s.id == "":
		return ErrNoSession
	case data.CustomerReference == "":
		return ErrNoCustomer
	}
	return c.Merge(Customer{valid(data.CustomerReference), s.environment, []State{s}})
}

// Merge adds what o knows of the same customer. After an error, [ErrOtherCustomer], the customer is as it was.
func (c *Customer) Merge(o Customer) error {
	switch {
	case o.IsZero():
		return nil
	case !c.IsZero() && (c.reference != o.reference || c.environment != o.environment):
		return ErrOtherCustomer
	}
	*c = Customer{o.reference, o.environment, joinSessions(c.sessions, o.sessions)}
	return nil
}

func joinSessions(a, b []State) []State {
	joined := slices.Clone(a)
	for _, s := range b {
		i, found := slices.BinarySearchFunc(joined, s.id, byID)
		if found {
			_ = joined[i].Merge(s) // of the same id and environment
		} else {
			joined = slices.Insert(joined, i, s)
		}
	}
	return joined
}

func byID(s State, id string) int { return cmp.Compare(s.id, id) }

// IsZero tells whether the customer has no session yet.
func (c Customer) IsZero() bool { return len(c.sessions) == 0 }

// Equal tells whether both know the same. Folds of the same events are equal.
func (c Customer) Equal(o Customer) bool {
	return c.reference == o.reference && c.environment == o.environment && slices.EqualFunc(c.sessions, o.sessions, State.Equal)
}

// Reference returns the customer reference.
func (c Customer) Reference() string { return c.reference }

// Environment returns the environment of the sessions.
func (c Customer) Environment() webhook.Environment { return c.environment }

// Session returns the session of an id.
func (c Customer) Session(id string) (State, bool) {
	if i, found := slices.BinarySearchFunc(c.sessions, id, byID); found {
		return c.sessions[i], true
	}
	return State{}, false
}

// Sessions returns the sessions from the oldest to the current one.
func (c Customer) Sessions() []State {
	return slices.SortedFunc(slices.Values(c.sessions), func(a, b State) int {
		return cmp.Or(a.began().compare(b.began()), cmp.Compare(a.id, b.id))
	})
}

// Current returns the session that started last; false where there is none. Late events of an earlier session do not
// make it current.
func (c Customer) Current() (State, bool) {
	if c.IsZero() {
		return State{}, false
	}
	sessions := c.Sessions()
	return sessions[len(sessions)-1], true
}

// NeedsFetch tells whether the customer's sessions should be looked up, and why: the current session must be, or the
// events cannot tell which session is current.
func (c Customer) NeedsFetch() (Reason, bool) {
	why, _ := c.lookUps()
	return why, why != ""
}

// lookUps are the reason to look sessions up, and their ids. A session that was looked up has told all there is to know
// about its start.
func (c Customer) lookUps() (Reason, []string) {
	current, ok := c.Current()
	if !ok {
		return "", nil
	}
	if why, fetch := current.NeedsFetch(); fetch {
		return why, []string{current.id}
	}
	newest := current.began()
	for _, s := range c.sessions {
		switch start := s.began(); {
		case s.id == current.id:
		case start.compare(newest) == 0 && !(s.fetched.done && current.fetched.done):
			return ReasonSameStart, notLookedUp(s, current)
		case !start.known && newest.known && !s.fetched.done && (start.at.IsZero() || start.at.After(newest.at)):
			return ReasonUnknownStart, []string{s.id}
		}
	}
	return "", nil
}

func notLookedUp(sessions ...State) (ids []string) {
	for _, s := range sessions {
		if !s.fetched.done {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// start is when a session began, as far as its events tell.
type start struct {
	known   bool
	at      time.Time
	retried bool
}

// began is the earliest date of the session. An expiry or a cancellation counts only where there is nothing else: both come
// long after the start, and a retry cancels its predecessor at or after its own start (observed, not in the written
// contract). The date of creation, once it was looked up, is better than all of them.
func (s State) began() start {
	var known, passive time.Time
	for _, r := range s.reports {
		if r.status == webhook.StatusExpired || r.status == webhook.StatusCanceled {
			passive = earliest(passive, r.first)
		} else {
			known = earliest(known, r.first)
		}
	}
	switch created := s.fetched.created; {
	case !created.IsZero():
		return start{true, sharpened(created, earliest(known, passive)), s.retried}
	case known.IsZero():
		return start{false, passive, s.retried}
	}
	return start{true, known, s.retried}
}

// sharpened is a date of creation, which may be in whole seconds, by an event of the same second.
func sharpened(created, first time.Time) time.Time {
	if d := first.Sub(created); d >= 0 && d < time.Second {
		return first
	}
	return created
}

func (a start) compare(b start) int {
	return cmp.Or(compareBool(a.known, b.known), a.at.Compare(b.at), compareBool(a.retried, b.retried))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
