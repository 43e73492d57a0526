package idvtest

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The published sample of the contract's vectors.
const (
	sampleKeyID  = "live_key_deadbeefcafedeadbeefcafedeadbeef"
	sampleSecret = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
	sampleBody   = `{"id":"whkevt_11111111111111","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated","data":{"object":"flow_session",` +
		`"id":"flwses_11111111111111","status":"failed","step":null,"customer_reference":"cafecafe-beef-beef-beef-cafecafecafe",` +
		`"_meta":"This API format is not v1.0 and is subject to change."},"environment":"live"}`
)

func sampleServer(t *testing.T, opts ...Option) *Server {
	opts = append(opts, WithWebhookKey(sampleKeyID, sampleSecret), WithStartTime(time.Date(2021, 1, 23, 21, 43, 14, 0, time.UTC)))
	return Start(t, opts...)
}

func TestDeliveriesAreSignedAsPublished(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		target, signature string
		opts              []Option
	}{
		"documented": {"/webhook_receivers/flow", "PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8=", nil},
		"path alone": {"/webhook_receivers/flow?tenant=7", "PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8=", nil},
		"path and query": {"/webhook_receivers/flow?tenant=7", "SWgpxg3SnY+0lbXBLTg97Ief445pbzqxRO0nGNmoNdQ=",
			[]Option{WithSignedQuery()}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sampleServer(t, tt.opts...)
			var got *http.Request
			r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r }))
			t.Cleanup(r.Close)
			to, err := url.Parse(r.URL + tt.target)
			require.NoError(t, err)
			status, err := s.flow.hooks.post(to, []byte(sampleBody), s.Clock.Now())
			require.NoError(t, err)
			assert.Equal(t, 200, status)
			assert.Equal(t, "Sat, 23 Jan 2021 21:43:14 GMT", got.Header.Get("Date"))
			assert.Equal(t, "SHA-256=xZI8wiAi5crBdZt7l10plN7Q8bScB6r/OV5PjxjKtTw=", got.Header.Get("Digest"))
			assert.Equal(t, `Signature keyId="`+sampleKeyID+`",algorithm="hmac-sha256",headers="(request-target) date digest",signature="`+
				tt.signature+`"`, got.Header.Get("Authorization"))
			assert.Equal(t, "2020-08-14", got.Header.Get("Service-Version"))
			assert.Equal(t, int64(340), got.ContentLength)
		})
	}
}

func TestTheLogOfAFailedTestTellsTheDeliveries(t *testing.T) {
	t.Parallel()
	s := Start(t)
	r := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(r.Close)
	hook, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	s.StartSession("hush")
	event := s.Dashboard().Deliveries()[0].EventID
	assert.Contains(t, s.story(), "2025-01-01 00:00:00  flow_session.step.updated "+event+" to "+hook.ID+
		", attempt 1: the receiver answered 404 Not Found; only 200 counts as delivered\n")
	assert.NotContains(t, s.story(), "hush")
}

func TestDeliveriesKeepTheNewest(t *testing.T) {
	t.Parallel()
	w := Start(t).flow.hooks
	for i := range 3 * maxLogged {
		w.keep(Delivery{Attempt: i})
	}
	log := w.deliveries()
	require.Len(t, log, maxLogged)
	assert.Equal(t, 2*maxLogged, log[0].Attempt)
	assert.Equal(t, 3*maxLogged-1, log[maxLogged-1].Attempt)
}

// The signature of the vectors for a GET without a body gets past the door: what is behind it is a session that does not
// exist.
func TestFlowAPIAdmitsThePublishedSignature(t *testing.T) {
	t.Parallel()
	s := sampleServer(t)
	req, err := http.NewRequest(http.MethodGet, s.URL+"/flow_sessions/flwses_11111111111111", nil)
	require.NoError(t, err)
	req.Header.Set("Accept", jsonAPI)
	req.Header.Set("Service-Version", serviceVersion)
	req.Header.Set("Date", "Sat, 23 Jan 2021 21:43:14 GMT")
	req.Header.Set("Digest", "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
	req.Header.Set("Authorization", `Signature keyId="`+sampleKeyID+
		`",algorithm="hmac-sha256",headers="(request-target) date digest",signature="2UT64MnaP23yPuFEEAnIayqJ9ZPZyPAOXVwjrySJAvs="`)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	assert.Equal(t, http.StatusNotFound, resp.StatusCode)
}
