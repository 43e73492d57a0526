package webhook

import (
	"context"
	"crypto/fips140"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"example.com/idv/internal/signature"
)

// SigningKey is an API key, sent as the key id, and its API secret, the HMAC key that is never sent. It is immutable, safe for
// concurrent use, and shows neither of the two in any text, log or JSON.
type SigningKey struct {
	mac *signature.Key
}

// The longest key id and secret that are taken; those of the service have about 40 and 80 characters.
const (
	maxKeyID  = 256
	maxSecret = 4096
)

// NewSigningKey returns the key of an account. The secret is the HMAC key as it is written, prefix included; nothing is decoded.
//
// It refuses what a slip in a configuration leaves behind: an empty id or secret, a secret that starts or ends with blanks or
// newlines or holds control characters, and an id with other characters than letters, digits, "_", "-" and ".".
//
// HMAC pads a secret of less than 64 bytes with zero bytes: a secret and the same followed by zero bytes are one key. This is
// inherent in HMAC; such a secret cannot be made here.
func NewSigningKey(id, secret string) (*SigningKey, error) {
	switch {
	case !validKeyID(id):
		return nil, fmt.Errorf("webhook: the key id must be 1 to %d letters, digits, %q, %q or %q, and start with a letter or digit", maxKeyID, '_', '-', '.')
	case secret == "":
		return nil, errors.New("webhook: the secret is empty")
	case len(secret) > maxSecret:
		return nil, fmt.Errorf("webhook: the secret is longer than %d bytes", maxSecret)
	case strings.TrimSpace(secret) != secret:
		return nil, errors.New("webhook: the secret starts or ends with a blank or a newline: trim what was read from the file or the environment")
	case strings.ContainsFunc(secret, isControl):
		return nil, errors.New("webhook: the secret holds a control character")
	case fips140.Enabled() && len(secret) < 112/8:
		return nil, errors.New("webhook: the secret is shorter than the 112 bits that FIPS 140 mode asks for")
	}
	return &SigningKey{mac: signature.NewKey(id, secret)}, nil
}

// validKeyID keeps an id harmless wherever a KeySource may put it: a query, a path, a cache key, a log.
func validKeyID(id string) bool {
	if id == "" || len(id) > maxKeyID || !isAlphanumeric(id[0]) {
		return false
	}
	for i := range len(id) {
		if c := id[i]; !isAlphanumeric(c) && c != '_' && c != '-' && c != '.' {
			return false
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// ID returns the key id; "" for a key that was not made with [NewSigningKey].
func (k *SigningKey) ID() string {
	if !k.usable() {
		return ""
	}
	return k.mac.ID()
}

func (k *SigningKey) usable() bool { return k != nil && k.mac != nil }

const redactedKey = "webhook.SigningKey(redacted)"

// String returns a constant text.
func (k SigningKey) String() string { return redactedKey }

// GoString returns a constant text.
func (k SigningKey) GoString() string { return redactedKey }

// Format writes a constant text, whatever the verb.
func (k SigningKey) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redactedKey) }

// LogValue returns a constant text.
func (k SigningKey) LogValue() slog.Value { return slog.StringValue(redactedKey) }

// MarshalJSON returns a constant text.
func (k SigningKey) MarshalJSON() ([]byte, error) { return []byte(`"` + redactedKey + `"`), nil }

// KeySource finds the keys of a key id: one account's few ([StaticKeys]), or those of many tenants in a store.
//
// Keys gets the id of a request that is not verified yet, so that anybody can have any id looked up; only ids of the form that
// [NewSigningKey] takes are. It returns every key that is valid for the id, newest first, or [ErrUnknownKey]. Any other error
// becomes [ErrKeyLookup]: the request is answered 503 and comes again. Keys is called concurrently and must honour ctx, which
// ends after [WithKeyLookupTimeout]. A source that caches should cache unknown ids as well: then they cost what known ids cost.
type KeySource interface {
	Keys(ctx context.Context, keyID string) ([]*SigningKey, error)
}

// StaticKeys is the source of one account's keys, newest first. During a rotation it lists the new and the old key; removing
// the old one ends it. With static keys nothing of an Authorization header is parsed to verify it: it is compared with the whole
// value that each key gives. [NewVerifier] refuses an empty list and a nil key.
func StaticKeys(keys ...*SigningKey) KeySource {
	return staticKeys(append([]*SigningKey(nil), keys...))
}

type staticKeys []*SigningKey

func (s staticKeys) Keys(_ context.Context, keyID string) ([]*SigningKey, error) {
	var found []*SigningKey
	for _, k := range s {
		if k.usable() && k.ID() == keyID {
			found = append(found, k)
		}
	}
	if found == nil {
		return nil, ErrUnknownKey
	}
	return found, nil
}

func (s staticKeys) check() error {
	if len(s) == 0 {
		return errors.New("webhook: StaticKeys needs at least one key")
	}
	for i, k := range s {
		if !k.usable() {
			return fmt.Errorf("webhook: StaticKeys: key %d is nil: make keys with NewSigningKey", i)
		}
	}
	return nil
}
