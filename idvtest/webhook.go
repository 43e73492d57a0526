package idvtest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"example.com/idv/internal/signature"
)

// Webhook is a webhook subscription: a URL and a selection of event kinds.
type Webhook struct {
	// ID begins with whk_.
	ID string

	URL string

	// Kinds are the kinds of events that are sent.
	Kinds []string

	// Enabled is false once the webhook has been disabled for failing.
	Enabled bool

	// FailingSince is when the deliveries began to fail, on the service's clock; zero after a success.
	FailingSince time.Time
}

// webhooks holds the subscriptions, and delivers events to them. Deliveries run in the caller's goroutine, without the lock.
type webhooks struct {
	clock  *Clock
	dice   *dice
	config flowConfig
	key    *signature.Key
	client *http.Client

	ctx      context.Context // of every delivery: done when the service closes
	cancel   context.CancelFunc
	inFlight sync.WaitGroup

	mu     sync.Mutex
	closed bool
	list   []*subscription
	log    []Delivery
	mails  []Mail
	held   []*sending // waiting to be shuffled
}

// subscription is a webhook at work. It is guarded by the mutex of webhooks, but for its id, URL and kinds, which never
// change.
type subscription struct {
	id    string
	url   *url.URL
	kinds []string

	enabled  bool
	disabled int      // how often it has been: redeliveries of the time before are dropped
	failing  *failure // nil after a success
}

func newWebhooks(clock *Clock, d *dice, cfg flowConfig) *webhooks {
	ctx, cancel := context.WithCancel(context.Background())
	return &webhooks{
		clock: clock, dice: d, config: cfg,
		key:    signature.NewKey(cfg.keyID, cfg.secret),
		client: deliveryClient(cfg.transport),
		ctx:    ctx, cancel: cancel,
	}
}

// close ends the deliveries in flight and sees to it that no other begins.
func (w *webhooks) close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.cancel()
	w.inFlight.Wait()
}

func (w *webhooks) create(address string, kinds []string) (Webhook, error) {
	u, err := receiverURL(address)
	if err != nil {
		return Webhook{}, err
	}
	for _, kind := range kinds {
		if err := known("event kind", kind, allKinds); err != nil {
			return Webhook{}, err
		}
	}
	if len(kinds) == 0 {
		kinds = allKinds
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	sub := &subscription{id: "whk_" + w.dice.hex(14), url: u, kinds: slices.Clone(kinds), enabled: true}
	w.list = append(w.list, sub)
	return sub.snapshot(), nil
}

// enable turns a webhook on, with no failures behind it.
func (w *webhooks) enable(id string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	i := slices.IndexFunc(w.list, func(s *subscription) bool { return s.id == id })
	if i < 0 {
		return fmt.Errorf("idvtest: %w with id %q", ErrNoWebhook, id)
	}
	if sub := w.list[i]; !sub.enabled {
		sub.enabled = true
		sub.failing = nil
	}
	return nil
}

func (w *webhooks) all() []Webhook {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := make([]Webhook, len(w.list))
	for i, sub := range w.list {
		list[i] = sub.snapshot()
	}
	return list
}

func (s *subscription) snapshot() Webhook {
	hook := Webhook{ID: s.id, URL: s.url.String(), Kinds: slices.Clone(s.kinds), Enabled: s.enabled}
	if s.failing != nil {
		hook.FailingSince = s.failing.since
	}
	return hook
}

func (s *subscription) wants(kind string) bool { return s.enabled && slices.Contains(s.kinds, kind) }

// receiverURL refuses what could not be delivered to: user info would need the Authorization header, which the signature
// has.
func receiverURL(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("idvtest: %w: it cannot be parsed", ErrInvalidURL)
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("idvtest: %w: its scheme is %q, not http or https", ErrInvalidURL, u.Scheme)
	case u.Hostname() == "":
		return nil, fmt.Errorf("idvtest: %w: it has no host", ErrInvalidURL)
	case u.User != nil:
		return nil, fmt.Errorf("idvtest: %w: it has user info, whose place in the request the signature takes", ErrInvalidURL)
	case u.Fragment != "":
		return nil, fmt.Errorf("idvtest: %w: it has a fragment, which is never sent", ErrInvalidURL)
	}
	return u, nil
}
