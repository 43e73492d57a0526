package idvtest

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"time"
)

// maxBody bounds what the service reads of a request.
const maxBody = 1 << 20

// serve takes a request from its arrival to its answer.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	requestID := s.dice.uuid()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	entry := s.log.arrived(r, body, requestID, s.Clock.Now())
	path, inside := strings.CutPrefix(r.URL.EscapedPath(), s.config.prefix)
	fault := s.faults.next(r.Method, path)
	a := newAnswer()
	switch {
	case !fault.works(): // the fault has an answer of its own
	case !inside:
		a.notRouted()
	case err != nil:
		a.refuse(badRequest("The request body could not be read, or is longer than 1 MiB"))
	default:
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.work(a, r, path)
	}
	a.stamp(requestID, s.Clock.Now(), time.Since(began))
	fault.spoil(a, path)
	if fault.Drop {
		a.status = 0
	}
	s.config.observe(s.log.answered(entry, a.status, a.why))
	s.deliver(w, r, a, &fault)
}

// work has the request's handler write the answer.
func (s *Server) work(a *answer, r *http.Request, path string) {
	route := s.router.find(r, path)
	if route == nil {
		a.notRouted()
		return
	}
	route.handler.ServeHTTP(a, r)
}
