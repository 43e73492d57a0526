package flow

import (
	"maps"
	"slices"

	"example.com/idv"
)

// SessionParams is what a session is made of (observed, not in the written contract). Empty optional fields are left out.
type SessionParams struct {
	private `json:"-"`
	// TemplateID is the Flow template, "flwtmp_...". Required.
	TemplateID string `json:"template_id"`
	// Shareable asks for a URL that leads the user to the session.
	Shareable bool       `json:"shareable"`
	User      UserParams `json:"user"`
	// Idempotent asks for the session that this customer reference has of this template, if there is one. It makes Create
	// safe to repeat.
	Idempotent bool `json:"-"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// UserParams is what is known of the user of a session beforehand.
type UserParams struct {
	private `json:"-"`
	// CustomerReference is your own id of the customer, which comes back in every event. Required.
	CustomerReference string      `json:"customer_reference"`
	Email             string      `json:"email,omitzero"` // optional
	Phone             string      `json:"phone,omitzero"` // optional
	Name              *NameParams `json:"name,omitzero"`  // optional
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// NameParams is the name of the user of a session.
type NameParams struct {
	private `json:"-"`
	First   string `json:"first"`
	Last    string `json:"last"`
}

// Validate reports what is missing, as an *idv.ParamError with the JSON name of the member. Create calls it, whatever the
// options.
func (p *SessionParams) Validate() error {
	if p.TemplateID == "" {
		return empty("template_id")
	}
	if p.User.CustomerReference == "" {
		return empty("user.customer_reference")
	}
	return nil
}

// RetryParams is what a retry takes (observed, not in the written contract).
type RetryParams struct {
	private `json:"-"`
	// CustomerReference and TemplateID name the customer whose latest session is retried. Required.
	CustomerReference string `json:"customer_reference"`
	TemplateID        string `json:"template_id"`
	// Strategy says which steps are repeated. Required.
	Strategy Strategy `json:"strategy"`
	// Steps are those that StrategyCustom repeats, each with true.
	Steps map[Step]bool `json:"steps,omitempty"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// Validate reports what is missing or contradictory, as an *idv.ParamError with the JSON name of the member. Retry calls
// it.
func (p *RetryParams) Validate() error {
	switch {
	case p.CustomerReference == "":
		return empty("customer_reference")
	case p.TemplateID == "":
		return empty("template_id")
	case p.Strategy == "":
		return empty("strategy")
	}
	wanted := slices.Contains(slices.Collect(maps.Values(p.Steps)), true)
	switch p.Strategy {
	case StrategyCustom:
		if !wanted {
			return &idv.ParamError{Param: "steps", Problem: "name no step to repeat, which the strategy custom needs"}
		}
	case StrategyReset, StrategyIncomplete, StrategyInfer:
		if len(p.Steps) > 0 {
			return &idv.ParamError{Param: "steps", Problem: "go with the strategy custom only"}
		}
	}
	return nil
}

func empty(param string) error { return &idv.ParamError{Param: param, Problem: "is empty"} }
