package sample

import (
	"bytes"
	"io"
	"net/http"
	"sync/atomic"
)

// Answer is an http.RoundTripper that answers requests without a connection.
type Answer struct {
	Status int
	Body   []byte
}

// RoundTrip does what a transport must, and no more.
func (a Answer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		_ = r.Body.Close()
	}
	return &http.Response{
		StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: r,
		Header:        http.Header{"Content-Type": {"application/json"}, "X-Request-Id": {"0c5c1a4e-5e1f-4a43-9d0f-1b7d7e0e9a11"}},
		Body:          io.NopCloser(bytes.NewReader(a.Body)),
		ContentLength: int64(len(a.Body)),
	}, nil
}

// ServeHTTP is the same over a connection.
func (a Answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // the client is in the same process, and complains
}

// Answers gives its answers in turn. A decoder that remembers strings profits from an answer that is always the same as it does from
// no service.
type Answers struct {
	next    atomic.Uint64
	answers []Answer
}

// Successes are answers with status 200.
func Successes(bodies ...[]byte) *Answers {
	a := &Answers{}
	for _, body := range bodies {
		a.answers = append(a.answers, Answer{Status: http.StatusOK, Body: body})
	}
	return a
}

func (a *Answers) turn() Answer { return a.answers[a.next.Add(1)%uint64(len(a.answers))] }

// RoundTrip gives the next answer.
func (a *Answers) RoundTrip(r *http.Request) (*http.Response, error) { return a.turn().RoundTrip(r) }

// ServeHTTP is the same over a connection.
func (a *Answers) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.turn().ServeHTTP(w, r) }
