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
	a := newAnswer()
	if err != nil {
		a.refuse(badRequest("The request body could not be read, or is longer than 1 MiB"))
	} else {
		r.Body = io.NopCloser(bytes.NewReader(body))
		s.work(a, r)
	}
	a.stamp(requestID, s.Clock.Now(), time.Since(began))
	s.log.answered(entry, a.status)
	a.send(w)
}

// work has the request's handler write the answer.
func (s *Server) work(a *answer, r *http.Request) {
	path, inside := strings.CutPrefix(r.URL.EscapedPath(), s.config.prefix)
	route := s.router.find(r, path)
	if !inside || route == nil {
		a.notRouted()
		return
	}
	route.handler.ServeHTTP(a, r)
}
