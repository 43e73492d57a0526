package main

import (
	"context"
	"errors"
	"slices"

	"example.com/idv"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// settle looks up what the events leave open, and decides. known is a copy: events that come meanwhile are folded into
// the state that is kept, which the copy is then merged with.
func (a *app) settle(ctx context.Context, known session.Customer) error {
	for ids := open(known); len(ids) > 0; ids = open(known) {
		for _, id := range ids {
			if err := a.lookUp(ctx, &known, id); err != nil {
				return err
			}
		}
	}
	return a.change(known.Reference(), func(c *customer) error {
		if err := c.state.Merge(known); err != nil {
			return webhook.Permanent(err)
		}
		c.decide()
		return nil
	})
}

// open are the sessions to look up: those that the events cannot tell the state of, and a success, which counts only when
// the service itself has said so.
func open(c session.Customer) []string {
	ids := c.ToFetch()
	if current, _ := c.Current(); current.Status() == webhook.StatusSuccess && !current.Settled() && !slices.Contains(ids, current.ID()) {
		ids = append(ids, current.ID())
	}
	return ids
}

func (a *app) lookUp(ctx context.Context, known *session.Customer, id string) error {
	s, err := a.api.Sessions.Get(ctx, id)
	switch {
	case errors.Is(err, idv.ErrNotFound):
		return webhook.Permanent(err) // it will not be there the next time either
	case err != nil:
		return err // the event is delivered again
	}
	_ = a.change(known.Reference(), func(c *customer) error {
		c.counts.LookUps++
		c.note("look-up", "%s is %s", s.ID, s.Status)
		return nil
	})
	f := session.Fetched{
		ID: s.ID, At: s.AsOf(), Status: webhook.Status(s.Status), Step: webhook.Step(s.CurrentStep()),
		CreatedAt: s.CreatedAt.Time, CustomerReference: s.CustomerReference,
	}
	if s.PreviousSessionID != nil {
		f.PreviousSessionID = *s.PreviousSessionID
	}
	return known.Resolve(f)
}

// decide acts on the state, not on an event: it may be of a session that was retried since.
func (c *customer) decide() {
	current, _ := c.state.Current()
	approved := current.Status() == webhook.StatusSuccess && current.Settled()
	if approved && !c.approved {
		c.note("decision", "approved")
	}
	c.approved = c.approved || approved
}
