package idvtest

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// sessionRequest is the body of POST /flow_sessions.
type sessionRequest struct {
	Shareable  bool   `json:"shareable"`
	TemplateID string `json:"template_id"`
	User       struct {
		CustomerReference string `json:"customer_reference"`
		Email             string `json:"email"`
		Phone             string `json:"phone"`
		Name              *struct {
			First string `json:"first"`
			Last  string `json:"last"`
		} `json:"name"`
	} `json:"user"`
}

func (in sessionRequest) check() *flowError {
	if refused := checkTemplate(in.TemplateID); refused != nil {
		return refused
	}
	return filled(in.User.CustomerReference, "/user/customer_reference")
}

func (in sessionRequest) user() sessionUser {
	u := sessionUser{email: in.User.Email, phone: in.User.Phone}
	if name := in.User.Name; name != nil {
		u.name = &sessionUserName{first: name.First, last: name.Last}
	}
	return u
}

// retryRequest is the body of POST /flow_sessions/retry.
type retryRequest struct {
	CustomerReference string          `json:"customer_reference"`
	TemplateID        string          `json:"template_id"`
	Strategy          string          `json:"strategy"`
	Steps             map[string]bool `json:"steps"`
}

func (in retryRequest) check() *flowError {
	if refused := filled(in.CustomerReference, "/customer_reference"); refused != nil {
		return refused
	}
	if refused := checkTemplate(in.TemplateID); refused != nil {
		return refused
	}
	if !slices.Contains(allStrategies, in.Strategy) {
		return badFlowRequest("The strategy is one of "+strings.Join(allStrategies, ", ")+".", "/strategy")
	}
	if in.Strategy == strategyCustom {
		return in.checkSteps()
	}
	return nil
}

// checkSteps wants a step to repeat, of the names that the contract has.
func (in retryRequest) checkSteps() *flowError {
	wanted := false
	for step, repeat := range in.Steps {
		if !slices.Contains(allSteps, step) {
			return badFlowRequest("This step does not exist.", "/steps/"+step)
		}
		wanted = wanted || repeat
	}
	if !wanted {
		return badFlowRequest("The strategy custom needs a step that is true.", "/steps")
	}
	return nil
}

func checkTemplate(id string) *flowError {
	if refused := filled(id, "/template_id"); refused != nil {
		return refused
	}
	if !strings.HasPrefix(id, "flwtmp_") {
		return badFlowRequest("A template id begins with flwtmp_.", "/template_id")
	}
	return nil
}

func filled(text, pointer string) *flowError {
	if text == "" {
		return badFlowRequest("This member is required.", pointer)
	}
	return nil
}

// parseFlow reads and checks a body; the refusal points to the member that is at fault.
func parseFlow[T interface{ check() *flowError }](body []byte) (in T, refused *flowError) {
	err := json.Unmarshal(body, &in)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return in, in.check()
	case errors.As(err, &wrong):
		return in, badFlowRequest("This member has the wrong type.", "/"+strings.ReplaceAll(wrong.Field, ".", "/"))
	}
	return in, badFlowRequest("The body is not a JSON object.", "")
}
