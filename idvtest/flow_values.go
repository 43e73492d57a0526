package idvtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Kinds of events (contract: Events). They are untyped, so that they fit this package and the types of a receiver alike;
// so are the steps and the statuses.
const (
	KindStepUpdated            = "flow_session.step.updated"
	KindStatusUpdated          = "flow_session.status.updated"
	KindRetried                = "flow_session.retried"
	KindScreeningUpdated       = "screening.status.updated"
	KindEntityScreeningUpdated = "entity_screening.status.updated"
)

// Steps of a Flow session (contract: Values of step).
const (
	StepAcceptTOS               = "accept_tos"
	StepVerifySMS               = "verify_sms"
	StepKYCCheck                = "kyc_check"
	StepKYCScreen               = "kyc_screen"
	StepDocumentaryVerification = "documentary_verification"
	StepSelfieCheck             = "selfie_check"
	StepScreening               = "screening"
	StepRiskCheck               = "risk_check"
)

// Statuses of a Flow session (contract: States and transitions).
const (
	StatusActive        = "active"
	StatusSuccess       = "success"
	StatusFailed        = "failed"
	StatusExpired       = "expired"
	StatusCanceled      = "canceled"
	StatusPendingReview = "pending_review"
)

// Statuses of the single steps in the session record, beyond those of sessions (observed, not in the written contract).
const (
	stepSuccess       = StatusSuccess
	stepWaiting       = "waiting_for_prerequisite"
	stepNotApplicable = "not_applicable"
)

// Environments say where an event comes from (contract: Webhook event).
const (
	environmentSandbox = "sandbox"
	environmentLive    = "live"
)

// Why a change of a session or a webhook was refused. The errors that wrap them name the value that was at fault.
var (
	ErrNoSession      = errors.New("no Flow session")
	ErrNoWebhook      = errors.New("no webhook")
	ErrSessionEnded   = errors.New("the Flow session has ended")
	ErrUnknownValue   = errors.New("unknown value")
	ErrInvalidURL     = errors.New("invalid webhook URL")
	ErrNotConnected   = errors.New("the screening product is not connected to Flow")
	ErrAlreadyRetried = errors.New("the Flow session has been retried already")
)

var (
	allKinds = []string{KindStepUpdated, KindStatusUpdated, KindRetried, KindScreeningUpdated, KindEntityScreeningUpdated}

	// allSteps are in the order in which a session passes them.
	allSteps = []string{StepAcceptTOS, StepVerifySMS, StepKYCCheck, StepKYCScreen,
		StepDocumentaryVerification, StepSelfieCheck, StepScreening, StepRiskCheck}

	finalStatuses = []string{StatusSuccess, StatusFailed, StatusExpired, StatusCanceled, StatusPendingReview}
)

// known returns an error that lists the known values unless value is one of them.
func known(what, value string, values []string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return fmt.Errorf("idvtest: %w: %s %q; known are %s", ErrUnknownValue, what, value, strings.Join(values, ", "))
}
