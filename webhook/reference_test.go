package webhook_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// The published sample (vectors/signing.json).
const (
	keyID      = "live_key_deadbeefcafedeadbeefcafedeadbeef"
	secret     = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
	path       = "/webhook_receivers/flow"
	date       = "Sat, 23 Jan 2021 21:43:14 GMT"
	sampleBody = `{"id":"whkevt_11111111111111","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated","data":{"object":"flow_session","id":"flwses_11111111111111","status":"failed","step":null,"customer_reference":"cafecafe-beef-beef-beef-cafecafecafe","_meta":"This API format is not v1.0 and is subject to change."},"environment":"live"}`
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
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signingString))
	signature := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return `Signature keyId="` + keyID + `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="` + signature + `"`
}

// referenceVerify is rules 1 to 7, for a message whose path has no query.
func referenceVerify(m webhook.Message, now time.Time) bool {
	if m.Method != "POST" || m.Digest != digestOf(m.Body) {
		return false
	}
	if m.Authorization != authorization(keyID, secret, "post", m.Path, m.Date, m.Digest) {
		return false
	}
	sent, err := http.ParseTime(m.Date)
	if err != nil {
		return false
	}
	off := now.Sub(sent)
	return off < 900*time.Second && off > -900*time.Second
}

// signedMessage is a delivery of body, as the service sends it at sentAt.
func signedMessage(body []byte) webhook.Message {
	return resign(webhook.Message{Method: "POST", Path: path, Date: date, Digest: digestOf(body), Body: body})
}

// resign signs what the message holds, whatever that is.
func resign(m webhook.Message) webhook.Message {
	m.Authorization = authorization(keyID, secret, "post", m.Path, m.Date, m.Digest)
	return m
}

func key(tb testing.TB) *webhook.SigningKey {
	tb.Helper()
	k, err := webhook.NewSigningKey(keyID, secret)
	require.NoError(tb, err)
	return k
}

// newVerifier returns a verifier of the sample's key, whose clock stands at the sample's Date.
func newVerifier(tb testing.TB, opts ...webhook.Option) *webhook.Verifier {
	tb.Helper()
	return newVerifierOf(tb, webhook.StaticKeys(key(tb)), opts...)
}

func newVerifierOf(tb testing.TB, keys webhook.KeySource, opts ...webhook.Option) *webhook.Verifier {
	tb.Helper()
	clock := webhook.WithClock(func() time.Time { return sentAt })
	v, err := webhook.NewVerifier(keys, append([]webhook.Option{clock}, opts...)...)
	require.NoError(tb, err)
	return v
}
