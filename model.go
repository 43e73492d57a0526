package idv

import (
	"errors"
	"strconv"
	"time"

	"example.com/idv/internal/wire"
)

// Mode is the kind of an API key, and whether what it makes is real (contract: authentication).
type Mode string

// The modes.
const (
	ModeTest Mode = "test" // no charge, no check of real data
	ModeLive Mode = "live" // real checks, billed
)

// Status is the outcome of a verification. Any value survives (contract: other values are not shown).
type Status string

// The statuses that are shown. They never change the HTTP status of an answer.
const (
	StatusValid   Status = "valid"
	StatusInvalid Status = "invalid"
)

// Match is one result of a comparison, in the details of a person or a company. Any value survives.
type Match string

// The values that are shown or were observed.
const (
	MatchFull             Match = "match"
	MatchPartial          Match = "partial_match"
	MatchNone             Match = "no_match"
	MatchMismatch         Match = "mismatch"          // observed, not in the written contract
	MatchNotFound         Match = "not_found"         // observed, not in the written contract
	MatchInsufficientData Match = "insufficient_data" // observed, not in the written contract
)

// Risk is a level of risk. Any value survives.
type Risk string

// The levels that are shown or were observed.
const (
	RiskLow              Risk = "low"
	RiskHigh             Risk = "high"              // observed, not in the written contract
	RiskNoMatch          Risk = "no_match"          // observed, not in the written contract
	RiskInsufficientData Risk = "insufficient_data" // observed, not in the written contract
)

// Time is a moment in UTC that goes over the wire as Unix seconds (contract: timestamps). The zero Time is null there.
type Time struct{ time.Time }

// MarshalJSON gives whole Unix seconds; a fraction is dropped.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, t.Unix(), 10), nil
}

var errNotSeconds = errors.New("idv: a timestamp is not an integer")

// UnmarshalJSON takes Unix seconds or null.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	seconds, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return errNotSeconds
	}
	*t = Time{time.Unix(seconds, 0).UTC()}
	return nil
}

// Ptr gives a pointer to v, for the optional fields of params.
func Ptr[T any](v T) *T { return &v }

// model is what every model has: the JSON that it was decoded from.
type model struct{ raw []byte }

// RawJSON is what the service sent for this object, members that the type does not know included; nil for an object
// that did not come from the service. It shares memory with the rest of its answer: do not change it, and copy it to
// keep it for long.
func (m *model) RawJSON() []byte { return m.raw }

var errForeign = errors.New("the answer is none of the objects of the API")

// receivedAs completes a model. One that came without an id is looked at twice: a null, an error object under a success
// and the greeting of a proxy decode as well as an object that has no member yet.
func (m *model) receivedAs(id string, raw []byte, v any) error {
	if id == "" && wire.Foreign(raw, v) {
		return errForeign
	}
	m.raw = raw
	return nil
}

// object is a model that the service identifies.
type object interface{ received(raw []byte) error }

func (p *Person) received(raw []byte) error         { return p.receivedAs(p.ID, raw, p) }
func (q *QuestionSet) received(raw []byte) error    { return q.receivedAs(q.ID, raw, q) }
func (c *Company) received(raw []byte) error        { return c.receivedAs(c.ID, raw, c) }
func (c *Candidate) received(raw []byte) error      { return c.receivedAs(c.ID, raw, c) }
func (h *Hit) received(raw []byte) error            { return h.receivedAs(h.ID, raw, h) }
func (m *WatchlistMatch) received(raw []byte) error { return m.receivedAs(m.ID, raw, m) }

// received completes an item of a list; one of a type of the caller's own needs nothing.
func received(item any, raw []byte) error {
	if o, ok := item.(object); ok {
		return o.received(raw)
	}
	return nil
}

// decoder is a type that decodes itself, because its items get their raw JSON.
type decoder interface {
	decode(body []byte) error
	self() any
}
