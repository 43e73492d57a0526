package main

import (
	"context"
	"errors"

	"example.com/idv/webhook"
)

const receiverPath = "/webhooks/flow"

// newReceiver returns a receiver whose handler is to put the event into the stream. It answers 200 once it is there, by this delivery or by
// an earlier one to whatever machine; after every other answer the service delivers it again.
func newReceiver(s *stream, key *webhook.SigningKey) (*webhook.Receiver, error) {
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		return nil, err
	}
	receiver := webhook.NewReceiver(verifier)
	receiver.OnAny(func(ctx context.Context, event webhook.Event) error {
		delivery, ok := webhook.FromContext(ctx)
		if !ok {
			return errors.New("no delivery in the context")
		}
		e := event.Common()
		err := s.add(ctx, webhook.SeenKey{Environment: e.Environment, KeyID: delivery.KeyID, EventID: e.ID}, e.Raw)
		if errors.Is(err, errConflict) {
			return webhook.Permanent(err)
		}
		return err
	})
	return receiver, nil
}
