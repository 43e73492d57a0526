package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// Attempt is what an observer is told of one sending. It names no URL, no header and no body.
type Attempt struct {
	// Method is the HTTP method, Route the path with placeholders for ids.
	Method, Route string
	// StatusCode is 0 where no answer came.
	StatusCode int
	// Duration runs from the sending to the last byte of the body.
	Duration time.Duration
	// Number is 1 for the first attempt.
	Number int
	// ErrorClass is one of the Class constants, empty after a success.
	ErrorClass string
	// RequestID is the answer's X-Request-Id.
	RequestID string
}

// What went wrong with an attempt, in one word.
const (
	ClassStatus   = "status"   // an answer other than 2xx
	ClassDial     = "dial"     // no connection could be made
	ClassTLS      = "tls"      // the other side could not be authenticated
	ClassTimeout  = "timeout"  // the attempt or the context ran out of time
	ClassCanceled = "canceled" // the context was cancelled
	ClassBroken   = "broken"   // the connection or the answer broke off
)

func (c *call) observe(r *http.Request) {
	if c.transport.config.Observe == nil {
		return
	}
	a := Attempt{
		Method: r.Method, Route: c.request.Route,
		Duration: time.Since(c.started), Number: c.attempts, ErrorClass: c.last.class,
	}
	if c.last.answer != nil {
		a.StatusCode = c.last.answer.StatusCode
		a.RequestID = c.last.answer.Header.Get("X-Request-Id")
	}
	c.transport.config.Observe(r.Context(), a)
}

// explain tells the timeout of an attempt from that of the caller, and keeps the texts of other packages out of ours.
func (c *call) explain(attempt, caller context.Context, err error) error {
	switch {
	case caller.Err() != nil:
		return caller.Err()
	case attempt.Err() != nil:
		return fmt.Errorf("no complete answer within %v: %w", c.transport.config.Timeout, context.DeadlineExceeded)
	}
	return opaque(err)
}

// opaque hides a text that could quote what a server sent or a proxy's password, and keeps the error itself for
// errors.Is and errors.As. Errors of package net and of certificates name an address at most.
func opaque(err error) error {
	var op *net.OpError
	var certificate *tls.CertificateVerificationError
	switch {
	case err == nil:
		return errors.New("the request was not sent")
	case errors.As(err, &op):
		return &hidden{op.Error(), err}
	case errors.As(err, &certificate):
		return &hidden{certificate.Error(), err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &hidden{"the answer broke off", err}
	case errors.Is(err, io.EOF):
		return &hidden{"the connection ended before an answer", err}
	}
	return &hidden{"the exchange over HTTP failed", err}
}

type hidden struct {
	text string
	err  error
}

func (h *hidden) Error() string { return h.text }
func (h *hidden) Unwrap() error { return h.err }

// GoString keeps %#v from printing the error that is hidden.
func (h *hidden) GoString() string { return h.text }

func classify(err error) string {
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.Is(err, context.Canceled):
		return ClassCanceled
	case errors.Is(err, context.DeadlineExceeded):
		return ClassTimeout
	case errors.As(err, &certificate):
		return ClassTLS
	case isDial(err):
		return ClassDial
	case errors.As(err, &timeout) && timeout.Timeout():
		return ClassTimeout
	}
	return ClassBroken
}
