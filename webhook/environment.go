package webhook

import (
	"errors"
	"slices"

	"example.com/idv/internal/wire"
)

// WithEnvironments sets the environments whose events are expected: the others are refused with [ErrEnvironment]. The
// default expects any. A live receiver wants EnvironmentLive alone, since a sandbox session that succeeds proves
// nothing; sandbox and live have base addresses of their own, but nothing in the signature tells them apart.
//
// The environment stands in the body, so the body must be an event: without this option any signed body is verified,
// with it another one is refused with [ErrPayload].
func WithEnvironments(env ...Environment) Option {
	return func(v *Verifier) error {
		if len(env) == 0 || slices.Contains(env, "") {
			return errors.New("webhook: WithEnvironments needs the environments that are expected, and none of them empty")
		}
		v.environments = slices.Clone(env)
		return nil
	}
}

func (v *Verifier) expects(env Environment) bool {
	return v.environments == nil || slices.Contains(v.environments, env)
}

// checkEnvironment gives the verdict on a verified body that nobody parses as an event.
func (v *Verifier) checkEnvironment(body []byte) error {
	if v.environments == nil {
		return nil
	}
	var event struct {
		Environment Environment `json:"environment"`
	}
	if err := wire.Unmarshal(body, &event); err != nil {
		return payloadError("", err)
	}
	if !v.expects(event.Environment) {
		return ErrEnvironment
	}
	return nil
}
