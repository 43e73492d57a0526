package webhook_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
)

// Shared stores hold these digests for days: another version of this package must find them again.
func TestTheDigestOfASeenKeyNeverChanges(t *testing.T) {
	t.Parallel()
	digest := webhook.SeenKey{Environment: "live", KeyID: "key_1", EventID: "whkevt_1"}.Digest()
	// printf '\0\0\0\0\0\0\0\4live\0\0\0\0\0\0\0\5key_1\0\0\0\0\0\0\0\10whkevt_1' | sha256sum
	assert.Equal(t, "4b8c9a28061f0b05518dbb39659efa33e651a9d83ae61cd0c367fb8e37dcbf33", hex.EncodeToString(digest[:]))
}

func TestTheDigestOfASeenKeyTellsKeysApart(t *testing.T) {
	t.Parallel()
	keys := []webhook.SeenKey{
		{}, {Environment: "a"}, {KeyID: "a"}, {EventID: "a"}, {Environment: "a", KeyID: "b"}, {Environment: "ab"},
		{KeyID: "ab"}, {KeyID: "a", EventID: "b"}, {KeyID: "a\x00b"}, {KeyID: "A"}, {KeyID: strings.Repeat("a", 300)},
	}
	seen := map[[32]byte]webhook.SeenKey{}
	for _, k := range keys {
		other, known := seen[k.Digest()]
		assert.False(t, known, "%q and %q", k, other)
		seen[k.Digest()] = k
	}
}
