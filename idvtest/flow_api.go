package idvtest

import (
	"net/http"
	"slices"
	"strconv"
)

const flowPath = "/flow_sessions"

// flowHandler answers a request whose signature has been verified.
type flowHandler func(r *http.Request, body []byte) (status int, session object, refused *flowError)

// routes adds the Flow API (observed, not in the written contract). It has the base address of the REST API, whose keys
// it does not know.
func (f *flow) routes(r *router) {
	r.handle(http.MethodGet, flowPath+"/{id}", f.signed(f.getSession))
	r.handle(http.MethodPost, flowPath, f.signed(f.createSession))
	r.handle(http.MethodPost, flowPath+"/retry", f.signed(f.retrySession))
}

func (f *flow) getSession(r *http.Request, _ []byte) (int, object, *flowError) {
	s, unknown := f.find(r.PathValue("id"))
	if unknown != nil {
		return 0, nil, noSuchSession("There is no Flow session with this id.", "")
	}
	return http.StatusOK, f.show(s), nil
}

// createSession makes a session that waits for its user. With idempotent=true it gives the customer the session that
// there is.
func (f *flow) createSession(r *http.Request, body []byte) (int, object, *flowError) {
	idempotent, refused := idempotence(r)
	if refused != nil {
		return 0, nil, refused
	}
	in, refused := parseFlow[sessionRequest](body)
	if refused != nil {
		return 0, nil, refused
	}
	s, created := f.provide(customer{in.User.CustomerReference, in.TemplateID}, in, idempotent)
	if !created {
		return http.StatusOK, f.show(s), nil
	}
	return http.StatusCreated, f.show(s), nil
}

func (f *flow) provide(c customer, in sessionRequest, idempotent bool) (s *Session, created bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.latest[c]; s != nil && idempotent {
		return s, false
	}
	s = f.create(c, in.user())
	s.shareable = in.Shareable
	return s, true
}

// retrySession starts the customer's latest session over.
func (f *flow) retrySession(_ *http.Request, body []byte) (int, object, *flowError) {
	in, refused := parseFlow[retryRequest](body)
	if refused != nil {
		return 0, nil, refused
	}
	old := f.latestOf(customer{in.CustomerReference, in.TemplateID})
	if old == nil {
		return 0, nil, noSuchSession("This customer has no Flow session of this template.", "/customer_reference")
	}
	next, retried := f.retry(old, retryPlan{in.Strategy, in.Steps})
	if retried != nil {
		return 0, nil, &flowError{http.StatusConflict, "Conflict", "This session is being retried already.", "/customer_reference"}
	}
	return http.StatusCreated, f.show(next), nil
}

func (f *flow) latestOf(c customer) *Session {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.latest[c]
}

func (f *flow) show(s *Session) object {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.record()
}

func idempotence(r *http.Request) (bool, *flowError) {
	text := r.URL.Query().Get("idempotent")
	if !slices.Contains([]string{"", "true", "false"}, text) {
		return false, badFlowRequest("The parameter idempotent is true or false.", "")
	}
	idempotent, _ := strconv.ParseBool(text)
	return idempotent, nil
}
