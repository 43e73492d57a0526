package webhooktest

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

var signer = Signer{
	KeyID: "live_key_deadbeefcafedeadbeefcafedeadbeef", Secret: "live_secret_abcd1234",
	Path: "/webhook_receivers/flow", Now: func() time.Time { return time.Date(2021, time.January, 23, 21, 43, 14, 500, time.UTC) },
}

// mount serves the signer's path, by a clock that stands at the signer's unless opts have another.
func mount(t *testing.T, opts ...webhook.Option) http.Handler {
	t.Helper()
	opts = append([]webhook.Option{webhook.WithClock(signer.Now)}, opts...)
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), opts...)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.Handle(signer.Path, v.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	return mux
}

// TestHostile runs all of it against the middleware, mounted as programs mount it.
func TestHostile(t *testing.T) {
	t.Parallel()
	Hostile(t, signer, mount(t))
}

func TestHostileWithTheRealClock(t *testing.T) {
	t.Parallel()
	s := signer
	s.Now = nil
	Hostile(t, s, mount(t, webhook.WithClock(time.Now)))
}

// TestHostileFindsWeakReceivers: a suite that cannot fail shows nothing. Each of these receivers has one of the mistakes seen in
// public code, and has to be found out.
func TestHostileFindsWeakReceivers(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		handler http.Handler
		finds   []string // at least one attempt of each name prefix must fail
	}{
		{"accepts everything", answering(200), []string{"A2", "A4", "B18", "B25", "C33", "D42", "D51", "E52", "E62"}},
		{"refuses everything", answering(401), []string{"A1", "A15", "D46", "E53", "E64"}},
		{"reads the body first", readingFirst(mount(t)), []string{"A4", "A11", "A12", "B18", "C33", "D44"}},
		{"trusts the Digest header", trustingDigest(mount(t)), []string{"A2", "A3", "B32"}},
		{"takes any Date", mount(t, webhook.WithTolerance(24*time.Hour)), []string{"D42"}},
		{"says why it refuses", telling(mount(t)), []string{"A2", "B18"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			failed := failures(signer, tt.handler)
			for _, prefix := range tt.finds {
				assert.True(t, slices.ContainsFunc(failed, func(name string) bool {
					return len(name) > len(prefix) && name[:len(prefix)] == prefix && name[len(prefix)] == ' '
				}), "%s finds nothing", prefix)
			}
		})
	}
}

// TestHostileTakesWhatProgramsDoAroundAReceiver: none of these is a weakness.
func TestHostileTakesWhatProgramsDoAroundAReceiver(t *testing.T) {
	t.Parallel()
	digits := signer
	digits.KeyID = "12345"
	var requests atomic.Int64
	reached := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	host := http.NewServeMux()
	host.Handle("POST receiver.example"+signer.Path, verifierOf(t, signer).Middleware(reached))
	tests := []struct {
		name    string
		signer  Signer
		handler http.Handler
	}{
		{"a request id on every answer", signer, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", strconv.FormatInt(requests.Add(1), 10))
			mount(t).ServeHTTP(w, r)
		})},
		{"422 for what is no event", signer, verifierOf(t, signer).Middleware(parsing(http.StatusUnprocessableEntity))},
		{"500 for what is no event", signer, verifierOf(t, signer).Middleware(parsing(http.StatusInternalServerError))},
		{"a router for one host", signer, host},
		{"a check of the Content-Type", signer, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Content-Type") != "application/json" {
				w.WriteHeader(http.StatusUnsupportedMediaType)
				return
			}
			mount(t).ServeHTTP(w, r)
		})},
		{"a key id without letters", digits, verifierOf(t, digits).Middleware(reached)},
		{"a limit and a timeout", signer, http.MaxBytesHandler(http.TimeoutHandler(mount(t), time.Minute, ""), 1<<20)},
		{"mounted twice", signer, verifierOf(t, signer).Middleware(mount(t))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			assert.Empty(t, failures(tt.signer, tt.handler))
		})
	}
}

func verifierOf(t *testing.T, s Signer) *webhook.Verifier {
	t.Helper()
	key, err := webhook.NewSigningKey(s.KeyID, s.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithClock(s.Now))
	require.NoError(t, err)
	return v
}

// parsing answers with a status to what is no event.
func parsing(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		d, _ := webhook.FromContext(r.Context())
		if _, err := webhook.ParseEvent(d.Body); err != nil {
			w.WriteHeader(status)
		}
	})
}

// failures returns the names of the attempts that a handler does not stand.
func failures(s Signer, handler http.Handler) (names []string) {
	h := &hostile{signer: s, handler: handler}
	h.learn()
	for _, a := range slices.Concat(bodies(), authorizations(), keys(), dates(), targets(), connections()) {
		if len(h.problems(a)) > 0 {
			names = append(names, a.name)
		}
	}
	return names
}

func answering(status int) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
}

func readingFirst(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		setBody(r, body)
		next.ServeHTTP(w, r)
	})
}

// trustingDigest puts in the body that the Digest belongs to, by accepting what the header alone proves.
func trustingDigest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		if read, _ := r.Body.(*counted); rec.Code == http.StatusUnauthorized && read != nil && read.n > 0 {
			w.WriteHeader(http.StatusOK)
			return
		}
		for name, lines := range rec.Header() {
			w.Header()[name] = lines
		}
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes())
	})
}

func telling(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Reason", r.Header.Get("Authorization"))
		next.ServeHTTP(w, r)
	})
}

// TestSigner checks the signer against the rules of the contract, written out.
func TestSigner(t *testing.T) {
	t.Parallel()
	body := []byte(`{"id":"whkevt_1"}`)
	s := signer
	s.Path += "?tenant=7"
	r := s.Request(body)

	sum := sha256.Sum256(body)
	digest := "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:])
	mac := hmac.New(sha256.New, []byte(s.Secret))
	mac.Write([]byte("(request-target): post /webhook_receivers/flow\ndate: Sat, 23 Jan 2021 21:43:14 GMT\ndigest: " + digest))
	want := http.Header{
		"Accept": {"application/json"},
		"Authorization": {`Signature keyId="` + s.KeyID + `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="` +
			base64.StdEncoding.EncodeToString(mac.Sum(nil)) + `"`},
		"Content-Length":  {"17"},
		"Content-Type":    {"application/json"},
		"Date":            {"Sat, 23 Jan 2021 21:43:14 GMT"},
		"Digest":          {digest},
		"Service-Version": {"2020-08-14"},
	}
	assert.Equal(t, want, r.Header)
	assert.Equal(t, "/webhook_receivers/flow?tenant=7", r.RequestURI)
	assert.Equal(t, "/webhook_receivers/flow", r.URL.Path)
	got, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(body, got))
	assert.EqualValues(t, len(body), r.ContentLength)
}

// TestSignerOfAnyPath: nothing that somebody writes into Path panics.
func TestSignerOfAnyPath(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"", "/", "no slash", "/%zz", "/a b", "http://host/x", "?", "/\n"} {
		assert.NotPanics(t, func() { Signer{Path: path}.Request(nil) }, "%q", path)
	}
	assert.Equal(t, "/", Signer{}.Request(nil).RequestURI)
}

func TestEvent(t *testing.T) {
	t.Parallel()
	at := time.Date(2021, time.January, 1, 0, 0, 0, 0, time.UTC)
	base := Event{ID: "whkevt_1", SessionID: "flwses_1", CustomerReference: "c", Timestamp: at}
	const meta = `,"customer_reference":"c","_meta":"This API format is not v1.0 and is subject to change."}`
	tests := []struct {
		name string
		edit func(e *Event)
		want string
	}{
		{"terminal by default", func(*Event) {},
			`{"id":"whkevt_1","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated","data":{"object":"flow_session","id":"flwses_1","status":"success","step":null` + meta + `,"environment":"sandbox"}`},
		{"with a step", func(e *Event) { e.Step = "kyc_check" },
			`{"id":"whkevt_1","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.step.updated","data":{"object":"flow_session","id":"flwses_1","status":"active","step":"kyc_check"` + meta + `,"environment":"sandbox"}`},
		{"retried, live", func(e *Event) { e.Kind, e.Environment = "flow_session.retried", "live" },
			`{"id":"whkevt_1","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.retried","data":{"object":"flow_session","id":"flwses_1","status":"active","step":"accept_tos"` + meta + `,"environment":"live"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			e := base
			tt.edit(&e)
			assert.Equal(t, tt.want, string(e.Body()))
		})
	}
	assert.NotEqual(t, Event{}.Body(), Event{}.Body(), "every event has an id, a session and a customer of its own")
	s := signer
	s.Environment = "live"
	body, err := io.ReadAll(s.Event(Event{}).Body)
	require.NoError(t, err)
	assert.Contains(t, string(body), `"environment":"live"`)
}
