package flow

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"example.com/idv/internal/redact"
	"example.com/idv/internal/wire"
)

// Status is the status of a Flow session. Any value survives.
type Status string

// The statuses of the webhooks (contract: states and transitions).
const (
	StatusActive        Status = "active"
	StatusSuccess       Status = "success"
	StatusFailed        Status = "failed"
	StatusExpired       Status = "expired" // also of a session that stays active for 48 hours (observed)
	StatusCanceled      Status = "canceled"
	StatusPendingReview Status = "pending_review"
)

// Step is a step of a Flow session. Any value survives.
type Step string

// The steps of the webhooks (contract: values of step), in the order in which a user comes to them.
const (
	StepAcceptTOS               Step = "accept_tos"
	StepVerifySMS               Step = "verify_sms"
	StepKYCScreen               Step = "kyc_screen"
	StepKYCCheck                Step = "kyc_check"
	StepDocumentaryVerification Step = "documentary_verification"
	StepSelfieCheck             Step = "selfie_check"
	StepScreening               Step = "screening"
	StepRiskCheck               Step = "risk_check"
)

// steps are the known steps, in the order in which a user comes to them.
func steps() []Step {
	return []Step{
		StepAcceptTOS, StepVerifySMS, StepKYCScreen, StepKYCCheck,
		StepDocumentaryVerification, StepSelfieCheck, StepScreening, StepRiskCheck,
	}
}

// StepStatus is how far a session is with one step. Any value survives: that of a step whose session has ended is often
// the status of the session.
type StepStatus string

// The statuses of a step (observed, not in the written contract).
const (
	StepStatusActive                 StepStatus = "active"
	StepStatusSuccess                StepStatus = "success"
	StepStatusWaitingForPrerequisite StepStatus = "waiting_for_prerequisite"
	StepStatusNotApplicable          StepStatus = "not_applicable"
)

// Strategy says which steps a retry repeats. Any value is sent.
type Strategy string

// The strategies (observed, not in the written contract: reset was seen, the others are inferred).
const (
	StrategyReset      Strategy = "reset"      // every step
	StrategyIncomplete Strategy = "incomplete" // the steps that were not passed
	StrategyInfer      Strategy = "infer"      // what the service thinks best
	StrategyCustom     Strategy = "custom"     // the steps that RetryParams.Steps names
)

// Time is a moment in UTC that goes over the wire as an ISO 8601 date-time. The zero Time is null there; so decodes
// what is no date-time with a zone, which RawJSON still has: a beta format may not cost a look-up.
type Time struct{ time.Time }

// MarshalJSON gives an ISO 8601 date-time, or null for the zero Time.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	return t.Time.MarshalJSON()
}

// UnmarshalJSON never fails on well-formed JSON.
func (t *Time) UnmarshalJSON(b []byte) error {
	parsed, err := time.Parse(time.RFC3339, strings.ToUpper(string(bytes.Trim(b, `"`))))
	*t = Time{}
	if y := parsed.UTC().Year(); err == nil && y >= 0 && y <= 9999 {
		t.Time = parsed.UTC()
	}
	return nil
}

// JSON is a part of a session whose members are not known, as the service sent it; nil where it is null. Decode it with
// encoding/json. It holds personal data and prints without them.
type JSON []byte

// MarshalJSON gives j itself, or null.
func (j JSON) MarshalJSON() ([]byte, error) {
	if len(j) == 0 {
		return []byte("null"), nil
	}
	return j, nil
}

// UnmarshalJSON keeps a copy of b.
func (j *JSON) UnmarshalJSON(b []byte) error {
	*j = nil
	if string(b) != "null" {
		*j = bytes.Clone(b)
	}
	return nil
}

// Format prints nothing of the value, whatever the verb.
func (j JSON) Format(f fmt.State, verb rune) { redact.Write(f, verb, redact.NotPrinted) }

// LogValue gives nothing of the value.
func (j JSON) LogValue() slog.Value { return slog.StringValue(redact.NotPrinted) }

// Text is a string that decides nothing, so that no change of its JSON type may cost a look-up: null is "", and what is
// no string stays JSON.
type Text string

// UnmarshalJSON never fails on well-formed JSON.
func (t *Text) UnmarshalJSON(b []byte) error {
	if wire.Unmarshal(b, (*string)(t)) != nil {
		*t = Text(b)
	}
	return nil
}
