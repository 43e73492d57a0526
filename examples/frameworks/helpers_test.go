package frameworks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"example.com/idv/examples/frameworks"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/require"
)

var signer = webhooktest.Signer{KeyID: "test_key_1", Secret: "a secret of some length", Path: frameworks.Path}

func verifier(t *testing.T, opts ...webhook.Option) *webhook.Verifier {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), opts...)
	require.NoError(t, err)
	return v
}

// inbox keeps the ids of the events that were handled, and fails on those of one reference.
type inbox struct{ ids []string }

func (b *inbox) handle(_ context.Context, e webhook.Event) error {
	if s, ok := webhook.SessionOf(e); ok && s.CustomerReference == "fails" {
		return errors.New("our database is down")
	}
	b.ids = append(b.ids, e.Common().ID)
	return nil
}

func receiver(t *testing.T, opts ...webhook.Option) (*webhook.Receiver, *inbox) {
	t.Helper()
	b := new(inbox)
	r := webhook.NewReceiver(verifier(t, opts...))
	r.OnAny(b.handle)
	return r, b
}

// late signs as the service did twenty minutes ago.
func late() webhooktest.Signer {
	s := signer
	s.Now = func() time.Time { return time.Now().Add(-20 * time.Minute) }
	return s
}

func forger() webhooktest.Signer {
	s := signer
	s.Secret = "what a forger would guess"
	return s
}
