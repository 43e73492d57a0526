package idvtest

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The redeliveries of an event (contract: Limits).
const (
	maxRedeliveries = 7
	lastRedelivery  = 4 * 24 * time.Hour
)

// Delivery is one attempt to deliver an event to a webhook.
type Delivery struct {
	WebhookID     string
	EventID, Kind string

	// Attempt counts from 1; 2 to 8 are redeliveries.
	Attempt int

	// Duplicate says that the event was sent once more than it had to be, as [WithDuplicatedDeliveries] has it.
	// Duplicates are not redelivered.
	Duplicate bool

	// Time is when the attempt was made, on the service's clock: the Date header.
	Time time.Time

	// Status is what the receiver answered; 0 if it did not.
	Status int

	// Err says why the attempt counts as an error; nil if it succeeded.
	Err error

	// Body is the event as it was sent.
	Body []byte
}

// sending is an event on its way to a subscription: one attempt, and the ones after it.
type sending struct {
	to        *subscription
	event     event
	enabled   int // how often the subscription had been disabled when it began
	attempt   int
	first     time.Time // the first attempt
	duplicate bool
}

// raise sends events to all who subscribed to them. When it returns, the first attempts have been made, unless they are
// held back.
func (w *webhooks) raise(events ...event) {
	for _, e := range events {
		for _, s := range w.sendings(e) {
			w.dispatch(s)
		}
	}
}

func (w *webhooks) sendings(e event) []*sending {
	w.mu.Lock()
	defer w.mu.Unlock()
	var list []*sending
	for _, sub := range w.list {
		if !sub.wants(e.kind) {
			continue
		}
		list = append(list, &sending{to: sub, event: e, enabled: sub.disabled})
		if w.config.disorder.doubles() {
			list = append(list, &sending{to: sub, event: e, enabled: sub.disabled, duplicate: true})
		}
	}
	return list
}

// try makes one attempt, and plans the next if it fails.
func (w *webhooks) try(s *sending) {
	if !w.begin(s) {
		return
	}
	defer w.inFlight.Done()
	now := w.clock.Now()
	if s.attempt == 1 {
		s.first = now
	}
	status, err := w.post(s.to.url, s.event.body, now)
	w.settle(s, Delivery{
		WebhookID: s.to.id, EventID: s.event.id, Kind: s.event.kind, Body: s.event.body,
		Attempt: s.attempt, Duplicate: s.duplicate, Time: now, Status: status, Err: err,
	})
}

// begin counts the attempt, or reports that there is none to make any more: the service has closed, or the webhook has
// been disabled.
func (w *webhooks) begin(s *sending) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || !s.to.enabled || s.to.disabled != s.enabled {
		return false
	}
	w.inFlight.Add(1)
	s.attempt++
	return true
}

func (w *webhooks) settle(s *sending, d Delivery) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	w.keep(d)
	if d.Err == nil {
		s.to.failing = nil
		return
	}
	w.failed(s.to)
	if s.attempt <= maxRedeliveries && !s.duplicate {
		w.clock.at(s.first.Add(redeliveryAfter(s.attempt)), func() { w.try(s) })
	}
}

// redeliveryAfter returns when the nth redelivery is due, counted from the first attempt. Each wait is three times the
// one before, from about five minutes to 64 hours, and the seventh ends after exactly four days.
func redeliveryAfter(n int) time.Duration {
	return lastRedelivery * (power3(n) - 1) / (power3(maxRedeliveries) - 1)
}

func power3(n int) time.Duration {
	p := time.Duration(1)
	for range n {
		p *= 3
	}
	return p
}

// answered turns an answer into an error unless its status is 200; no other counts as delivered (contract: Errors).
func answered(status int) error {
	if status == http.StatusOK {
		return nil
	}
	return fmt.Errorf("the receiver answered %d %s; only 200 counts as delivered", status, http.StatusText(status))
}

var errNoAnswer = errors.New("the receiver did not answer in time")

// keep adds to the log, whose memory is bounded.
func (w *webhooks) keep(d Delivery) {
	if len(w.log) == 2*maxLogged {
		w.log = slices.Clone(w.log[maxLogged:])
	}
	w.log = append(w.log, d)
}

func (w *webhooks) deliveries() []Delivery {
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := slices.Clone(w.log[max(0, len(w.log)-maxLogged):])
	for i := range kept {
		kept[i].Body = slices.Clone(kept[i].Body)
	}
	return kept
}

// tell adds the deliveries to the log of a test that failed.
func (w *webhooks) tell(b *strings.Builder) {
	for _, d := range w.deliveries() {
		outcome := "200"
		if d.Err != nil {
			outcome = d.Err.Error()
		}
		fmt.Fprintf(b, "  %s  %s %s to %s, attempt %d: %s\n", d.Time.Format(time.DateTime), d.Kind, d.EventID, d.WebhookID, d.Attempt, outcome)
	}
}

func (w *webhooks) sentMails() []Mail {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.mails)
}
