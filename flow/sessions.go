package flow

import (
	"context"
	"net/http"
	"net/url"

	"example.com/idv"
	"example.com/idv/internal/route"
)

// SessionsService looks Flow sessions up, creates them and retries them.
type SessionsService struct{ api *idv.Client }

// Get looks a session up, by the id that an event carries as data.id. It is repeated after failures that may pass. An
// unknown id is idv.ErrNotFound.
//
// Observed, not in the written contract. Errors: *idv.ParamError, *idv.Error, *idv.TransportError, *idv.DecodeError.
func (s *SessionsService) Get(ctx context.Context, id string, opts ...idv.CallOption) (*Session, error) {
	path, problem := route.Fill(routeSession, id)
	if problem != "" {
		return nil, &idv.ParamError{Param: "id", Problem: problem}
	}
	return s.call(ctx, http.MethodGet, path, nil, nil, opts)
}

// Create makes a session that waits for its user, or, where params are idempotent, answers the one that this customer has
// of this template; idv.CaptureResponse tells the two apart by the status, 201 and 200.
//
// It is sent at most once, unless params are idempotent: then it is repeated after failures that may pass, and after an
// *idv.UncertainError it can simply be called again.
//
// Observed, not in the written contract. Errors: *idv.ParamError, *idv.Error, *idv.UncertainError, *idv.TransportError,
// *idv.DecodeError.
func (s *SessionsService) Create(ctx context.Context, params *SessionParams, opts ...idv.CallOption) (*Session, error) {
	if params == nil {
		return nil, &idv.ParamError{Param: "params", Problem: "is nil"}
	}
	if err := params.Validate(); err != nil {
		return nil, err
	}
	var query url.Values
	if params.Idempotent {
		query = url.Values{"idempotent": {"true"}}
	}
	return s.call(ctx, http.MethodPost, routeSessions, query, params, opts)
}

// Retry starts the latest session of a customer over, in a new session, which it answers and which
// flow_session.retried reports. A predecessor that is still active is canceled.
//
// It is sent at most once. After an *idv.UncertainError the event tells whether it ran, and so does a look-up of the
// predecessor if it was active: it is canceled then.
//
// Observed, not in the written contract. Errors: *idv.ParamError, *idv.Error, *idv.UncertainError, *idv.TransportError,
// *idv.DecodeError.
func (s *SessionsService) Retry(ctx context.Context, params *RetryParams, opts ...idv.CallOption) (*Session, error) {
	if params == nil {
		return nil, &idv.ParamError{Param: "params", Problem: "is nil"}
	}
	if err := params.Validate(); err != nil {
		return nil, err
	}
	return s.call(ctx, http.MethodPost, routeRetry, nil, params, opts)
}

func (s *SessionsService) call(ctx context.Context, method, path string, query url.Values, in any, opts []idv.CallOption) (*Session, error) {
	out := new(answer)
	if err := s.api.Call(ctx, method, path, query, in, out, opts...); err != nil {
		return nil, err
	}
	return (*Session)(out), nil
}
