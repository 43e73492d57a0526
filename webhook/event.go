package webhook

import (
	"encoding/json"
	"time"

	"example.com/idv/internal/wire"
)

// Kind says what an event reports. The set is open: a kind that the service adds later arrives as an *UnknownEvent.
type Kind string

// The kinds of the contract. The two screening kinds come only where the screening product is connected to Flow by a
// setting of the Flow template (contract: events 2).
const (
	KindStepUpdated            Kind = "flow_session.step.updated"
	KindStatusUpdated          Kind = "flow_session.status.updated"
	KindRetried                Kind = "flow_session.retried"
	KindScreeningUpdated       Kind = "screening.status.updated"
	KindEntityScreeningUpdated Kind = "entity_screening.status.updated"
)

// Environment says whether an event comes from the test or the live environment.
type Environment string

// The two environments of the contract.
const (
	EnvironmentSandbox Environment = "sandbox"
	EnvironmentLive    Environment = "live"
)

// Status is the status of a Flow session. The set is open: an unknown status is kept as it came.
type Status string

// The six statuses of the contract. Active comes with step updates and retries, the others with status updates.
// Whether pending_review is final the contract does not say.
const (
	StatusActive        Status = "active"
	StatusSuccess       Status = "success"
	StatusFailed        Status = "failed"
	StatusExpired       Status = "expired"
	StatusCanceled      Status = "canceled"
	StatusPendingReview Status = "pending_review"
)

// Terminal tells whether the contract counts s among the terminal states of a session. An unknown status is not.
func (s Status) Terminal() bool { return s.Known() && s != StatusActive }

// Known tells whether s is one of the six statuses of the contract.
func (s Status) Known() bool {
	switch s {
	case StatusActive, StatusSuccess, StatusFailed, StatusExpired, StatusCanceled, StatusPendingReview:
		return true
	}
	return false
}

// Step is the step of a Flow session that the user is at. The set is open: an unknown step is kept as it came.
type Step string

// The eight steps of the contract.
const (
	StepAcceptTOS               Step = "accept_tos"
	StepVerifySMS               Step = "verify_sms"
	StepKYCCheck                Step = "kyc_check"
	StepKYCScreen               Step = "kyc_screen" // from an earlier description of the field
	StepDocumentaryVerification Step = "documentary_verification"
	StepSelfieCheck             Step = "selfie_check"
	StepScreening               Step = "screening"
	StepRiskCheck               Step = "risk_check"
)

// Known tells whether s is one of the eight steps of the contract.
func (s Step) Known() bool {
	switch s {
	case StepAcceptTOS, StepVerifySMS, StepKYCCheck, StepKYCScreen,
		StepDocumentaryVerification, StepSelfieCheck, StepScreening, StepRiskCheck:
		return true
	}
	return false
}

// Event is one of *StepUpdated, *StatusUpdated, *Retried, *ScreeningUpdated and *UnknownEvent; a type switch tells
// which. An event owns its memory: it may be kept after the request it came with is gone.
type Event interface {
	// Common returns what every event has.
	Common() *Envelope
	// Validate reports where the event differs from the contract. Nothing is refused for it: the format is a beta and
	// may change. The error names members, never their values.
	Validate() error
}

// Envelope is what every event has.
type Envelope struct {
	// ID identifies the event, "whkevt_..."; all deliveries of one event carry the same. Never empty.
	ID string
	// Kind is what the event reports.
	Kind Kind
	// Timestamp is when it happened, in UTC. It is not when it was sent, and the zero time where the member is missing
	// or no ISO 8601 date-time with a zone.
	Timestamp time.Time
	// Environment is sandbox or live.
	Environment Environment
	// Data is the member data as it came, byte for byte; nil where it is missing.
	Data json.RawMessage
	// Raw is the whole body as it came.
	Raw json.RawMessage
}

// Common returns e itself: the way to it from an Event.
func (e *Envelope) Common() *Envelope { return e }

// Extra returns the members of the event that the contract does not know, by name; nil where there is none. It reads
// the body anew at each call.
func (e *Envelope) Extra() map[string]json.RawMessage { return wire.Unknown(e.Raw, (*wireEvent)(nil)) }

// DataExtra returns the members of data that Session has no field for, by name; nil where there is none. It reads the
// data anew at each call.
func (e *Envelope) DataExtra() map[string]json.RawMessage {
	return wire.Unknown(e.Data, (*wireSession)(nil))
}

// Session is the data of the events about Flow sessions.
type Session struct {
	// Object is "flow_session".
	Object string
	// ID identifies the session, "flwses_...". The session can be looked up with it.
	ID string
	// CustomerReference is what the customer gave as customerReference; it finds the user the event is about.
	CustomerReference string
	// Meta is the service's reminder that the format is a beta. Where it is no JSON string, its JSON.
	Meta string
	// Status is the session's status at the event's timestamp.
	Status Status
	// Step is where the user is; "" where it is null, as in all status updates.
	Step Step
}

// StepUpdated reports that the user has moved to a step: the status is active and the step is set.
type StepUpdated struct {
	Envelope
	Session Session
}

// StatusUpdated reports that a session has reached a terminal state: success, failed, expired, canceled or
// pending_review. The step is "".
type StatusUpdated struct {
	Envelope
	Session Session
}

// Retried reports that a retry has started a new session, which is active and at its first step. The event does not
// say which session it follows; package session orders the sessions of one customer reference.
type Retried struct {
	Envelope
	Session Session
}

// ScreeningUpdated reports on a screening, of a person or an entity as its Kind says. The contract does not show its
// data, so they stay as they came, in Data.
type ScreeningUpdated struct{ Envelope }

// UnknownEvent is an event of a kind that this version does not know. Its data stay as they came, in Data.
type UnknownEvent struct{ Envelope }

// SessionOf returns the session that an event is about; false for screenings and unknown kinds.
func SessionOf(e Event) (Session, bool) {
	switch e := e.(type) {
	case *StepUpdated:
		return e.Session, true
	case *StatusUpdated:
		return e.Session, true
	case *Retried:
		return e.Session, true
	}
	return Session{}, false
}
