package webhook_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// TestContractVerifier shows the rows of the contract that are the verifier's, on the published sample where there is one.
func TestContractVerifier(t *testing.T) {
	t.Parallel()
	// The sample's headers, as published.
	sample := webhook.Message{
		Method: "POST",
		Path:   "/webhook_receivers/flow",
		Date:   "Sat, 23 Jan 2021 21:43:14 GMT",
		Digest: "SHA-256=xZI8wiAi5crBdZt7l10plN7Q8bScB6r/OV5PjxjKtTw=",
		Authorization: `Signature keyId="live_key_deadbeefcafedeadbeefcafedeadbeef",algorithm="hmac-sha256",` +
			`headers="(request-target) date digest",signature="PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8="`,
		Body: []byte(sampleBody),
	}
	verify := func(t *testing.T, m webhook.Message) error {
		t.Helper()
		return sampleVerifier(t).VerifyMessage(t.Context(), m)
	}
	t.Run("W14 the Digest is SHA-256= and standard Base64 of the raw body's SHA-256", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, verify(t, sample))
		for _, digest := range []string{strings.ToLower(sample.Digest[:8]) + sample.Digest[8:], strings.TrimRight(sample.Digest, "="), strings.ReplaceAll(sample.Digest, "/", "_")} {
			m := sample
			m.Digest = digest
			require.ErrorIs(t, verify(t, resign(m)), webhook.ErrDigestMismatch, digest)
		}
	})
	t.Run("W15 the raw bytes count: a re-serialised body is refused", func(t *testing.T) {
		t.Parallel()
		var value any
		require.NoError(t, json.Unmarshal(sample.Body, &value))
		again, err := json.Marshal(value)
		require.NoError(t, err)
		require.JSONEq(t, sampleBody, string(again))
		m := sample
		m.Body = again
		require.ErrorIs(t, verify(t, m), webhook.ErrDigestMismatch)
	})
	t.Run("W16 the signing string: three lines, lowercase method, path, no trailing newline", func(t *testing.T) {
		t.Parallel()
		right := "(request-target): post " + sample.Path + "\ndate: " + sample.Date + "\ndigest: " + sample.Digest
		m := sample
		m.Authorization = authorizationOver(right)
		require.NoError(t, verify(t, m))
		for name, wrong := range map[string]string{
			"a trailing newline": right + "\n",
			"upper-case method":  strings.Replace(right, "post", "POST", 1),
			"upper-case prefix":  strings.Replace(right, "date:", "Date:", 1),
			"CRLF":               strings.ReplaceAll(right, "\n", "\r\n"),
			"another order":      "date: " + sample.Date + "\n(request-target): post " + sample.Path + "\ndigest: " + sample.Digest,
			"two lines":          "(request-target): post " + sample.Path + "\ndate: " + sample.Date,
		} {
			m.Authorization = authorizationOver(wrong)
			require.ErrorIs(t, verify(t, m), webhook.ErrSignatureMismatch, name)
		}
	})
	t.Run("W17 the signature: standard Base64 of HMAC-SHA256 keyed with the secret", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, verify(t, sample), "the published signature")
		decoded := sampleVerifierOf(t, webhook.StaticKeys(signingKey(t, sampleKeyID, strings.TrimPrefix(sampleSecret, "live_secret_"))))
		require.ErrorIs(t, decoded.VerifyMessage(t.Context(), sample), webhook.ErrSignatureMismatch, "the prefix belongs to the secret")
	})
	t.Run("W18 the Authorization value to the letter", func(t *testing.T) {
		t.Parallel()
		for _, edit := range [][2]string{{`",`, `", `}, {"Signature ", "signature "}, {"hmac-sha256", "hs2019"}, {"date digest", "digest date"}} {
			m := sample
			m.Authorization = strings.Replace(m.Authorization, edit[0], edit[1], 1)
			require.ErrorIs(t, verify(t, m), webhook.ErrMalformed, edit[1])
		}
	})
	t.Run("W19 the whole header is compared: no byte of it is left out", func(t *testing.T) {
		t.Parallel()
		for i := range sample.Authorization {
			m := sample
			m.Authorization = sample.Authorization[:i] + string(sample.Authorization[i]^1) + sample.Authorization[i+1:]
			require.ErrorIs(t, verify(t, m), webhook.ErrUnverified, "byte %d", i)
		}
	})
	t.Run("W20 the Date differs by strictly less than 900 s, to either side", func(t *testing.T) {
		t.Parallel()
		for off, want := range map[time.Duration]error{
			900*time.Second - 1: nil, -900*time.Second + 1: nil,
			900 * time.Second: webhook.ErrTimestamp, -900 * time.Second: webhook.ErrTimestamp,
		} {
			m := sample
			m.At = sentAt.Add(off)
			require.ErrorIs(t, verify(t, m), want, "%v", off)
		}
	})
	t.Run("W21 nothing is processed unless both checks succeed", func(t *testing.T) {
		t.Parallel()
		late := webhook.WithClock(func() time.Time { return sentAt.Add(time.Hour) })
		forged, changed := forgedSample(), sample
		changed.Body = bytes.ToUpper(sample.Body)
		assert.Equal(t, []int{200, 401, 401, 401, 401}, []int{
			processed(t, sample),
			unprocessed(t, forged),
			unprocessed(t, sample, late),
			unprocessed(t, forged, late),
			unprocessed(t, changed),
		})
	})
	t.Run("W22 only status 200 counts as delivered: another 2xx of the handler is sent as 200", func(t *testing.T) {
		t.Parallel()
		for written, want := range map[int]int{201: 200, 202: 200, 204: 200, 200: 200, 302: 302, 500: 500} {
			next := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(written) })
			assert.Equal(t, want, serve(sampleVerifier(t).Middleware(next), requestOf(sample)).Code)
		}
	})
	t.Run("W30 Service-Version is date-shaped and reachable by the receiver", func(t *testing.T) {
		t.Parallel()
		d, err := sampleVerifier(t).Verify(requestOf(sample))
		require.NoError(t, err)
		_, err = time.Parse(time.DateOnly, d.ServiceVersion)
		require.NoError(t, err)
		assert.Equal(t, "2020-08-14", d.ServiceVersion)
	})
}

// processed sends a message through the middleware and requires the handler to be reached; it returns the status.
func processed(t *testing.T, m webhook.Message, opts ...webhook.Option) int {
	t.Helper()
	status, reached := through(t, m, opts...)
	assert.True(t, reached)
	return status
}

// unprocessed requires that the handler is not reached.
func unprocessed(t *testing.T, m webhook.Message, opts ...webhook.Option) int {
	t.Helper()
	status, reached := through(t, m, opts...)
	assert.False(t, reached)
	return status
}

func through(t *testing.T, m webhook.Message, opts ...webhook.Option) (status int, reached bool) {
	t.Helper()
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })
	return serve(sampleVerifier(t, opts...).Middleware(next), requestOf(m)).Code, reached
}

// TestContractVerifierPayload: what comes back in a verified body, where the headers matter.
func TestContractVerifierPayload(t *testing.T) {
	t.Parallel()
	signer := webhooktest.Signer{KeyID: sampleKeyID, Secret: sampleSecret, Path: samplePath, Now: func() time.Time { return sentAt }}
	sent := webhooktest.Event{ID: "whkevt_7", SessionID: "flwses_7", CustomerReference: "our customer 7", Environment: "live", Timestamp: sentAt}
	d, err := sampleVerifier(t).Verify(signer.Event(sent))
	require.NoError(t, err)
	event, err := webhook.ParseEvent(d.Body)
	require.NoError(t, err)
	updated, ok := event.(*webhook.StatusUpdated)
	require.True(t, ok)

	t.Run("W03 customerReference comes back as data.customer_reference", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "our customer 7", updated.Session.CustomerReference)
	})
	t.Run("W04 event fields: id, timestamp, event, data, environment", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "whkevt_7", updated.ID)
		assert.True(t, updated.Timestamp.Equal(sentAt))
		assert.EqualValues(t, "flow_session.status.updated", updated.Kind)
		assert.EqualValues(t, "live", updated.Environment)
	})
	t.Run("W06 data fields: object, id, status, step, customer_reference, _meta", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "flow_session", updated.Session.Object)
		assert.Equal(t, "flwses_7", updated.Session.ID)
		assert.EqualValues(t, "success", updated.Session.Status)
		assert.Empty(t, updated.Session.Step, "null")
		assert.Contains(t, updated.Session.Meta, "not v1.0")
	})
}
