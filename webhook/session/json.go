package session

import (
	"errors"
	"fmt"
	"time"

	"example.com/idv/internal/wire"
	"example.com/idv/webhook"
)

// formatVersion is that of the JSON written here. A later version may add to what a state keeps, and must go on reading
// this one.
const formatVersion = 1

type stateJSON struct {
	Version     int                 `json:"version"`
	ID          string              `json:"id"`
	Environment webhook.Environment `json:"environment"`
	Retried     bool                `json:"retried,omitempty"`
	Undated     []undatedJSON       `json:"undated,omitempty"`
	Reports     []reportJSON        `json:"reports"`
	Fetched     *fetchedJSON        `json:"fetched,omitempty"`
}

type undatedJSON struct {
	EventID string `json:"event_id"`
	Settled bool   `json:"settled,omitzero"`
}

type fetchedJSON struct {
	At                time.Time      `json:"at"`
	Status            webhook.Status `json:"status"`
	Step              webhook.Step   `json:"step,omitempty"`
	CreatedAt         time.Time      `json:"created_at"`
	CustomerReference string         `json:"customer_reference"`
}

type reportJSON struct {
	Status            webhook.Status `json:"status"`
	First             time.Time      `json:"first"`
	Timestamp         time.Time      `json:"timestamp"`
	Step              webhook.Step   `json:"step,omitempty"`
	Kind              webhook.Kind   `json:"event"`
	EventID           string         `json:"event_id"`
	CustomerReference string         `json:"customer_reference"`
	Settled           bool           `json:"settled,omitzero"`
}

type customerJSON struct {
	Version           int                 `json:"version"`
	CustomerReference string              `json:"customer_reference"`
	Environment       webhook.Environment `json:"environment"`
	Sessions          []State             `json:"sessions"`
}

// MarshalJSON writes all that the state knows, the customer reference included. Equal states give equal bytes.
func (s State) MarshalJSON() ([]byte, error) {
	out := stateJSON{Version: formatVersion, ID: s.id, Environment: s.environment, Retried: s.retried, Reports: make([]reportJSON, len(s.reports))}
	for i, r := range s.reports {
		out.Reports[i] = reportJSON{r.status, r.first, r.last.at, r.last.step, r.last.kind, r.last.eventID, r.last.reference, r.last.settled}
	}
	for _, e := range s.undated {
		out.Undated = append(out.Undated, undatedJSON{e.id, e.settled})
	}
	if f := s.fetched; f.done {
		out.Fetched = &fetchedJSON{f.at, f.status, f.step, f.created, f.reference}
	}
	return wire.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON has written, and replaces s with it. It refuses the JSON of a later version of this
// package, and what is no State; null leaves s as it is. After an error s is as it was.
func (s *State) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var in stateJSON
	if err := wire.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("session: not the JSON of a State: %w", err)
	}
	if err := checkVersion("State", in.Version); err != nil {
		return err
	}
	if in.ID == "" && len(in.Reports) > 0 {
		return errors.New("session: not the JSON of a State: it has reports and no id")
	}
	*s = in.state()
	return nil
}

func (in stateJSON) state() State {
	s := State{id: in.ID, environment: in.Environment, retried: in.Retried}
	if len(in.Reports) == 0 {
		return State{}
	}
	for _, r := range in.Reports {
		last := mark{storable(r.Timestamp), r.Step, r.Kind, r.EventID, r.CustomerReference, r.Settled}
		s.reports = joinReports(s.reports, []report{{r.Status, storable(r.First), last}})
	}
	for _, e := range in.Undated {
		s.undated = joinUndated(s.undated, []undatedEvent{{e.EventID, e.Settled}})
	}
	if f := in.Fetched; f != nil {
		s.fetched = lookUp{true, storable(f.At), f.Status, f.Step, storable(f.CreatedAt), f.CustomerReference}
	}
	return s
}

// MarshalJSON writes all that is known of the customer, the customer reference included. Equal customers give equal bytes.
func (c Customer) MarshalJSON() ([]byte, error) {
	return wire.Marshal(customerJSON{formatVersion, c.reference, c.environment, c.sessions})
}

// UnmarshalJSON reads what MarshalJSON has written, and replaces c with it. It refuses the JSON of a later version of this
// package, and what is no Customer; null leaves c as it is. After an error c is as it was.
func (c *Customer) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var in customerJSON
	if err := wire.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("session: not the JSON of a Customer: %w", err)
	}
	if err := checkVersion("Customer", in.Version); err != nil {
		return err
	}
	read := Customer{in.CustomerReference, in.Environment, nil}
	for _, s := range in.Sessions {
		if s.IsZero() || s.environment != in.Environment {
			return errors.New("session: not the JSON of a Customer: a session is empty or of another environment")
		}
		read.sessions = joinSessions(read.sessions, []State{s})
	}
	if read.IsZero() {
		read = Customer{}
	}
	*c = read
	return nil
}

func checkVersion(what string, version int) error {
	switch {
	case version > formatVersion:
		return fmt.Errorf("session: the JSON of a %s is of version %d, this package reads up to %d: update it", what, version, formatVersion)
	case version < 1:
		return fmt.Errorf("session: not the JSON of a %s: it has no version", what)
	}
	return nil
}
