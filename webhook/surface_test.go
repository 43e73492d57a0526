package webhook_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
)

// The public surface that other programs compile against. It is compiled; nothing is run.
var (
	_ func(id, secret string) (*webhook.SigningKey, error)                            = webhook.NewSigningKey
	_ func(keys ...*webhook.SigningKey) webhook.KeySource                             = webhook.StaticKeys
	_ func(keys webhook.KeySource, opts ...webhook.Option) (*webhook.Verifier, error) = webhook.NewVerifier
	_ func(time.Duration) webhook.Option                                              = webhook.WithTolerance
	_ func(func() time.Time) webhook.Option                                           = webhook.WithClock
	_ func(string) webhook.Option                                                     = webhook.WithPath
	_ func(int64) webhook.Option                                                      = webhook.WithMaxBody
	_ func(...webhook.Environment) webhook.Option                                     = webhook.WithEnvironments

	_ func(*webhook.Verifier, *http.Request) (*webhook.Delivery, error) = (*webhook.Verifier).VerifyHeader
	_ func(*webhook.Verifier, *http.Request) (*webhook.Delivery, error) = (*webhook.Verifier).Verify
	_ func(*webhook.Verifier, context.Context, webhook.Message) error   = (*webhook.Verifier).VerifyMessage
	_ func(*webhook.Verifier, http.Handler) http.Handler                = (*webhook.Verifier).Middleware
	_ func(context.Context) (*webhook.Delivery, bool)                   = webhook.FromContext
	_                                                                   = webhook.Message{Method: "", Path: "", Date: "", Digest: "", Authorization: "", Body: []byte(nil), At: time.Time{}}
	_                                                                   = webhook.Delivery{KeyID: "", Date: time.Time{}, Skew: time.Duration(0), ServiceVersion: "", Body: []byte(nil)}
	_                                                                   = []error{webhook.ErrUnverified, webhook.ErrNotSigned, webhook.ErrMalformed, webhook.ErrUnknownKey, webhook.ErrSignatureMismatch, webhook.ErrTimestamp, webhook.ErrDigestMismatch,
		webhook.ErrMethod, webhook.ErrBodyTooLarge, webhook.ErrBodyRead, webhook.ErrKeyLookup, webhook.ErrPayload, webhook.ErrEnvironment}
	_ func(error) int                     = webhook.StatusCode
	_ func([]byte) (webhook.Event, error) = webhook.ParseEvent
	_                                     = []webhook.Event{(*webhook.StepUpdated)(nil), (*webhook.StatusUpdated)(nil), (*webhook.Retried)(nil), (*webhook.ScreeningUpdated)(nil), (*webhook.UnknownEvent)(nil)}
	_                                     = webhook.Envelope{ID: "", Kind: webhook.Kind(""), Timestamp: time.Time{}, Environment: webhook.Environment(""), Raw: json.RawMessage(nil)}
	_                                     = webhook.Session{Object: "", ID: "", CustomerReference: "", Meta: "", Status: webhook.Status(""), Step: webhook.Step("")}

	_ func(*webhook.Verifier, ...webhook.ReceiverOption) *webhook.Receiver       = webhook.NewReceiver
	_ func(*webhook.Receiver, func(context.Context, *webhook.StepUpdated) error) = webhook.On[*webhook.StepUpdated]
	_ func(*webhook.Receiver, func(context.Context, webhook.Event) error)        = (*webhook.Receiver).OnAny
	_ func(*webhook.Receiver) webhook.Health                                     = (*webhook.Receiver).Health
	_ http.Handler                                                               = (*webhook.Receiver)(nil)
	_ func(webhook.SeenStore) webhook.ReceiverOption                             = webhook.WithSeen
	_ func(error) error                                                          = webhook.Permanent

	_ func(*session.State, webhook.Event) error                 = (*session.State).Apply
	_ func(*session.State, session.State) error                 = (*session.State).Merge
	_ func(session.State) (session.Reason, bool)                = session.State.NeedsFetch
	_ func(*session.Customer, webhook.Event) error              = (*session.Customer).Apply
	_ func(session.Customer) (session.State, bool)              = session.Customer.Current
	_                                                           = webhooktest.Signer{KeyID: "", Secret: "", Path: "", Now: time.Now}
	_ func(webhooktest.Signer, []byte) http.Header              = webhooktest.Signer.Header
	_ func(webhooktest.Signer, []byte) *http.Request            = webhooktest.Signer.Request
	_ func(webhooktest.Signer, webhooktest.Event) *http.Request = webhooktest.Signer.Event
	_ func(*testing.T, webhooktest.Signer, http.Handler)        = webhooktest.Hostile
)

type anySource struct{}

func (anySource) Keys(ctx context.Context, keyID string) ([]*webhook.SigningKey, error) {
	return nil, webhook.ErrUnknownKey
}

var _ webhook.KeySource = anySource{}
