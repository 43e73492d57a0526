package idvtest

import (
	"maps"
	"slices"
)

// sessionUser is what a session knows about its user.
type sessionUser struct {
	email, phone string
	name         *sessionUserName
}

type sessionUserName struct{ first, last string }

// newSteps returns the steps before the first: the template uses all but the identity pre-check.
func newSteps() map[string]string {
	steps := make(map[string]string, len(allSteps))
	for _, step := range allSteps {
		steps[step] = stepWaiting
	}
	steps[StepKYCScreen] = stepNotApplicable
	return steps
}

// record returns the whole session as the API shows it (observed, not in the written contract).
func (s *Session) record() object {
	return s.flow.config.extended(object{
		{"id", s.ID},
		{"customer_reference", s.CustomerReference},
		{"created_at", timestamp(s.created)},
		{"completed_at", timestampOrNil(s.completed)},
		{"previous_session_id", textOrNil(s.PreviousSessionID)},
		{"shareable_url", s.shareableURL()},
		{"template", object{{"id", s.template}, {"version", 1}}},
		{"user", s.user.record()},
		{"status", s.status},
		{"steps", s.stepsRecord()},
		{"kyc_check", s.stepResult(StepKYCCheck)},
		{"documentary_verification", s.stepResult(StepDocumentaryVerification)},
		{"screening_id", textOrNil(s.screening)},
		{"_meta", s.flow.config.notice()},
	})
}

// stepsRecord has the steps of the contract, then those that a later version might have.
func (s *Session) stepsRecord() object {
	var steps object
	for _, step := range append(allSteps[:len(allSteps):len(allSteps)], slices.Sorted(maps.Keys(s.steps))...) {
		if steps.get(step) == nil {
			steps = steps.with(step, s.steps[step])
		}
	}
	return steps
}

// stepResult is null until the user has come to the step.
func (s *Session) stepResult(step string) any {
	switch status := s.steps[step]; status {
	case stepWaiting, stepNotApplicable:
		return nil
	default:
		return object{{"status", status}}
	}
}

// shareableURL is made up, at a host name that is reserved for examples.
func (s *Session) shareableURL() any {
	if !s.shareable {
		return nil
	}
	return "https://verify.example.com/" + s.ID
}

func (u sessionUser) record() object {
	var name any
	if u.name != nil {
		name = object{{"first", u.name.first}, {"last", u.name.last}}
	}
	return object{
		{"email", textOrNil(u.email)},
		{"ip_address", nil},
		{"phone", textOrNil(u.phone)},
		{"date_of_birth", nil},
		{"name", name},
		{"address", nil},
		{"id_number", nil},
	}
}

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}
