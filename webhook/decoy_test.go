package webhook

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/internal/signature"
)

// nobody is a source that knows no key.
type nobody struct{}

func (nobody) Keys(context.Context, string) ([]*SigningKey, error) { return nil, ErrUnknownKey }

// TestDecoyOpensNothing: the key that only takes time is in this source for everybody to read.
func TestDecoyOpensNothing(t *testing.T) {
	t.Parallel()
	v, err := NewVerifier(nobody{})
	require.NoError(t, err)
	r := signature.Request{Method: http.MethodPost, Target: "/hook", Date: time.Now().UTC().Format(http.TimeFormat), Digest: signature.Digest(nil)}
	m := Message{Method: r.Method, Path: r.Target, Date: r.Date, Digest: r.Digest, Authorization: v.decoy.mac.Authorization(r)}
	require.ErrorIs(t, v.VerifyMessage(t.Context(), m), ErrUnknownKey)
}
