package webhook_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// The published sample (vectors/signing.json).
const (
	sampleKeyID  = "live_key_deadbeefcafedeadbeefcafedeadbeef"
	sampleSecret = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
	samplePath   = "/webhook_receivers/flow"
	sampleDate   = "Sat, 23 Jan 2021 21:43:14 GMT"
	sampleBody   = `{"id":"whkevt_11111111111111","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated","data":{"object":"flow_session","id":"flwses_11111111111111","status":"failed","step":null,"customer_reference":"cafecafe-beef-beef-beef-cafecafecafe","_meta":"This API format is not v1.0 and is subject to change."},"environment":"live"}`
)

// sentAt is the sample's Date.
var sentAt = time.Date(2021, time.January, 23, 21, 43, 14, 0, time.UTC)

// What follows is written from the contract alone, plainly, and shares nothing with the package: the other opinion in every test.

// digestOf is rule 1.
func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:])
}

// authorization is rules 2 to 4.
func authorization(keyID, secret, method, path, date, digest string) string {
	signingString := "(request-target): " + method + " " + path + "\n" +
		"date: " + date + "\n" +
		"digest: " + digest
	return `Signature keyId="` + keyID + `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="` + signatureOf(secret, signingString) + `"`
}

// signatureOf is rule 3.
func signatureOf(secret, signingString string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signingString))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// authorizationOver signs any text with the sample's key as if it were the signing string.
func authorizationOver(text string) string {
	return `Signature keyId="` + sampleKeyID + `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="` + signatureOf(sampleSecret, text) + `"`
}

// referenceVerify is rules 1 to 7, for a message whose path has no query.
func referenceVerify(m webhook.Message, now time.Time) bool {
	if m.Method != "POST" || m.Digest != digestOf(m.Body) {
		return false
	}
	if m.Authorization != authorization(sampleKeyID, sampleSecret, "post", m.Path, m.Date, m.Digest) {
		return false
	}
	sent, ok := httpDate(m.Date)
	if !ok {
		return false
	}
	off := now.Sub(sent)
	return off < 900*time.Second && off > -900*time.Second
}

// httpDate is RFC 9110, 5.6.7 to the letter: what comes out of its layout as it went in.
func httpDate(s string) (time.Time, bool) {
	for _, layout := range []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", "Mon Jan _2 15:04:05 2006"} {
		if t, err := time.Parse(layout, s); err == nil && t.Format(layout) == s {
			return t, true
		}
	}
	return time.Time{}, false
}

// signedMessage is a delivery of body, as the service sends it at sentAt.
func signedMessage(body []byte) webhook.Message {
	return resign(webhook.Message{Method: "POST", Path: samplePath, Date: sampleDate, Digest: digestOf(body), Body: body})
}

// resign signs what the message holds, whatever that is.
func resign(m webhook.Message) webhook.Message {
	m.Authorization = authorization(sampleKeyID, sampleSecret, "post", m.Path, m.Date, m.Digest)
	return m
}

func sampleKey(tb testing.TB) *webhook.SigningKey {
	tb.Helper()
	k, err := webhook.NewSigningKey(sampleKeyID, sampleSecret)
	require.NoError(tb, err)
	return k
}

// sampleVerifier returns a verifier of the sample's key, whose clock stands at the sample's Date.
func sampleVerifier(tb testing.TB, opts ...webhook.Option) *webhook.Verifier {
	tb.Helper()
	return sampleVerifierOf(tb, webhook.StaticKeys(sampleKey(tb)), opts...)
}

func sampleVerifierOf(tb testing.TB, keys webhook.KeySource, opts ...webhook.Option) *webhook.Verifier {
	tb.Helper()
	clock := webhook.WithClock(func() time.Time { return sentAt })
	v, err := webhook.NewVerifier(keys, append([]webhook.Option{clock}, opts...)...)
	require.NoError(tb, err)
	return v
}

// untouchable is a body that must not be read.
type untouchable struct{ tb testing.TB }

func (u untouchable) Read([]byte) (int, error) {
	u.tb.Error("the body was read")
	return 0, io.EOF
}

// requestOf is the message as a server hands it to a handler.
func requestOf(m webhook.Message) *http.Request {
	r := httptest.NewRequest(m.Method, m.Path, bytes.NewReader(m.Body))
	r.Header = http.Header{
		"Authorization": {m.Authorization}, "Date": {m.Date}, "Digest": {m.Digest}, "Service-Version": {"2020-08-14"},
	}
	return r
}
