package main

import (
	"context"
	"fmt"
	"time"

	"example.com/idv/flow"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// customer is what the application keeps of a customer.
type customer struct {
	started  *flow.Session // as it was created, before any event
	state    session.Customer
	approved bool
	log      []line
	counts   counts
	changed  chan struct{} // closed at the next change
}

// line is one thing that happened, for the page.
type line struct {
	At         time.Time
	Kind, Text string
}

type counts struct{ Events, LookUps int }

// change changes a customer, who is made if need be, and wakes the pages that watch.
func (a *app) change(reference string, f func(c *customer) error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.customers[reference]
	if c == nil {
		c = &customer{changed: make(chan struct{})}
		a.customers[reference] = c
	}
	defer func() {
		close(c.changed)
		c.changed = make(chan struct{})
	}()
	return f(c)
}

// note keeps the latest lines.
func (c *customer) note(kind, format string, args ...any) {
	c.log = append(c.log[max(0, len(c.log)-11):], line{time.Now(), kind, fmt.Sprintf(format, args...)})
}

// received folds an event into what is known of its customer, in whatever order they come, and looks up what the events
// leave open. The receiver has verified it and runs it once. An error has it delivered again: to fold it again does no harm.
func (a *app) received(ctx context.Context, e webhook.Event) error {
	data, ok := webhook.SessionOf(e)
	if !ok {
		return nil
	}
	var known session.Customer
	err := a.change(data.CustomerReference, func(c *customer) error {
		if err := c.state.Apply(e); err != nil {
			return webhook.Permanent(err)
		}
		c.counts.Events++
		c.note("event", "%s: %s", e.Common().Kind, told(data))
		known = c.state
		return nil
	})
	if err != nil {
		return err
	}
	return a.settle(ctx, known)
}

func told(s webhook.Session) string {
	if s.Step != "" {
		return string(s.Status) + " at " + string(s.Step)
	}
	return string(s.Status)
}
