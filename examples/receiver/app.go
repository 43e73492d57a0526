package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

const (
	receiverPath = "/webhooks/flow"
	plainPath    = "/webhooks/plain"
)

// app is a program that has customers, and wants to know how far their verification is.
type app struct {
	verifier *webhook.Verifier
	receiver *webhook.Receiver

	mu        sync.Mutex
	customers map[string]session.Customer // by customer reference: in a real program, a table with a JSON column
	approve   func(reference string) error
}

func newApp(key *webhook.SigningKey, opts ...webhook.ReceiverOption) (*app, error) {
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		return nil, err
	}
	a := &app{
		verifier:  verifier,
		receiver:  webhook.NewReceiver(verifier, opts...),
		customers: make(map[string]session.Customer),
		approve:   func(string) error { return nil },
	}
	a.receiver.OnAny(func(_ context.Context, e webhook.Event) error { return a.fold(e) })
	webhook.On(a.receiver, a.statusUpdated)
	return a, nil
}

func (a *app) routes() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("POST "+receiverPath, a.receiver)
	mux.Handle("POST "+plainPath, a.verifier.Middleware(http.HandlerFunc(a.plain)))
	mux.HandleFunc("GET /healthz", a.healthz)
	return mux
}

// fold takes an event into what is known of its customer. The events come in any order; the result does not depend on it.
func (a *app) fold(e webhook.Event) error {
	data, ok := webhook.SessionOf(e)
	if !ok {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.customers[data.CustomerReference]
	if err := c.Apply(e); err != nil {
		return webhook.Permanent(err)
	}
	a.customers[data.CustomerReference] = c
	return nil
}

// statusUpdated acts on what is known, not on the one event: it may be of a session that was retried since.
func (a *app) statusUpdated(_ context.Context, e *webhook.StatusUpdated) error {
	c := a.customer(e.Session.CustomerReference)
	current, _ := c.Current()
	if _, fetch := c.NeedsFetch(); fetch || current.Status() != webhook.StatusSuccess {
		return nil // a real program looks the session up where fetch says so
	}
	return a.approve(c.Reference())
}

func (a *app) customer(reference string) session.Customer {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.customers[reference]
}

// plain is a handler of one's own: what reaches it is authentic, and may be a duplicate. Here that does no harm, since folding
// an event twice is folding it once.
func (a *app) plain(w http.ResponseWriter, r *http.Request) {
	delivery, ok := webhook.FromContext(r.Context())
	if !ok {
		http.Error(w, "not behind the middleware", http.StatusInternalServerError)
		return
	}
	event, err := webhook.ParseEvent(delivery.Body)
	if err == nil {
		err = a.fold(event)
	}
	if err != nil {
		w.WriteHeader(webhook.StatusCode(err)) // 200 alone counts as delivered
	}
}

func (a *app) healthz(w http.ResponseWriter, _ *http.Request) {
	h := a.receiver.Health()
	if h.Failing() {
		w.WriteHeader(http.StatusServiceUnavailable)
		fmt.Fprintf(w, "failing since %s; the service disables the webhook at %s\n",
			h.FailingSince.UTC().Format(time.RFC3339), h.DisabledAt.UTC().Format(time.RFC3339))
		return
	}
	fmt.Fprintln(w, "ok")
}
