package webhook

import (
	"errors"
	"strings"
)

// Validate reports where e differs from the contract; see Event.
func (e *StepUpdated) Validate() error {
	return errors.Join(e.oddities(), e.Session.oddities(), e.Session.progressOddities())
}

// Validate reports where e differs from the contract; see Event.
func (e *Retried) Validate() error {
	return errors.Join(e.oddities(), e.Session.oddities(), e.Session.progressOddities())
}

// Validate reports where e differs from the contract; see Event.
func (e *StatusUpdated) Validate() error {
	return errors.Join(e.oddities(), e.Session.oddities(), e.Session.endOddities())
}

// Validate reports where e differs from the contract, which says nothing about its data; see Event.
func (e *ScreeningUpdated) Validate() error { return e.oddities() }

// Validate reports where e differs from the contract, its kind among it; see Event.
func (e *UnknownEvent) Validate() error {
	return errors.Join(errors.New("webhook: event is none of the contract's kinds"), e.oddities())
}

func (e *Envelope) oddities() error {
	var odd oddities
	odd.flag(!strings.HasPrefix(e.ID, "whkevt_"), "id does not begin with whkevt_")
	odd.flag(e.Timestamp.IsZero(), "timestamp is missing or no ISO 8601 date-time with a zone")
	odd.flag(e.Environment != EnvironmentSandbox && e.Environment != EnvironmentLive, "environment is neither sandbox nor live")
	return odd.join()
}

func (s *Session) oddities() error {
	var odd oddities
	odd.flag(s.Object != "flow_session", "data.object is not flow_session")
	odd.flag(!strings.HasPrefix(s.ID, "flwses_"), "data.id does not begin with flwses_")
	odd.flag(s.CustomerReference == "", "data.customer_reference is missing or empty")
	odd.flag(!s.Status.Known(), "data.status is none of the contract's statuses")
	odd.flag(s.Step != "" && !s.Step.Known(), "data.step is none of the contract's steps")
	return odd.join()
}

// progressOddities is about the kinds that report an active session.
func (s *Session) progressOddities() error {
	var odd oddities
	odd.flag(s.Status.Terminal(), "data.status is terminal in an event about an active session")
	odd.flag(s.Step == "", "data.step is null in an event about an active session")
	return odd.join()
}

func (s *Session) endOddities() error {
	var odd oddities
	odd.flag(s.Status == StatusActive, "data.status is active in a status update")
	odd.flag(s.Step != "", "data.step is set in a status update")
	return odd.join()
}

type oddities []error

func (o *oddities) flag(odd bool, what string) {
	if odd {
		*o = append(*o, errors.New("webhook: "+what))
	}
}

func (o oddities) join() error { return errors.Join(o...) }
