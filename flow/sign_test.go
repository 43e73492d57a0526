package flow_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mac is the standard Base64 of HMAC-SHA256, by the standard library alone.
func mac(text string) string {
	h := hmac.New(sha256.New, []byte(secret))
	h.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(h.Sum(nil))
}

// digest is the Digest header by the standard library alone.
func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:])
}

// assertSigned checks a request against the written rules, without any code of the module.
func assertSigned(t *testing.T, method, target string, r sent) {
	t.Helper()
	assert.Equal(t, digest(r.Body), r.Header.Get("Digest"))
	signed := "(request-target): " + method + " " + target + "\ndate: " + r.Header.Get("Date") + "\ndigest: " + r.Header.Get("Digest")
	assert.Equal(t, `Signature keyId="`+keyID+`",algorithm="hmac-sha256",headers="(request-target) date digest",signature="`+mac(signed)+`"`,
		r.Header.Get("Authorization"))
}

func TestSignCustomerReference(t *testing.T) {
	t.Parallel()
	const reference = "3a409367-a417-4d46-9a92-3d7bc5dc4605"
	t.Run("the published vector", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, "yw0hqBPOIWcHPFZBsaMPnxktOrWwWkZcWP+TneV5D48=", flow.SignCustomerReference(secret, reference))
	})
	t.Run("any reference, by the standard library", func(t *testing.T) {
		t.Parallel()
		for _, reference := range []string{reference, "", "ü", "customer 42"} {
			assert.Equal(t, mac(reference), flow.SignCustomerReference(secret, reference))
		}
	})
}

// The vector of a GET: its request line, its date and its empty body.
func TestTheVectorOfALookUp(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{"id":"flwses_11111111111111"}`, idv.WithClock(func() time.Time { return time.Unix(1611438194, 0) }))
	_, err := c.Sessions.Get(t.Context(), "flwses_11111111111111")
	require.NoError(t, err)
	r := (*requests)[0]
	assert.Equal(t, "Sat, 23 Jan 2021 21:43:14 GMT", r.Header.Get("Date"))
	assert.Equal(t, "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", r.Header.Get("Digest"))
	assert.Contains(t, r.Header.Get("Authorization"), `signature="2UT64MnaP23yPuFEEAnIayqJ9ZPZyPAOXVwjrySJAvs="`)
}

func TestEveryRequestIsSignedOverPathAndQuery(t *testing.T) {
	t.Parallel()
	once := params("ref")
	once.Idempotent = true
	for target, call := range map[string]func(*flow.Client) error{
		"get /flow_sessions/flwses_1":          func(c *flow.Client) error { _, err := c.Sessions.Get(t.Context(), "flwses_1"); return err },
		"get /flow_sessions/a%2Fb%20%3F%C3%BC": func(c *flow.Client) error { _, err := c.Sessions.Get(t.Context(), "a/b ?ü"); return err },
		"get /flow_sessions/1?a=b%2Fc&d=%22": func(c *flow.Client) error {
			_, err := c.Sessions.Get(t.Context(), "1", idv.WithQuery("d", `"`), idv.WithQuery("a", "b/c"))
			return err
		},
		"post /flow_sessions":                 func(c *flow.Client) error { _, err := c.Sessions.Create(t.Context(), params("ref")); return err },
		"post /flow_sessions?idempotent=true": func(c *flow.Client) error { _, err := c.Sessions.Create(t.Context(), once); return err },
		"post /flow_sessions/retry":           func(c *flow.Client) error { _, err := c.Sessions.Retry(t.Context(), retry("ref")); return err },
		"delete /flow_sessions/1": func(c *flow.Client) error {
			return c.Call(t.Context(), "DELETE", "/flow_sessions/1", nil, nil, nil)
		},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			c, requests := answering(t, 200, `{"id":"1"}`)
			require.NoError(t, call(c))
			require.Len(t, *requests, 1)
			r := (*requests)[0]
			method, path, _ := bytes.Cut([]byte(target), []byte(" "))
			assert.Equal(t, string(path), r.Target)
			assertSigned(t, string(method), string(path), r)
			for _, name := range []string{"Accept", "Content-Type"} {
				assert.Equal(t, []string{"application/vnd.api+json"}, r.Header[name])
			}
			assert.Equal(t, []string{"2020-08-14"}, r.Header["Service-Version"])
			assert.Regexp(t, "^idv/", r.Header.Get("User-Agent"))
			sentAt, err := http.ParseTime(r.Header.Get("Date"))
			require.NoError(t, err)
			assert.WithinRange(t, sentAt, time.Now().Add(-time.Minute), time.Now())
		})
	}
}

// The prefix of the base URL is on the request line, so it is signed.
func TestTheSignedPathHasThePrefixOfTheBaseURL(t *testing.T) {
	t.Parallel()
	var got sent
	hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		got = sent{Method: r.Method, Target: r.URL.RequestURI(), Header: r.Header.Clone()}
		return reply(r, 200, `{"id":"1"}`), nil
	})}
	c, err := flow.New("https://flow.example/a%20b/v1/", keyID, secret, idv.WithHTTPClient(hc))
	require.NoError(t, err)
	_, err = c.Sessions.Get(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, "/a%20b/v1/flow_sessions/1", got.Target)
	assertSigned(t, "get", "/a%20b/v1/flow_sessions/1", got)
}

// What the client signs, the verifier of this module accepts, over a real connection.
func TestTheWebhookVerifierAcceptsWhatTheClientSigns(t *testing.T) {
	t.Parallel()
	key, err := webhook.NewSigningKey(keyID, secret)
	require.NoError(t, err)
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	require.NoError(t, err)
	var verified []string
	server := httptest.NewServer(verifier.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, ok := webhook.FromContext(r.Context())
		assert.True(t, ok)
		assert.Equal(t, flow.ServiceVersion, d.ServiceVersion)
		verified = append(verified, r.URL.RequestURI())
		_, _ = w.Write([]byte(`{"id":"1"}`))
	})))
	defer server.Close()
	c, err := flow.New(server.URL, keyID, secret)
	require.NoError(t, err)
	defer c.CloseIdleConnections()
	once := params("ref")
	once.Idempotent = true
	_, err = c.Sessions.Create(t.Context(), params("ref"))
	require.NoError(t, err)
	_, err = c.Sessions.Create(t.Context(), once)
	require.NoError(t, err)
	_, err = c.Sessions.Retry(t.Context(), retry("ref"))
	require.NoError(t, err)
	assert.Equal(t, []string{"/flow_sessions", "/flow_sessions?idempotent=true", "/flow_sessions/retry"}, verified)
	other, err := flow.New(server.URL, keyID, secret+"x")
	require.NoError(t, err)
	defer other.CloseIdleConnections()
	_, err = other.Sessions.Create(t.Context(), params("ref"))
	assert.ErrorIs(t, err, idv.ErrUnauthorized, "the verifier does tell keys apart")
}

// A retry after a long wait would be refused if it carried the date of the first attempt.
func TestEachAttemptHasItsOwnDateAndSignature(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var requests []sent
		c := over(t, func(r *http.Request) (*http.Response, error) {
			requests = append(requests, sent{Header: r.Header})
			resp := reply(r, 503, "")
			resp.Header.Set("Retry-After", "1000")
			if len(requests) == 3 {
				resp = reply(r, 200, `{"id":"1"}`)
			}
			return resp, nil
		}, idv.WithMaxRetryWait(time.Hour))
		_, err := c.Sessions.Get(t.Context(), "1")
		require.NoError(t, err)
		require.Len(t, requests, 3)
		for i, r := range requests {
			assertSigned(t, "get", "/flow_sessions/1", r)
			if i > 0 {
				before, _ := http.ParseTime(requests[i-1].Header.Get("Date"))
				at, _ := http.ParseTime(r.Header.Get("Date"))
				assert.GreaterOrEqual(t, at.Sub(before), 1000*time.Second)
			}
		}
	})
}

// A signed reference of three lines would be a signed webhook.
func TestAReferenceThatIsASigningStringIsNotSigned(t *testing.T) {
	t.Parallel()
	for _, reference := range []string{"(request-target): post /hook\ndate: x\ndigest: y", "a\nb", "a\r", "a\x00", "a\u0085"} {
		assert.Empty(t, flow.SignCustomerReference(secret, reference))
	}
}
