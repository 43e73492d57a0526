package webhook_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

func TestHostileAuthorization(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func() *http.Request {
		return tampered(func(r *http.Request) { r.Header.Set(name, value) })
	}
	moved := func(to string) func() *http.Request {
		return tampered(func(r *http.Request) {
			r.Header.Set(to, r.Header.Get("Authorization"))
			r.Header.Del("Authorization")
		})
	}
	runRequestCases(t, []requestCase{
		{"B18 missing", tampered(func(r *http.Request) { r.Header.Del("Authorization") }), webhook.ErrNotSigned},
		{"B18 empty", header("Authorization", ""), webhook.ErrNotSigned},
		{"B18 Bearer", header("Authorization", "Bearer abc"), webhook.ErrMalformed},
		{"B18 Basic", header("Authorization", "Basic YTpi"), webhook.ErrMalformed},
		{"B19 second line after", tampered(func(r *http.Request) { r.Header.Add("Authorization", "Basic YTpi") }), webhook.ErrMalformed},
		{"B19 second line before", tampered(func(r *http.Request) {
			r.Header["Authorization"] = []string{"Basic YTpi", r.Header.Get("Authorization")}
		}), webhook.ErrMalformed},
		{"B19 the same line twice", tampered(func(r *http.Request) { r.Header.Add("Authorization", r.Header.Get("Authorization")) }), webhook.ErrMalformed},
		{"B27 in Signature:", moved("Signature"), webhook.ErrNotSigned},
		{"B27 in X-Authorization:", moved("X-Authorization"), webhook.ErrNotSigned},
		{"B27 in the query string", tampered(func(r *http.Request) {
			r.RequestURI += "?authorization=" + strings.ReplaceAll(r.Header.Get("Authorization"), " ", "+")
			r.Header.Del("Authorization")
		}), webhook.ErrNotSigned},
		{"B32 header of delivery 1 on body of delivery 2", altered(func(m *webhook.Message) { m.Body = []byte("{}") }), webhook.ErrDigestMismatch},
		{"B32 header of delivery 1 with Date of delivery 2", header("Date", "Sat, 23 Jan 2021 21:43:15 GMT"), webhook.ErrSignatureMismatch},
	})
}

// TestHostileAuthorizationForms changes the value of a correct header. The contract has one form, to the letter.
func TestHostileAuthorizationForms(t *testing.T) {
	t.Parallel()
	swap := func(old, with string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, with, 1) }
	}
	sig := func(change func(sig string) string) func(string) string {
		return func(s string) string {
			before, after, _ := strings.Cut(s, `signature="`)
			return before + `signature="` + change(strings.TrimSuffix(after, `"`)) + `"`
		}
	}
	id := func(id string) func(string) string { return swap(sampleKeyID, id) }
	tests := []struct {
		name   string
		change func(value string) string
		want   error
	}{
		{"B20 lower-case scheme", swap("Signature", "signature"), webhook.ErrMalformed},
		{"B20 no scheme", swap("Signature ", ""), webhook.ErrMalformed},
		{"B20 two spaces", swap("Signature ", "Signature  "), webhook.ErrMalformed},
		{"B20 tab", swap("Signature ", "Signature\t"), webhook.ErrMalformed},
		{"B21 blank after comma", swap(",", ", "), webhook.ErrMalformed},
		{"B21 reordered parameters", swap(`keyId="`+sampleKeyID+`",algorithm="hmac-sha256"`, `algorithm="hmac-sha256",keyId="`+sampleKeyID+`"`), webhook.ErrMalformed},
		{"B21 unquoted value", swap(`"hmac-sha256"`, `hmac-sha256`), webhook.ErrMalformed},
		{"B21 single quotes", func(s string) string { return strings.ReplaceAll(s, `"`, `'`) }, webhook.ErrMalformed},
		{"B21 backslash-quote", swap(`digest"`, `digest\"`), webhook.ErrMalformed},
		{"B21 missing last quote", func(s string) string { return s[:len(s)-1] }, webhook.ErrMalformed},
		{"B21 trailing space", func(s string) string { return s + " " }, webhook.ErrMalformed},
		{"B21 trailing byte", func(s string) string { return s + "\x00" }, webhook.ErrMalformed},
		{"B22 algorithm none", swap("hmac-sha256", "none"), webhook.ErrMalformed},
		{"B22 algorithm hs2019", swap("hmac-sha256", "hs2019"), webhook.ErrMalformed},
		{"B22 algorithm hmac-sha1", swap("hmac-sha256", "hmac-sha1"), webhook.ErrMalformed},
		{"B22 algorithm rsa-sha256", swap("hmac-sha256", "rsa-sha256"), webhook.ErrMalformed},
		{"B22 algorithm upper case", swap("hmac-sha256", "HMAC-SHA256"), webhook.ErrMalformed},
		{"B24 extra created", func(s string) string { return s + ",created=1" }, webhook.ErrMalformed},
		{"B24 extra expires", swap(",signature", `,expires="1",signature`), webhook.ErrMalformed},
		{"B24 duplicate keyId", swap(",algorithm", `,keyId="x",algorithm`), webhook.ErrMalformed},
		{"B24 duplicate signature", func(s string) string { return s + `,signature="x"` }, webhook.ErrMalformed},
		{"B25 signature empty", sig(func(string) string { return "" }), webhook.ErrMalformed},
		{"B25 signature one short", sig(func(s string) string { return s[1:] }), webhook.ErrMalformed},
		{"B25 signature one long", sig(func(s string) string { return s + "A" }), webhook.ErrMalformed},
		{"B25 signature all A", sig(func(string) string { return strings.Repeat("A", 43) + "=" }), webhook.ErrSignatureMismatch},
		{"B25 signature base64url", sig(func(s string) string { return strings.NewReplacer("+", "-", "/", "_").Replace(s) }), webhook.ErrSignatureMismatch},
		{"B25 signature case flipped", sig(strings.ToLower), webhook.ErrSignatureMismatch},
		{"B26 unused trailing bits differ", sig(otherTrailingBits), webhook.ErrSignatureMismatch},
		{"B28 1 MiB", func(s string) string { return s + strings.Repeat("A", 1<<20) }, webhook.ErrMalformed},
		{"B29 keyId of 10 kB", id(strings.Repeat("k", 10_000)), webhook.ErrMalformed},
		{"B29 keyId with quote", id(`a"b`), webhook.ErrMalformed},
		{"B29 keyId with newline", id("a\nb"), webhook.ErrMalformed},
		{"B29 keyId with NUL", id("a\x00b"), webhook.ErrMalformed},
		{"B29 keyId with ../", id("../../keys"), webhook.ErrMalformed},
		{"B29 keyId with SQL", id("' OR 1=1 --"), webhook.ErrMalformed},
		{"B31 obs-fold line", swap(",headers", ", headers"), webhook.ErrMalformed},
		{"C34 unknown keyId", id("live_key_of_somebody_else"), webhook.ErrUnknownKey},
		{"C34 empty keyId", id(""), webhook.ErrUnknownKey},
		{"C34 prefix of a real keyId", id(sampleKeyID[:10]), webhook.ErrUnknownKey},
		{"C34 keyId in another case", id(strings.ToUpper(sampleKeyID)), webhook.ErrUnknownKey},
	}
	lookups := &recordingSource{keys: []*webhook.SigningKey{sampleKey(t)}}
	verifiers := map[string]*webhook.Verifier{"static": sampleVerifier(t), "source": sampleVerifierOf(t, lookups)}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := signedMessage([]byte(sampleBody))
			changed := tt.change(m.Authorization)
			require.NotEqual(t, m.Authorization, changed)
			m.Authorization = changed
			for name, v := range verifiers {
				lookups.asked = nil
				require.ErrorIs(t, v.VerifyMessage(t.Context(), m), tt.want, "%s, message", name)
				_, err := v.VerifyHeader(requestOf(m))
				require.ErrorIs(t, err, tt.want, "%s, request", name)
				require.ErrorIs(t, err, webhook.ErrUnverified)
				assert.Equal(t, http.StatusUnauthorized, webhook.StatusCode(err))
				assert.NotContains(t, lookups.asked, "", "no look-up of nothing")
				if tt.want == webhook.ErrMalformed {
					assert.Empty(t, lookups.asked, "refused before any look-up")
				}
			}
		})
	}
}

// recordingSource is a KeySource that remembers what it was asked for. It serves one goroutine.
type recordingSource struct {
	keys  []*webhook.SigningKey
	asked []string
}

func (s *recordingSource) Keys(_ context.Context, id string) ([]*webhook.SigningKey, error) {
	s.asked = append(s.asked, id)
	var found []*webhook.SigningKey
	for _, k := range s.keys {
		if k.ID() == id {
			found = append(found, k)
		}
	}
	if found == nil {
		return nil, webhook.ErrUnknownKey
	}
	return found, nil
}

// otherTrailingBits returns another Base64 text of the same 32 bytes.
func otherTrailingBits(sig string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	i := strings.IndexByte(alphabet, sig[42])
	return sig[:42] + string(alphabet[i^1]) + "="
}

func TestOtherTrailingBitsAreTheSameBytes(t *testing.T) {
	t.Parallel()
	const sig = "PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8="
	one, _ := base64.StdEncoding.DecodeString(sig)
	other, _ := base64.StdEncoding.DecodeString(otherTrailingBits(sig))
	require.NotEqual(t, sig, otherTrailingBits(sig))
	require.True(t, bytes.Equal(one, other))
}

// TestHostileCoveredHeaders: the list of what is signed is not the sender's to choose, even where the signature is right for it.
func TestHostileCoveredHeaders(t *testing.T) {
	t.Parallel()
	digest := digestOf([]byte(sampleBody))
	lists := []struct{ name, list, text string }{
		{"B23 date alone", "date", "date: " + sampleDate},
		{"B23 empty", "", ""},
		{"B23 reordered", "date (request-target) digest", "date: " + sampleDate + "\n(request-target): post " + samplePath + "\ndigest: " + digest},
		{"B23 host added", "(request-target) date digest host", "(request-target): post " + samplePath + "\ndate: " + sampleDate + "\ndigest: " + digest + "\nhost: example.com"},
		{"B23 upper-case", "(REQUEST-TARGET) DATE DIGEST", "(request-target): post " + samplePath + "\ndate: " + sampleDate + "\ndigest: " + digest},
	}
	tests := make([]requestCase, 0, len(lists))
	for _, l := range lists {
		mac := hmac.New(sha256.New, []byte(sampleSecret))
		mac.Write([]byte(l.text))
		value := fmt.Sprintf(`Signature keyId="%s",algorithm="hmac-sha256",headers="%s",signature="%s"`,
			sampleKeyID, l.list, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		tests = append(tests, requestCase{l.name, altered(func(m *webhook.Message) { m.Authorization = value }), webhook.ErrMalformed})
	}
	runRequestCases(t, tests)
}

// TestHostileBytes is "B30 every single byte of the header", and of everything else that is signed.
func TestHostileBytes(t *testing.T) {
	t.Parallel()
	parts := map[string]func(m *webhook.Message) *string{
		"Authorization": func(m *webhook.Message) *string { return &m.Authorization },
		"Date":          func(m *webhook.Message) *string { return &m.Date },
		"Digest":        func(m *webhook.Message) *string { return &m.Digest },
		"Path":          func(m *webhook.Message) *string { return &m.Path },
		"Method":        func(m *webhook.Message) *string { return &m.Method },
	}
	v := sampleVerifier(t)
	for name, part := range parts {
		t.Run("B30 every byte of "+name, func(t *testing.T) {
			t.Parallel()
			whole := signedMessage([]byte(sampleBody))
			for i := range *part(&whole) {
				for _, mask := range []byte{1, 2, 32, 128} {
					m := whole
					changed := []byte(*part(&m))
					changed[i] ^= mask
					*part(&m) = string(changed)
					require.Error(t, v.VerifyMessage(t.Context(), m), "byte %d ^ %d", i, mask)
				}
			}
		})
	}
	t.Run("B30 every byte of the body", func(t *testing.T) {
		t.Parallel()
		m := signedMessage([]byte(sampleBody))
		for i := range m.Body {
			for _, mask := range []byte{1, 2, 32, 128} {
				m.Body[i] ^= mask
				require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrDigestMismatch, "byte %d ^ %d", i, mask)
				m.Body[i] ^= mask
			}
		}
		require.NoError(t, v.VerifyMessage(t.Context(), m))
	})
}
