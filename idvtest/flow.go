package idvtest

import (
	"cmp"
	"fmt"
	"sync"
	"time"
)

// sessionLife is how long a session may stay active before it expires (observed, not in the written contract).
const sessionLife = 48 * time.Hour

// FlowTemplate is the id of the template of every session that [Server.StartSession] starts.
const FlowTemplate = "flwtmp_11111111111111"

// flow holds the Flow sessions. What happens to them is told to the webhooks after the lock is released.
type flow struct {
	clock  *Clock
	dice   *dice
	config flowConfig
	hooks  *webhooks

	mu       sync.Mutex
	sessions map[string]*Session
	latest   map[customer]*Session
	told     time.Time // the timestamp of the last event
}

// customer is whom the service retries and finds again: one customer reference in one template.
type customer struct{ reference, template string }

// startFlow sets up the Flow side of the service: its credential, its state and its routes.
func (s *Server) startFlow() {
	cfg := s.config.flow
	cfg.keyID = cmp.Or(cfg.keyID, cfg.environment+"_key_"+s.dice.hex(32))
	cfg.secret = cmp.Or(cfg.secret, cfg.environment+"_secret_"+s.dice.hex(64))
	s.WebhookKeyID, s.WebhookSecret = cfg.keyID, cfg.secret
	s.flow = newFlow(s.Clock, s.dice, cfg, newWebhooks(s.Clock, s.dice, cfg))
	s.flow.routes(&s.router)
}

func newFlow(clock *Clock, d *dice, cfg flowConfig, hooks *webhooks) *flow {
	return &flow{
		clock: clock, dice: d, config: cfg, hooks: hooks,
		sessions: make(map[string]*Session), latest: make(map[customer]*Session),
	}
}

// StartSession is a user who starts the Flow in a customer's application: a new session of [FlowTemplate], active, at
// step accept_tos. It sends flow_session.step.updated.
//
// customerReference is the value that the application gives as customerReference; it comes back in every event.
func (s *Server) StartSession(customerReference string) *Session {
	var started *Session
	_ = s.flow.change(func() ([]event, error) {
		started = s.flow.create(customer{customerReference, FlowTemplate}, sessionUser{})
		s.flow.enter(started, StepAcceptTOS)
		return []event{s.flow.sessionEvent(KindStepUpdated, started)}, nil
	})
	return started
}

// FlowSession returns a session by its id, whichever way it came to be: for playing the user of a session that was
// created through the API or by a retry. It returns [ErrNoSession] if there is none.
func (s *Server) FlowSession(id string) (*Session, error) { return s.flow.find(id) }

// change applies one change to the sessions and sends the events that it gives.
func (f *flow) change(apply func() ([]event, error)) error {
	events, err := f.locked(apply)
	f.hooks.raise(events...)
	return err
}

func (f *flow) locked(apply func() ([]event, error)) ([]event, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return apply()
}

func (f *flow) find(id string) (*Session, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s := f.sessions[id]; s != nil {
		return s, nil
	}
	return nil, fmt.Errorf("idvtest: %w with id %q", ErrNoSession, id)
}

// create makes a session that nobody has begun yet, and becomes the customer's latest.
func (f *flow) create(c customer, user sessionUser) *Session {
	s := &Session{
		ID: "flwses_" + f.dice.hex(14), CustomerReference: c.reference,
		flow: f, template: c.template, user: user,
		created: f.clock.Now(), status: StatusActive, steps: newSteps(),
	}
	f.sessions[s.ID] = s
	f.latest[c] = s
	f.clock.at(s.created.Add(sessionLife), func() { f.expire(s) })
	return s
}

func (f *flow) expire(s *Session) {
	_ = f.change(func() ([]event, error) {
		if s.status != StatusActive {
			return nil, nil
		}
		return f.end(s, StatusExpired), nil
	})
}

// enter moves a session to a step; the step it leaves has been passed.
func (f *flow) enter(s *Session, step string) {
	if s.step != "" {
		s.steps[s.step] = stepSuccess
	}
	s.step = step
	s.steps[step] = StatusActive
}

// end gives a session its outcome, which the step it was at shares.
func (f *flow) end(s *Session, status string) []event {
	s.status = status
	s.completed = f.clock.Now()
	if s.step != "" {
		s.steps[s.step] = status
	}
	return []event{f.sessionEvent(KindStatusUpdated, s)}
}
