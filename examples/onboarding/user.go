package main

import (
	"fmt"
	"slices"

	"example.com/idv/idvtest"
)

// user plays the person in front of the hosted Flow, which a real service shows in the browser.
type user struct{ service *idvtest.Server }

// path is the way of a user through the template of the test service.
var path = [...]string{
	idvtest.StepAcceptTOS, idvtest.StepVerifySMS, idvtest.StepKYCCheck, idvtest.StepDocumentaryVerification,
	idvtest.StepSelfieCheck, idvtest.StepScreening, idvtest.StepRiskCheck,
}

// does has the user of a session go one step on, or end it with a status.
func (u user) does(sessionID, action string) error {
	s, err := u.service.FlowSession(sessionID)
	if err != nil {
		return err
	}
	if action != "next" {
		return s.Finish(action)
	}
	next := slices.Index(path[:], s.Step()) + 1
	if next == len(path) {
		return fmt.Errorf("%s is the last step", s.Step())
	}
	return s.EnterStep(path[next])
}
