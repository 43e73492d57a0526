package main

import (
	"bytes"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// view is what a page shows of a customer.
type view struct {
	Reference, Signature string
	SessionID, Status    string
	Decision             string
	Steps                []stepView
	Sessions             []sessionView
	Log                  []line
	Counts               counts
}

type stepView struct{ Name, State string }

type sessionView struct{ ID, Status string }

func (a *app) home(w http.ResponseWriter, _ *http.Request) { a.render(w, "home.html", nil) }

// begin creates the session of a customer, or finds the one that there is, so that a second click does no harm. A real
// application knows its customer from the login and takes no reference from a form.
func (a *app) begin(w http.ResponseWriter, r *http.Request) {
	reference := strings.TrimSpace(r.FormValue("reference"))
	if a.sign(reference) == "" {
		http.Error(w, "a reference holds no control characters", http.StatusBadRequest)
		return
	}
	started, err := a.api.Sessions.Create(r.Context(), &flow.SessionParams{
		TemplateID: idvtest.FlowTemplate,
		User:       flow.UserParams{CustomerReference: reference},
		Idempotent: true,
	})
	if err != nil {
		refuse(w, err)
		return
	}
	_ = a.change(reference, func(c *customer) error { c.started = started; return nil })
	http.Redirect(w, r, "/customers/"+url.PathEscape(reference), http.StatusSeeOther)
}

func (a *app) show(w http.ResponseWriter, r *http.Request) {
	v, _, known := a.view(r.PathValue("reference"))
	if !known {
		http.NotFound(w, r)
		return
	}
	a.render(w, "customer.html", v)
}

// retry asks the service to start the customer's latest session over.
func (a *app) retry(w http.ResponseWriter, r *http.Request) {
	_, err := a.api.Sessions.Retry(r.Context(), &flow.RetryParams{
		CustomerReference: r.PathValue("reference"), TemplateID: idvtest.FlowTemplate, Strategy: flow.StrategyReset,
	})
	done(w, err)
}

// play has the user do something; the webhooks tell the application.
func (a *app) play(w http.ResponseWriter, r *http.Request) {
	v, _, known := a.view(r.PathValue("reference"))
	if !known {
		http.NotFound(w, r)
		return
	}
	done(w, a.user.does(v.SessionID, r.FormValue("action")))
}

func done(w http.ResponseWriter, err error) {
	if err != nil {
		refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// refuse tells the visitor's mistake from the application's trouble.
func refuse(w http.ResponseWriter, err error) {
	status := http.StatusConflict
	var wrong *idv.ParamError
	var uncertain *idv.UncertainError
	switch {
	case errors.As(err, &wrong), errors.Is(err, idv.ErrValidation):
		status = http.StatusBadRequest
	case errors.As(err, &uncertain), errors.Is(err, idv.ErrServer):
		status = http.StatusBadGateway
	}
	http.Error(w, err.Error(), status)
}

// view is what is known of a customer now, and the channel that is closed when that changes.
func (a *app) view(reference string) (v view, changed <-chan struct{}, known bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.customers[reference]
	if c == nil {
		return view{}, nil, false
	}
	v = view{Reference: reference, Signature: a.sign(reference), Status: "not begun", Counts: c.counts}
	if c.started != nil {
		v.SessionID = c.started.ID
	}
	current, begun := c.state.Current()
	if begun {
		v.SessionID, v.Status = current.ID(), string(current.Status())
	}
	v.Decision, v.Steps = decision(c, current), steps(current)
	for _, s := range c.state.Sessions() {
		v.Sessions = append(v.Sessions, sessionView{s.ID(), string(s.Status())})
	}
	v.Log = slices.Clone(c.log)
	slices.Reverse(v.Log)
	return v, c.changed, true
}

func decision(c *customer, current session.State) string {
	switch {
	case c.approved:
		return "approved"
	case current.Status() == webhook.StatusPendingReview:
		return "in review"
	case current.Terminal():
		return "not approved"
	}
	return "waiting"
}

// steps are the way of the user, as far as the last step that is known.
func steps(s session.State) []stepView {
	at := slices.Index(path[:], string(s.LastStep()))
	views := make([]stepView, len(path))
	for i, name := range path {
		views[i] = stepView{name, "to come"}
		switch {
		case i < at, i == at && s.Status() == webhook.StatusSuccess:
			views[i].State = "done"
		case i == at && s.Terminal():
			views[i].State = "ended"
		case i == at:
			views[i].State = "current"
		}
	}
	return views
}

// words is a value of the API as one reads it.
func words(value string) string { return strings.ReplaceAll(value, "_", " ") }

func (a *app) render(w http.ResponseWriter, name string, data any) {
	var page bytes.Buffer
	if err := a.pages.ExecuteTemplate(&page, name, data); err != nil {
		http.Error(w, "the page cannot be shown", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = page.WriteTo(w) // a visitor who has gone away
}
