package flow

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"example.com/idv/internal/redact"
	"example.com/idv/internal/wire"
)

// private is embedded in what holds nothing but personal data.
type private = redact.Private

// Session is a Flow session (observed, not in the written contract). A pointer is nil where the service sends null.
type Session struct {
	ID string `json:"id"`
	// CustomerReference is the value that the customer's application gave as customerReference.
	CustomerReference string `json:"customer_reference"`
	Status            Status `json:"status"`
	CreatedAt         Time   `json:"created_at"`
	// CompletedAt is zero until the session has ended.
	CompletedAt Time `json:"completed_at"`
	// PreviousSessionID is the session that this one retries, nil if it retries none.
	PreviousSessionID *string `json:"previous_session_id"`
	// ShareableURL leads the user to the session; nil unless it was created as shareable.
	ShareableURL *string  `json:"shareable_url"`
	Template     Template `json:"template"`
	User         User     `json:"user"`
	// Steps says how far the session is with each step. CurrentStep finds the one that the user is at.
	Steps map[Step]StepStatus `json:"steps"`
	// KYCCheck and DocumentaryVerification are the results of these steps, nil until there are any.
	KYCCheck                JSON `json:"kyc_check"`
	DocumentaryVerification JSON `json:"documentary_verification"`
	// ScreeningID is the watchlist screening of the user, nil if there is none.
	ScreeningID *string `json:"screening_id"`
	// Meta is the service's reminder that the format may change.
	Meta Text `json:"_meta"`

	raw  []byte
	asOf time.Time
}

// Template is what a session was made from.
type Template struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// User is what a session knows of its user. Every member is nil until it is known. It prints without them.
type User struct {
	private     `json:"-"`
	Email       *string   `json:"email"`
	IPAddress   *string   `json:"ip_address"`
	Phone       *string   `json:"phone"`
	DateOfBirth *string   `json:"date_of_birth"`
	Name        *Name     `json:"name"`
	Address     JSON      `json:"address"`
	IDNumber    *IDNumber `json:"id_number"`
}

// Name is the name of a person. It prints without its members.
type Name struct {
	private `json:"-"`
	First   string `json:"first"`
	Last    string `json:"last"`
}

// IDNumber is an identity number of a user. It prints without its members.
type IDNumber struct {
	private  `json:"-"`
	Value    string `json:"value"`
	Type     string `json:"type"`
	Category string `json:"category"`
}

// CurrentStep returns the step that the user is at: of an active session the first whose status is active, in the order
// in which a user comes to them. It is "" for a session that has ended or that nobody has begun.
func (s *Session) CurrentStep() Step {
	if s.Status != StatusActive {
		return ""
	}
	for _, step := range append(steps(), slices.Sorted(maps.Keys(s.Steps))...) {
		if s.Steps[step] == StepStatusActive {
			return step
		}
	}
	return ""
}

// AsOf returns the Date header of the answer, by the service's clock: what happened later is not in the session. It is
// zero for a session that did not come from the service.
func (s *Session) AsOf() time.Time { return s.asOf }

// RawJSON is what the service sent, members that the type does not know included; nil for a session that did not come from
// the service. Do not change it.
func (s *Session) RawJSON() []byte { return s.raw }

// Extra returns the members of the answer that Session has no field for, nil if there are none.
func (s *Session) Extra() map[string]json.RawMessage { return wire.Unknown(s.raw, s) }

// Format prints id and status, whatever the verb.
func (s Session) Format(f fmt.State, verb rune) {
	redact.Write(f, verb, fmt.Sprintf("flow.Session{ID:%s Status:%s}", s.ID, s.Status))
}

// LogValue gives id and status.
func (s Session) LogValue() slog.Value {
	return slog.GroupValue(slog.String("id", s.ID), slog.String("status", string(s.Status)))
}

// answer is a Session to be decoded from an answer.
type answer Session

var errNoID = errors.New("the session has no id")

// DecodeAnswer refuses what names no session: a JSON object from elsewhere, such as a proxy's.
func (a *answer) DecodeAnswer(header http.Header, body []byte) error {
	var s Session
	if err := wire.Unmarshal(body, &s); err != nil {
		return err
	}
	if s.ID == "" {
		return errNoID
	}
	s.raw = body
	s.asOf, _ = http.ParseTime(header.Get("Date")) // zero where there is none
	*a = answer(s)
	return nil
}
