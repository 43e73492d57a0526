package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var signer = webhooktest.Signer{KeyID: "test_key_1", Secret: "test_secret_of_at_least_fourteen_bytes", Path: "/hooks/flow"}

func newVerifier(t testing.TB, opts ...webhook.Option) *webhook.Verifier {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), opts...)
	require.NoError(t, err)
	return v
}

func TestWithEnvironmentsHoldsOnEveryWayToVerify(t *testing.T) {
	t.Parallel()
	live := newVerifier(t, webhook.WithEnvironments(webhook.EnvironmentLive))
	for name, tt := range map[string]struct {
		body string
		want error
	}{
		"the expected environment":     {`{"environment":"live"}`, nil},
		"G79 sandbox on live":          {`{"environment":"sandbox"}`, webhook.ErrEnvironment},
		"no environment":               {`{}`, webhook.ErrEnvironment},
		"two environments":             {`{"environment":"sandbox","environment":"live"}`, webhook.ErrPayload},
		"a body that is not an event":  {`live`, webhook.ErrPayload},
		"an environment in other case": {`{"environment":"LIVE"}`, webhook.ErrEnvironment},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := signer.Request([]byte(tt.body))
			message := webhook.Message{
				Method: r.Method, Path: r.URL.Path, Body: []byte(tt.body),
				Date: r.Header.Get("Date"), Digest: r.Header.Get("Digest"), Authorization: r.Header.Get("Authorization"),
			}
			require.ErrorIs(t, live.VerifyMessage(t.Context(), message), tt.want)

			_, err := live.Verify(r)
			require.ErrorIs(t, err, tt.want)

			w, reached := httptest.NewRecorder(), false
			next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })
			live.Middleware(next).ServeHTTP(w, signer.Request([]byte(tt.body)))
			assert.Equal(t, webhook.StatusCode(tt.want), w.Code)
			assert.Equal(t, tt.want == nil, reached)
		})
	}
}

func TestWithEnvironmentsRefusesAnEmptyList(t *testing.T) {
	t.Parallel()
	for _, env := range [][]webhook.Environment{nil, {""}, {webhook.EnvironmentLive, ""}} {
		key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
		require.NoError(t, err)
		_, err = webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithEnvironments(env...))
		require.ErrorContains(t, err, "WithEnvironments")
	}
}
