package idvtest

import (
	"net/http"
	"time"
)

// flowConfig is the part of the configuration that Flow and its webhooks look at.
type flowConfig struct {
	environment string
	keyID       string
	secret      string
	screening   bool
	future      bool
	signedQuery bool
	timeout     time.Duration
	transport   http.RoundTripper
	disorder    disorder
}

func newFlowConfig() flowConfig {
	return flowConfig{environment: environmentSandbox, timeout: 5 * time.Second}
}

// WithLiveEnvironment has events come from the live environment; without it, they come from the sandbox.
func WithLiveEnvironment() Option {
	return func(c *config) { c.flow.environment = environmentLive }
}

// WithWebhookKey sets the key id and the secret with which webhooks and Flow requests are signed. Without it, they are
// made up anew for each service.
func WithWebhookKey(id, secret string) Option {
	return func(c *config) { c.flow.keyID, c.flow.secret = id, secret }
}

// WithScreening connects the screening product to Flow, as a setting of the Flow template does: [Session.Screen] sends
// its events.
func WithScreening() Option { return func(c *config) { c.flow.screening = true } }

// WithFutureFormat sends what a later version might: members that the contract does not know, in the event and in its
// data, and another _meta. Sessions take any step and any status. A receiver that is ready for the future notices none of
// it.
func WithFutureFormat() Option { return func(c *config) { c.flow.future = true } }

// WithSignedQuery signs path and query of a webhook URL, as public receivers expect (observed); the contract has the path
// only.
func WithSignedQuery() Option { return func(c *config) { c.flow.signedQuery = true } }

// WithDeliveryTimeout sets how long a webhook receiver may take to answer, in real time; the default is 5 seconds.
func WithDeliveryTimeout(d time.Duration) Option {
	return func(c *config) { c.flow.timeout = max(d, time.Millisecond) }
}

// WithDeliveryTransport sends webhooks through rt: for receivers with a certificate of their own, or ones that listen
// nowhere. Without it, each delivery opens a connection of its own.
func WithDeliveryTransport(rt http.RoundTripper) Option {
	return func(c *config) { c.flow.transport = rt }
}

// WithShuffledDeliveries holds events back until the clock is advanced, by 0 if need be, and sends those that wait then
// in a random order: the contract promises none. With [WithWallClock] hardly any would wait for each other;
// [WithDelayedDeliveries] shuffles there too.
func WithShuffledDeliveries(seed uint64) Option {
	return func(c *config) { c.flow.disorder.shuffle = newRandom(seed) }
}

// WithDuplicatedDeliveries sends about every second event twice, whatever the receiver answers.
func WithDuplicatedDeliveries(seed uint64) Option {
	return func(c *config) { c.flow.disorder.duplicate = newRandom(seed) }
}

// WithDelayedDeliveries holds each event back for a random time of up to longest, on the service's clock. Events overtake
// each other.
func WithDelayedDeliveries(seed uint64, longest time.Duration) Option {
	return func(c *config) {
		c.flow.disorder.delay, c.flow.disorder.longest = newRandom(seed), max(longest, 0)
	}
}

func (c flowConfig) known(what, value string, values []string) error {
	if c.future && value != "" {
		return nil
	}
	return known(what, value, values)
}

// outcome is known for the statuses that end a session.
func (c flowConfig) outcome(status string) error {
	if status == StatusActive {
		return known("outcome", status, finalStatuses)
	}
	return c.known("outcome", status, finalStatuses)
}

func (c flowConfig) notice() string {
	if c.future {
		return "This API format is v1.0."
	}
	return formatNotice
}

// extended adds what a later version might.
func (c flowConfig) extended(o object) object {
	if !c.future {
		return o
	}
	return o.with("added_later", object{{"list", []string{"a", "b"}}, {"null", nil}, {"number", 1}})
}
