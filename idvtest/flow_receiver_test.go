package idvtest_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

// receiver is a webhook receiver that keeps what it got and answers what it is told to.
type receiver struct {
	*httptest.Server
	service *idvtest.Server

	mu     sync.Mutex
	status int
	got    []message
}

// message is one request as it arrived.
type message struct {
	request *http.Request
	body    []byte
	event   eventBody
	refused error // what checking the signature gave
}

type eventBody struct {
	ID          string         `json:"id"`
	Timestamp   string         `json:"timestamp"`
	Event       string         `json:"event"`
	Data        map[string]any `json:"data"`
	Environment string         `json:"environment"`
}

// listen starts a receiver that answers 200, and subscribes it.
func listen(t *testing.T, s *idvtest.Server, kinds ...string) *receiver {
	t.Helper()
	r := newReceiver(t, s)
	r.subscribe(t, "/hook", kinds...)
	return r
}

func newReceiver(t *testing.T, s *idvtest.Server) *receiver {
	r := &receiver{service: s, status: http.StatusOK}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *receiver) subscribe(t *testing.T, path string, kinds ...string) idvtest.Webhook {
	t.Helper()
	hook, err := r.service.Dashboard().CreateWebhook(r.URL+path, kinds...)
	require.NoError(t, err)
	return hook
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	m := message{request: req, body: body, refused: errors.Join(err, r.verify(req, body))}
	m.refused = errors.Join(m.refused, json.Unmarshal(body, &m.event))
	w.WriteHeader(r.keep(m))
}

func (r *receiver) keep(m message) (status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, m)
	return r.status
}

func (r *receiver) answer(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status = status
}

func (r *receiver) messages() []message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]message(nil), r.got...)
}

func (r *receiver) count() int { return len(r.messages()) }

// only returns the one message that arrived.
func (r *receiver) only(t *testing.T) message {
	t.Helper()
	got := r.messages()
	require.Equal(t, 1, len(got), "messages")
	return got[0]
}

// story returns what arrived, in order: the kind, and the step or status.
func (r *receiver) story() []string {
	var story []string
	for _, m := range r.messages() {
		line := m.event.Event
		if step, ok := m.event.Data["step"].(string); ok {
			line += " " + step
		} else {
			line += fmt.Sprint(" ", m.event.Data["status"])
		}
		story = append(story, strings.TrimPrefix(line, "flow_session."))
	}
	return story
}

// verify checks a request as the contract says, written from its text.
func (r *receiver) verify(req *http.Request, body []byte) error {
	path, _, _ := strings.Cut(req.RequestURI, "?")
	header := authorization(r.service.WebhookKeyID, r.service.WebhookSecret, req.Method, path, req.Header.Get("Date"), body)
	if req.Header.Get("Authorization") != header {
		return errors.New("the signature does not match")
	}
	date, err := http.ParseTime(req.Header.Get("Date"))
	if err != nil {
		return err
	}
	if r.service.Clock.Now().Sub(date).Abs() >= 15*time.Minute {
		return errors.New("the date is too far off")
	}
	return nil
}

// authorization builds the header by the rules of the contract, step by step.
func authorization(keyID, secret, method, path, date string, body []byte) string {
	signingString := strings.Join([]string{
		"(request-target): " + strings.ToLower(method) + " " + path,
		"date: " + date,
		"digest: " + digest(body),
	}, "\n")
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(signingString))
	return fmt.Sprintf(`Signature keyId="%s",algorithm="hmac-sha256",headers="(request-target) date digest",signature="%s"`,
		keyID, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

func digest(body []byte) string {
	sum := sha256.Sum256(body)
	return "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:])
}

// lifetime plays a session with a retry and a failure.
func lifetime(t *testing.T, s *idvtest.Server, reference string) (first, second *idvtest.Session) {
	t.Helper()
	first = s.StartSession(reference)
	require.NoError(t, first.EnterStep(idvtest.StepVerifySMS))
	require.NoError(t, first.Finish(idvtest.StatusFailed))
	second, err := first.Retry()
	require.NoError(t, err)
	require.NoError(t, second.EnterStep(idvtest.StepSelfieCheck))
	require.NoError(t, second.Finish(idvtest.StatusSuccess))
	return first, second
}

func verified(t *testing.T, r *receiver) {
	t.Helper()
	for i, m := range r.messages() {
		assert.NoError(t, m.refused, "message %d", i)
	}
}
