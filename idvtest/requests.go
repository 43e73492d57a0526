package idvtest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Request is a request that arrived at the service.
type Request struct {
	// Time is when it arrived, on the service's clock.
	Time time.Time

	Method string

	// Path is the path as sent, escaped, with the prefix of WithPathPrefix.
	Path string

	// Query holds the parameters behind the question mark.
	Query url.Values

	// Header holds what was sent. The value of Authorization is replaced by its scheme: a log of it would hold a key.
	Header http.Header

	// Body is what was sent, up to 1 MiB.
	Body []byte

	// Status is the status of the answer; 0 while there is none, or if the connection was dropped.
	Status int

	// RequestID is the X-Request-Id of the answer.
	RequestID string

	// Refused says in words why the service refused it: "One or more required parameters are invalid birth_day is_invalid". Empty
	// if it did not.
	Refused string
}

// Requests returns the requests that arrived, first to last: those refused and those that met a fault among them. The newest
// 10,000 are kept.
func (s *Server) Requests() []Request { return s.log.all() }

// Billed returns how many verifications were made with the live key: each created person and each created company. The test
// key costs nothing.
func (s *Server) Billed() int {
	s.rest.mu.Lock()
	defer s.rest.mu.Unlock()
	return s.rest.billed
}

// Executions returns how often the work of each REST route was really done, by method and route: "POST /people". A request that
// was refused, or that a fault answered instead, does not count; one whose answer a fault spoilt does.
func (s *Server) Executions() map[string]int {
	s.rest.mu.Lock()
	defer s.rest.mu.Unlock()
	return maps.Clone(s.rest.executions)
}

// maxLogged bounds the memory of a service that runs for long.
const maxLogged = 10_000

type requestLog struct {
	mu      sync.Mutex
	entries []*Request
}

func (l *requestLog) arrived(r *http.Request, body []byte, requestID string, now time.Time) *Request {
	entry := &Request{
		Time: now, Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(),
		Header: withoutCredentials(r.Header), Body: body, RequestID: requestID,
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.entries) == 2*maxLogged {
		l.entries = slices.Clone(l.entries[maxLogged:])
	}
	l.entries = append(l.entries, entry)
	return entry
}

// answered completes an entry and returns a copy of it.
func (l *requestLog) answered(entry *Request, status int, refused string) Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	entry.Status, entry.Refused = status, refused
	return entry.clone()
}

func (r *Request) clone() Request {
	c := *r
	c.Query = maps.Clone(r.Query)
	c.Header = r.Header.Clone()
	c.Body = slices.Clone(r.Body)
	return c
}

func (l *requestLog) all() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.entries[max(0, len(l.entries)-maxLogged):]
	list := make([]Request, len(kept))
	for i, entry := range kept {
		list[i] = entry.clone()
	}
	return list
}

func withoutCredentials(h http.Header) http.Header {
	h = h.Clone()
	for i, value := range h["Authorization"] {
		scheme, _, _ := strings.Cut(value, " ")
		h["Authorization"][i] = scheme
	}
	return h
}

// maxTold bounds the log of a test that failed.
const maxTold = 50

// story tells what happened last, one request a line: it goes into the log of a test that failed. Queries and bodies stay out of it.
func (s *Server) story() string {
	requests := s.Requests()
	var b strings.Builder
	fmt.Fprintf(&b, "idvtest: %d requests arrived (WithSeed(%d) repeats this service)\n", len(requests), s.config.seed)
	for _, r := range requests[max(0, len(requests)-maxTold):] {
		outcome := "no answer"
		if r.Status != 0 {
			outcome = fmt.Sprint(r.Status)
		}
		fmt.Fprintf(&b, "  %s  %-6s %-40s %s %s\n", r.Time.Format(time.DateTime), r.Method, r.Path, outcome, r.Refused)
	}
	for _, fault := range s.faults.pending() {
		fmt.Fprintf(&b, "  a fault still waits for its request: %s\n", fault)
	}
	s.flow.hooks.tell(&b)
	return b.String()
}
