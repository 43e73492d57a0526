package webhooktest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
)

// Hostile runs forged, altered, replayed and broken requests against handler, the receiver exactly as the program under test mounts it,
// and authentic ones among them. Each is a subtest named by its group and number:
//
//	A the body and its Digest        D the Date
//	B the Authorization header       E method and request target
//	C keys                           F concurrency and broken connections
//
// It checks what an http.Handler can show: the status, that every refusal is one constant answer, and that a request whose headers
// already are wrong has no byte of its body read, so that nothing behind the verifier can have seen it.
//
// handler must know signer's key, have the default tolerance and a body limit of less than 64 MiB, and answer 200 to the event of a
// session of a new customer; set signer.Environment where it takes live events only. A receiver with webhook.WithPath must be mounted
// on its router: alone it takes every path for the public one.
func Hostile(t *testing.T, signer Signer, handler http.Handler) {
	t.Helper()
	if signer.KeyID == "" || signer.Secret == "" || handler == nil {
		t.Fatal("webhooktest: Hostile needs a signer with key id and secret, and a handler")
	}
	h := &hostile{signer: signer, handler: handler}
	h.learn()
	for _, a := range slices.Concat(bodies(), authorizations(), keys(), dates(), targets(), connections()) {
		t.Run(a.name, func(t *testing.T) { h.run(t, a) })
	}
	t.Run("F66 64 requests at once, good and bad", h.concurrently)
}

// attempt is one request and what has to become of it.
type attempt struct {
	name string
	want outcome

	event   func(body []byte) []byte                      // changes the body before it is signed
	sign    func(s Signer, body []byte) (r *http.Request) // default: s.Request
	change  func(r *http.Request)                         // tampers with the signed request
	altered func(body []byte) []byte                      // the body that is sent instead of the signed one
}

// outcome is what an attempt has to lead to.
type outcome int

const (
	refused      outcome = iota // by its headers: 401, the body unread
	unlikeDigest                // by its body: 401
	accepted                    // 200
	authentic                   // not refused as forged; what else becomes of it is the receiver's to say: not 401
	notPost                     // 405
	tooLarge                    // 413, the rest unread
	broken                      // 400, or 408
	turnedAway                  // by whatever stands in front, or by the verifier: not 2xx
)

type hostile struct {
	signer   Signer
	handler  http.Handler
	constant refusal  // what every refusal has to look like
	varying  []string // headers that differ from answer to answer, whatever is refused
}

// learn takes one refusal for what all have to look like. Headers that differ when the same request is refused again, such as the
// request id of a middleware around the receiver, tell nothing.
func (h *hostile) learn() {
	unsigned := attempt{change: without("Authorization")}
	first, again := h.serve(h.request(unsigned)), h.serve(h.request(unsigned))
	h.varying = []string{"Date"}
	for name, lines := range first.Header() {
		if !slices.Equal(lines, again.Header()[name]) {
			h.varying = append(h.varying, name)
		}
	}
	h.constant = h.refusal(first)
}

func (h *hostile) request(a attempt) *http.Request {
	s := h.signer
	body := Event{Environment: s.Environment}.Body()
	if a.event != nil {
		body = a.event(body)
	}
	r := s.Request(body)
	if a.sign != nil {
		r = a.sign(s, body)
	}
	if a.altered != nil {
		setBody(r, a.altered(body))
	}
	if a.change != nil {
		a.change(r)
	}
	return r
}

func setBody(r *http.Request, body []byte) {
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
}

func (h *hostile) run(t *testing.T, a attempt) {
	t.Helper()
	for _, problem := range h.problems(a) {
		t.Error(problem)
	}
}

// answer is what a handler did with a request.
type answer struct {
	*httptest.ResponseRecorder
	read int64 // of the request's body
}

// refusal is what the sender can see of one, but for the status.
type refusal struct{ body, header string }

func (h *hostile) refusal(a answer) refusal {
	header := a.Header().Clone()
	header.Del("Allow") // belongs to 405
	for _, name := range h.varying {
		header.Del(name)
	}
	return refusal{body: a.Body.String(), header: fmt.Sprint(header)}
}

func (h *hostile) serve(r *http.Request) answer {
	body := &counted{ReadCloser: r.Body}
	if r.Body != nil {
		r.Body = body
	}
	w := httptest.NewRecorder()
	h.handler.ServeHTTP(w, r)
	return answer{ResponseRecorder: w, read: body.n}
}

// counted counts what is read of a body.
type counted struct {
	io.ReadCloser
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.n += int64(n)
	return n, err
}

// statuses are those that an outcome allows; none for turnedAway, which allows all but 2xx, and authentic, which allows all but 401.
var statuses = map[outcome][]int{
	refused:      {http.StatusUnauthorized},
	unlikeDigest: {http.StatusUnauthorized},
	accepted:     {http.StatusOK},
	notPost:      {http.StatusMethodNotAllowed},
	tooLarge:     {http.StatusRequestEntityTooLarge},
	broken:       {http.StatusBadRequest, http.StatusRequestTimeout},
}

// problems makes an attempt and says what is wrong with the answer.
func (h *hostile) problems(a attempt) (problems []string) {
	o, got := a.want, h.serve(h.request(a))
	if allowed := statuses[o]; allowed != nil && !slices.Contains(allowed, got.Code) {
		problems = append(problems, fmt.Sprintf("status %d, want %v", got.Code, allowed))
	}
	if o == turnedAway && got.Code/100 == 2 {
		problems = append(problems, fmt.Sprintf("status %d: a request that was not signed for this path was accepted", got.Code))
	}
	if o == authentic && got.Code == http.StatusUnauthorized {
		problems = append(problems, "status 401, though it is signed")
	}
	if o == refused && got.read > 0 {
		problems = append(problems, fmt.Sprintf("%d bytes of the body were read, though the headers are wrong", got.read))
	}
	if o == tooLarge && got.read > endless/2 {
		problems = append(problems, fmt.Sprintf("%d bytes of an endless body were read", got.read))
	}
	if isRefusal := o == refused || o == unlikeDigest || o == tooLarge || o == broken; isRefusal && h.refusal(got) != h.constant {
		problems = append(problems, fmt.Sprintf("refusals can be told apart:\n%+v\n%+v", h.refusal(got), h.constant))
	}
	return problems
}

// concurrently mixes authentic and forged requests on one handler.
func (h *hostile) concurrently(t *testing.T) {
	good := attempt{want: accepted}
	bad := attempt{want: unlikeDigest, altered: flipBit}
	problems := make(chan []string)
	for i := range 64 {
		a := good
		if i%2 == 1 {
			a = bad
		}
		go func() { problems <- h.problems(a) }()
	}
	for range 64 {
		for _, problem := range <-problems {
			t.Error(problem)
		}
	}
}
