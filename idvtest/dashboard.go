package idvtest

// Dashboard is what the customer's staff see and do on the service's web pages.
type Dashboard struct{ flow *flow }

// Dashboard returns the dashboard of the account.
func (s *Server) Dashboard() *Dashboard { return &Dashboard{s.flow} }

// CreateWebhook subscribes a receiver to the kinds of events that are given, or to every kind if none is. The webhook is
// enabled at once; what happened before it is not sent.
//
// It returns [ErrInvalidURL] for a URL that is not absolute, is neither http nor https, or has user info or a fragment,
// and [ErrUnknownValue] for a kind that the contract does not name.
func (d *Dashboard) CreateWebhook(url string, kinds ...string) (Webhook, error) {
	return d.flow.hooks.create(url, kinds)
}

// EnableWebhook turns a disabled webhook on again, as if it had never failed. It returns [ErrNoWebhook] for an unknown id.
//
// What was to be told while the webhook was disabled is lost to it, and so are the redeliveries that were pending when it
// was disabled: the receiver catches up by looking at the sessions (the contract is silent about both).
func (d *Dashboard) EnableWebhook(id string) error { return d.flow.hooks.enable(id) }

// Webhooks returns the subscriptions, in the order of their creation.
func (d *Dashboard) Webhooks() []Webhook { return d.flow.hooks.all() }

// Deliveries returns every attempt to deliver an event, in the order in which they ended. The newest 10,000 are kept.
func (d *Dashboard) Deliveries() []Delivery { return d.flow.hooks.deliveries() }

// Mails returns the emails that the service has sent, first to last.
func (d *Dashboard) Mails() []Mail { return d.flow.hooks.sentMails() }

// RetrySession starts a session over, as [Session.Retry] does. It returns [ErrNoSession] for an unknown id and
// [ErrAlreadyRetried] if there is a later session.
func (d *Dashboard) RetrySession(id string) (*Session, error) {
	old, err := d.flow.find(id)
	if err != nil {
		return nil, err
	}
	return old.Retry()
}
