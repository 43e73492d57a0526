package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"

	"example.com/idv/internal/signature"
)

// SigningKey is an API key, sent as the key id, and its API secret, the HMAC key that is never sent. It is immutable, safe for
// concurrent use, and shows neither of the two in any text, log or JSON.
type SigningKey struct {
	mac *signature.Key
}

// NewSigningKey returns the key of an account. The secret is the HMAC key as it is written, prefix included; nothing is decoded.
//
// It refuses what a slip in a configuration leaves behind: an empty id or secret, a secret that starts or ends with blanks or
// newlines or holds control characters, and an id with other characters than letters, digits, "_", "-" and ".".
//
// HMAC pads a secret of less than 64 bytes with zero bytes: a secret and the same followed by zero bytes are one key. This is
// inherent in HMAC; such a secret cannot be made here.
func NewSigningKey(id, secret string) (*SigningKey, error) {
	if problem := signature.CheckID(id); problem != "" {
		return nil, errors.New("webhook: the key id " + problem)
	}
	if problem := signature.CheckSecret(secret); problem != "" {
		return nil, errors.New("webhook: the secret " + problem)
	}
	return &SigningKey{mac: signature.NewKey(id, secret)}, nil
}

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
