package idvtest

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// spoil turns the right answer to a request for path into the scripted one.
func (f *Fault) spoil(a *answer, path string) {
	if status := f.status(); status != 0 {
		a.replace(status, path)
	}
	if f.Body != "" {
		a.body = []byte(f.Body)
		a.header.Set("Content-Type", contentType(f.Body))
	}
	if f.NoBody {
		a.body = nil
	}
	if f.Redirect != "" {
		a.header.Set("Location", f.Redirect)
	}
	for name, values := range f.Header {
		a.header[http.CanonicalHeaderKey(name)] = values
	}
}

// status is the status to answer, or 0 for that of the right answer.
func (f *Fault) status() int {
	status := f.Status
	if f.Redirect != "" {
		status = cmp.Or(status, http.StatusFound)
	}
	if status != 0 && (status < 200 || status > 599) {
		return http.StatusInternalServerError
	}
	return status
}

// replace makes it the answer that a status alone stands for: an error object of the API that path belongs to, or nothing.
func (a *answer) replace(status int, path string) {
	a.status, a.body, a.why = status, nil, ""
	a.header.Del("Content-Type")
	a.header.Del("Etag")
	switch {
	case status < 400:
	case strings.HasPrefix(path, flowPath):
		a.json(status, appendJSON(nil, (&flowError{status, http.StatusText(status), "Scripted fault.", ""}).object()))
		a.header.Set("Content-Type", jsonAPI)
	default:
		e := object{{"type", errorType(status)}, {"message", "Scripted fault: " + http.StatusText(status)}}
		a.json(status, appendJSON(nil, object{{"error", e}}))
	}
}

func errorType(status int) string {
	if status >= 500 {
		return "api_error"
	}
	return "invalid_request_error"
}

func contentType(body string) string {
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		return "text/html; charset=utf-8"
	}
	return "application/json; charset=utf-8"
}

// deliver sends the answer the way the fault has it sent. Aborting the handler is how net/http ends a connection.
func (s *Server) deliver(w http.ResponseWriter, r *http.Request, a *answer, f *Fault) {
	s.wait(r, f.Delay)
	if f.Drop {
		panic(http.ErrAbortHandler)
	}
	length := cmp.Or(max(f.ContentLength, 0), len(a.body))
	a.sendHeader(w, length)
	a.body = a.body[:min(length, len(a.body))] // net/http would write nothing of a body that is too long
	if f.BodyDelay > 0 || f.Truncate {
		half := len(a.body) / 2
		_, _ = w.Write(a.body[:half])
		_ = http.NewResponseController(w).Flush()
		a.body = a.body[half:]
		s.wait(r, f.BodyDelay)
	}
	if f.Truncate {
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(a.body)
}

// wait returns early when the client has gone or the service closes.
func (s *Server) wait(r *http.Request, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	case <-s.done:
	}
}

// sendHeader announces a length, except where HTTP has no body.
func (a *answer) sendHeader(w http.ResponseWriter, length int) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	if a.status != http.StatusNoContent && a.status != http.StatusNotModified {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.status)
}
