package webhook_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/idv/webhook"
)

func TestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name       string
		err        error
		status     int
		unverified bool
	}{
		{"ErrUnverified", webhook.ErrUnverified, 401, true},
		{"ErrNotSigned", webhook.ErrNotSigned, 401, true},
		{"ErrMalformed", webhook.ErrMalformed, 401, true},
		{"ErrUnknownKey", webhook.ErrUnknownKey, 401, true},
		{"ErrSignatureMismatch", webhook.ErrSignatureMismatch, 401, true},
		{"ErrTimestamp", webhook.ErrTimestamp, 401, true},
		{"ErrDigestMismatch", webhook.ErrDigestMismatch, 401, true},
		{"ErrMethod", webhook.ErrMethod, 405, false},
		{"ErrBodyTooLarge", webhook.ErrBodyTooLarge, 413, false},
		{"ErrBodyRead", webhook.ErrBodyRead, 400, false},
		{"ErrKeyLookup", webhook.ErrKeyLookup, 503, false},
		{"ErrPayload", webhook.ErrPayload, 400, false},
		{"ErrEnvironment", webhook.ErrEnvironment, 403, false},
		{"an error of somebody else", io.EOF, 500, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, tt.status, webhook.StatusCode(tt.err))
			assert.Equal(t, tt.status, webhook.StatusCode(fmt.Errorf("wrapped: %w", tt.err)))
			assert.Equal(t, tt.unverified, errors.Is(tt.err, webhook.ErrUnverified))
			for _, other := range tests {
				if other.name != "ErrUnverified" && other.name != tt.name {
					assert.NotErrorIs(t, tt.err, other.err)
				}
			}
		})
	}
	assert.Equal(t, 200, webhook.StatusCode(nil))
	for _, err := range []error{io.EOF, webhook.ErrPayload} {
		assert.Equal(t, 200, webhook.StatusCode(fmt.Errorf("wrapped: %w", webhook.Permanent(err))), "no redelivery can mend it")
	}
}
