package idvtest

import (
	"cmp"
	"fmt"
)

// Strategies of a retry (reset observed, the others inferred; none in the written contract).
const (
	strategyReset      = "reset"      // every step again
	strategyIncomplete = "incomplete" // the steps that were not passed
	strategyInfer      = "infer"      // the steps that were not passed, or every step if all were
	strategyCustom     = "custom"     // the steps that are asked for
)

var allStrategies = []string{strategyReset, strategyIncomplete, strategyInfer, strategyCustom}

// retryPlan says which steps a retry repeats.
type retryPlan struct {
	strategy string
	steps    map[string]bool // of strategyCustom
}

// retry starts the session that follows old.
func (f *flow) retry(old *Session, plan retryPlan) (*Session, error) {
	var next *Session
	err := f.change(func() ([]event, error) {
		if old.retriedAs != "" {
			return nil, fmt.Errorf("idvtest: %w: %s as %s", ErrAlreadyRetried, old.ID, old.retriedAs)
		}
		var events []event
		if old.status == StatusActive {
			events = f.end(old, StatusCanceled)
		}
		next = f.follow(old, plan)
		return append(events, f.sessionEvent(KindRetried, next)), nil
	})
	return next, err
}

// follow creates the session after old, at the first step that is to be repeated; the other steps keep what they had.
func (f *flow) follow(old *Session, plan retryPlan) *Session {
	next := f.create(customer{old.CustomerReference, old.template}, old.user)
	next.PreviousSessionID, next.shareable = old.ID, old.shareable
	old.retriedAs = next.ID
	first := ""
	for _, step := range allSteps {
		if plan.repeats(old, step) {
			first = cmp.Or(first, step)
		} else {
			next.steps[step] = old.steps[step]
		}
	}
	f.enter(next, cmp.Or(first, StepAcceptTOS))
	return next
}

func (p retryPlan) repeats(old *Session, step string) bool {
	passed := old.steps[step] == stepSuccess
	skipped := old.steps[step] == stepNotApplicable
	switch p.strategy {
	case strategyIncomplete:
		return !passed && !skipped
	case strategyInfer:
		return (!passed || old.status == StatusSuccess) && !skipped
	case strategyCustom:
		return p.steps[step]
	}
	return !skipped
}
