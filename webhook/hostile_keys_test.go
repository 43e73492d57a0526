package webhook_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// signedWith is the sample, signed by somebody with another secret.
func signedWith(keyID, secret string) webhook.Message {
	m := signedMessage([]byte(sampleBody))
	m.Authorization = authorization(keyID, secret, "post", m.Path, m.Date, m.Digest)
	return m
}

func signingKey(tb testing.TB, id, secret string) *webhook.SigningKey {
	tb.Helper()
	k, err := webhook.NewSigningKey(id, secret)
	require.NoError(tb, err)
	return k
}

func TestHostileKeys(t *testing.T) {
	t.Parallel()
	secrets := []struct{ name, secret string }{
		{"C33 wrong secret", sampleSecret + "x"},
		{"C33 empty key", ""},
		{"C33 keyId used as key", sampleKeyID},
		{"C33 secret of another tenant", "secret_of_tenant_two"},
	}
	tenants := &recordingSource{keys: []*webhook.SigningKey{sampleKey(t), signingKey(t, "tenant_two", "secret_of_tenant_two")}}
	for _, tt := range secrets {
		t.Run(tt.name, func(t *testing.T) {
			m := signedWith(sampleKeyID, tt.secret)
			require.ErrorIs(t, sampleVerifier(t).VerifyMessage(t.Context(), m), webhook.ErrSignatureMismatch)
			require.ErrorIs(t, sampleVerifierOf(t, tenants).VerifyMessage(t.Context(), m), webhook.ErrSignatureMismatch)
		})
	}
	t.Run("C33 each tenant with his own secret", func(t *testing.T) {
		v := sampleVerifierOf(t, tenants)
		require.NoError(t, v.VerifyMessage(t.Context(), signedWith(sampleKeyID, sampleSecret)))
		d, err := v.Verify(requestOf(signedWith("tenant_two", "secret_of_tenant_two")))
		require.NoError(t, err)
		assert.Equal(t, "tenant_two", d.KeyID)
	})
	t.Run("C33 a source that answers with the keys of others", func(t *testing.T) {
		v := sampleVerifierOf(t, sourceFunc(func(context.Context, string) ([]*webhook.SigningKey, error) {
			return []*webhook.SigningKey{nil, {}, signingKey(t, "tenant_two", sampleSecret)}, nil
		}))
		require.ErrorIs(t, v.VerifyMessage(t.Context(), signedWith(sampleKeyID, sampleSecret)), webhook.ErrSignatureMismatch)
	})
	t.Run("C34 unknown to a source", func(t *testing.T) {
		for _, answer := range []error{webhook.ErrUnknownKey, fmt.Errorf("no such row: %w", webhook.ErrUnknownKey), nil} {
			v := sampleVerifierOf(t, sourceFunc(func(context.Context, string) ([]*webhook.SigningKey, error) { return nil, answer }))
			require.ErrorIs(t, v.VerifyMessage(t.Context(), signedMessage(nil)), webhook.ErrUnknownKey)
		}
	})
	t.Run("C35 rotation", func(t *testing.T) {
		older, newer := signingKey(t, sampleKeyID, "secret_before"), signingKey(t, sampleKeyID, "secret_after")
		before, after := signedWith(sampleKeyID, "secret_before"), signedWith(sampleKeyID, "secret_after")
		for _, keys := range [][]*webhook.SigningKey{{newer, older}, {older, newer}} {
			for _, source := range []webhook.KeySource{webhook.StaticKeys(keys...), &recordingSource{keys: keys}} {
				v := sampleVerifierOf(t, source)
				require.NoError(t, v.VerifyMessage(t.Context(), before), "accepted while listed")
				require.NoError(t, v.VerifyMessage(t.Context(), after))
			}
		}
		v := sampleVerifierOf(t, webhook.StaticKeys(newer))
		require.ErrorIs(t, v.VerifyMessage(t.Context(), before), webhook.ErrSignatureMismatch, "refused once removed")
		require.NoError(t, v.VerifyMessage(t.Context(), after))
	})
	t.Run("C35 the list is copied", func(t *testing.T) {
		keys := []*webhook.SigningKey{sampleKey(t)}
		v := sampleVerifierOf(t, webhook.StaticKeys(keys...))
		keys[0] = nil
		require.NoError(t, v.VerifyMessage(t.Context(), signedMessage(nil)))
	})
	t.Run("C40 the slice a secret came from is changed afterwards", func(t *testing.T) {
		read := []byte(sampleSecret)
		v := sampleVerifierOf(t, webhook.StaticKeys(signingKey(t, sampleKeyID, string(read))))
		clear(read)
		require.NoError(t, v.VerifyMessage(t.Context(), signedMessage(nil)))
	})
	t.Run("C41 HMAC zero-padding twin", func(t *testing.T) {
		v := sampleVerifierOf(t, webhook.StaticKeys(signingKey(t, sampleKeyID, "short_secret")))
		require.NoError(t, v.VerifyMessage(t.Context(), signedWith(sampleKeyID, "short_secret\x00")), "inherent in HMAC")
		_, err := webhook.NewSigningKey(sampleKeyID, "short_secret\x00")
		require.Error(t, err, "but nobody gets such a key here")
	})
}

type sourceFunc func(ctx context.Context, id string) ([]*webhook.SigningKey, error)

func (f sourceFunc) Keys(ctx context.Context, id string) ([]*webhook.SigningKey, error) {
	return f(ctx, id)
}

func TestHostileKeyLookup(t *testing.T) {
	t.Parallel()
	t.Run("C36 key lookup returns an error", func(t *testing.T) {
		t.Parallel()
		down := errors.New("dial postgres://user:password@db: refused")
		v := sampleVerifierOf(t, sourceFunc(func(context.Context, string) ([]*webhook.SigningKey, error) { return nil, down }))
		err := v.VerifyMessage(t.Context(), signedMessage(nil))
		require.ErrorIs(t, err, webhook.ErrKeyLookup)
		require.ErrorIs(t, err, down)
		require.NotErrorIs(t, err, webhook.ErrUnverified)
		assert.NotContains(t, err.Error(), "password")
		assert.Equal(t, http.StatusServiceUnavailable, webhook.StatusCode(err))
	})
	t.Run("C37 key lookup blocks", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			blocked := sourceFunc(func(ctx context.Context, _ string) ([]*webhook.SigningKey, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			v := sampleVerifierOf(t, blocked, webhook.WithKeyLookupTimeout(3*time.Second))
			began := time.Now()
			err := v.VerifyMessage(t.Context(), signedMessage(nil))
			require.ErrorIs(t, err, webhook.ErrKeyLookup)
			require.ErrorIs(t, err, context.DeadlineExceeded)
			assert.Equal(t, 3*time.Second, time.Since(began))
			assert.Equal(t, http.StatusServiceUnavailable, webhook.StatusCode(err))
		})
	})
	t.Run("C37 the request's own context counts too", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		v := sampleVerifierOf(t, sourceFunc(func(ctx context.Context, _ string) ([]*webhook.SigningKey, error) { return nil, ctx.Err() }))
		err := v.VerifyMessage(ctx, signedMessage(nil))
		require.ErrorIs(t, err, context.Canceled)
		require.ErrorIs(t, err, webhook.ErrKeyLookup)
	})
}

// TestHostileSettings is "C38 a bad setting is an error of the constructor", for keys.
func TestHostileSettings(t *testing.T) {
	t.Parallel()
	badKeys := []struct{ name, id, secret, want string }{
		{"C38 empty secret", "k", "", "the secret is empty"},
		{"C38 blank-padded secret", "k", " secret", "blank or a newline"},
		{"C38 newline-ended secret", "k", "secret\n", "blank or a newline"},
		{"C38 secret with NUL", "k", "sec\x00ret", "control character"},
		{"C38 secret without end", "k", strings.Repeat("s", 5000), "longer than"},
		{"C38 empty keyId", "", "secret", "the key id must be"},
		{"C38 keyId with quote", `a"b`, "secret", "the key id must be"},
		{"C38 keyId with CR", "a\rb", "secret", "the key id must be"},
		{"C38 keyId with LF", "a\n", "secret", "the key id must be"},
		{"C38 keyId with blank", "a b", "secret", "the key id must be"},
		{"C38 keyId that is a path", "..", "secret", "the key id must be"},
		{"C38 keyId without end", strings.Repeat("k", 257), "secret", "the key id must be"},
	}
	for _, tt := range badKeys {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k, err := webhook.NewSigningKey(tt.id, tt.secret)
			require.ErrorContains(t, err, tt.want)
			assert.Nil(t, k)
			if len(tt.secret) > 0 {
				assert.NotContains(t, err.Error(), strings.TrimSpace(tt.secret)+"\"")
			}
		})
	}
	for _, id := range []string{"k", strings.Repeat("k", 256), "live_key_0-9.A"} {
		_, err := webhook.NewSigningKey(id, "secret of any printable text")
		require.NoError(t, err, id)
	}
}

func TestHostileOptions(t *testing.T) {
	t.Parallel()
	keys := webhook.StaticKeys(sampleKey(t))
	with := func(opt webhook.Option) []webhook.Option { return []webhook.Option{opt} }
	tests := []struct {
		name string
		keys webhook.KeySource
		opts []webhook.Option
		want string
	}{
		{"C38 no key source", nil, nil, "NewVerifier needs keys"},
		{"C38 no key", webhook.StaticKeys(), nil, "at least one key"},
		{"C38 nil key", webhook.StaticKeys(nil), nil, "key 0 is nil"},
		{"C38 zero key", webhook.StaticKeys(&webhook.SigningKey{}), nil, "NewSigningKey"},
		{"C38 nil option", keys, with(nil), "nil option"},
		{"C38 tolerance 0", keys, with(webhook.WithTolerance(0)), "WithTolerance(0s)"},
		{"C38 tolerance negative", keys, with(webhook.WithTolerance(math.MinInt64)), "WithTolerance(-"},
		{"C38 tolerance above 24 h", keys, with(webhook.WithTolerance(24*time.Hour + 1)), "at most 24h"},
		{"C38 nil clock", keys, with(webhook.WithClock(nil)), "WithClock(nil)"},
		{"C38 empty path", keys, with(webhook.WithPath("")), "start with a slash"},
		{"C38 relative path", keys, with(webhook.WithPath("hook")), "start with a slash"},
		{"C38 URL as path", keys, with(webhook.WithPath("https://example.com/hook")), "start with a slash"},
		{"C38 path with query", keys, with(webhook.WithPath("/hook?tenant=7")), "without query"},
		{"C38 path that is not escaped", keys, with(webhook.WithPath("/caf\u00e9")), "escaped"},
		{"C38 path with a newline", keys, with(webhook.WithPath("/hook\ndate: x")), "escaped"},
		{"C38 path without end", keys, with(webhook.WithPath("/" + strings.Repeat("a", 9000))), "longer than"},
		{"C38 body limit 0", keys, with(webhook.WithMaxBody(0)), "WithMaxBody(0)"},
		{"C38 body limit without end", keys, with(webhook.WithMaxBody(math.MaxInt64)), "WithMaxBody"},
		{"C38 body timeout 0", keys, with(webhook.WithBodyTimeout(0)), "WithBodyTimeout(0s)"},
		{"C38 look-up timeout 0", keys, with(webhook.WithKeyLookupTimeout(0)), "WithKeyLookupTimeout(0s)"},
		{"C38 nil hook", keys, with(webhook.WithRefusalHook(nil)), "WithRefusalHook(nil)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v, err := webhook.NewVerifier(tt.keys, tt.opts...)
			require.ErrorContains(t, err, tt.want)
			assert.Nil(t, v)
		})
	}
}

// TestNothingIsPrinted is "C39 the secret never appears", and neither does the key id nor a body.
func TestNothingIsPrinted(t *testing.T) {
	t.Parallel()
	k, v := sampleKey(t), sampleVerifier(t)
	d, err := v.Verify(delivery(sampleBody)())
	require.NoError(t, err)
	m := signedMessage([]byte(sampleBody))
	type holder struct {
		K *webhook.SigningKey
		V *webhook.Verifier
		k *webhook.SigningKey
		v *webhook.Verifier
	}
	refusals := []error{webhook.ErrKeyLookup, webhook.ErrUnknownKey, webhook.ErrSignatureMismatch}
	for name, value := range map[string]any{
		"key": k, "key value": *k, "keys": []*webhook.SigningKey{k}, "source": webhook.StaticKeys(k), "verifier": v,
		"delivery": d, "delivery value": *d, "message": m, "message pointer": &m, "errors": refusals,
		"holder": holder{k, v, k, v},
	} {
		t.Run("C39 "+name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
				fmt.Fprintf(&out, verb+"\n", value)
			}
			slog.New(slog.NewTextHandler(&out, nil)).Info("text", "value", value)
			if _, isData := value.(webhook.Message); !isData && !strings.HasPrefix(name, "delivery") && name != "message pointer" {
				slog.New(slog.NewJSONHandler(&out, nil)).Info("json", "value", value)
				require.NoError(t, json.NewEncoder(&out).Encode(value))
			}
			text := out.String()
			for _, secret := range []string{sampleSecret, sampleKeyID, "cafecafe-beef", fmt.Sprintf("%x", sampleSecret), fmt.Sprint([]byte(sampleSecret[:4]))} {
				assert.NotContains(t, text, secret)
			}
		})
	}
}

func TestTheLeastAndTheMostThatSettingsTake(t *testing.T) {
	t.Parallel()
	sampleVerifier(t, webhook.WithTolerance(1), webhook.WithMaxBody(1), webhook.WithBodyTimeout(1), webhook.WithKeyLookupTimeout(1))
	sampleVerifier(t, webhook.WithTolerance(24*time.Hour), webhook.WithMaxBody(1<<30))
}
