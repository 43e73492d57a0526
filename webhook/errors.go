package webhook

import (
	"errors"
	"net/http"
	"os"
)

// The refusals of a [Verifier]. Each is found with errors.Is; the first six below [ErrUnverified] also are ErrUnverified.
// No text of them holds a key, a signature, a path or a part of a body.
var (
	// ErrUnverified is the umbrella of the six refusals that say: this was not sent by the service, or not like this.
	ErrUnverified error = &sentinel{"the request is not verified", http.StatusUnauthorized, nil}

	// ErrNotSigned: Authorization, Date or Digest is missing or empty.
	ErrNotSigned error = &sentinel{"the request is not signed: it needs the headers Authorization, Date and Digest", http.StatusUnauthorized, ErrUnverified}
	// ErrMalformed: the Authorization header (or another signed part) does not have the one form of the contract.
	ErrMalformed error = &sentinel{"the Authorization header does not have the form of the contract", http.StatusUnauthorized, ErrUnverified}
	// ErrUnknownKey: no key of this id is known. A [KeySource] returns it; a caller on the network cannot tell it from
	// ErrSignatureMismatch.
	ErrUnknownKey error = &sentinel{"no signing key of this key id is known", http.StatusUnauthorized, ErrUnverified}
	// ErrSignatureMismatch: the signature is not that of this method, target, Date and Digest under any of the keys.
	ErrSignatureMismatch error = &sentinel{"the signature does not match: wrong secret, another path than the one signed, or forged", http.StatusUnauthorized, ErrUnverified}
	// ErrTimestamp: the Date is authentic, but not an HTTP-date or not strictly within the tolerance of the clock.
	ErrTimestamp error = &sentinel{"the Date header is outside the tolerance, or is no HTTP-date", http.StatusUnauthorized, ErrUnverified}
	// ErrDigestMismatch: the headers are authentic, but the body is not the one they were signed for.
	ErrDigestMismatch error = &sentinel{"the body does not match its Digest header", http.StatusUnauthorized, ErrUnverified}

	// ErrMethod: the method is not POST.
	ErrMethod error = &sentinel{"the method is not POST", http.StatusMethodNotAllowed, nil}
	// ErrBodyTooLarge: the body is longer than [WithMaxBody] allows.
	ErrBodyTooLarge error = &sentinel{"the body is longer than the limit", http.StatusRequestEntityTooLarge, nil}
	// ErrBodyRead: the body could not be read to its end. Its cause can be found with errors.Is and errors.As.
	ErrBodyRead error = &sentinel{"the body could not be read to its end", http.StatusBadRequest, nil}
	// ErrKeyLookup: the [KeySource] failed, so that nothing is known about the request. The service redelivers it.
	ErrKeyLookup error = &sentinel{"the signing keys could not be looked up", http.StatusServiceUnavailable, nil}
	// ErrPayload: the delivery is authentic, but its body is not a webhook event.
	ErrPayload error = &sentinel{"the body is not a webhook event", http.StatusBadRequest, nil}
	// ErrEnvironment: the delivery is authentic, but of an environment that is not expected here.
	ErrEnvironment error = &sentinel{"the event is of an environment that is not expected here", http.StatusForbidden, nil}
)

// StatusCode returns the HTTP status with which err is answered: 200 for nil and for what [Permanent] marks, that of the refusal,
// 408 for a body that came too slowly, and 500 for an error that is not one of this package.
func StatusCode(err error) int {
	var gaveUp *permanentError
	if err == nil || errors.As(err, &gaveUp) {
		return http.StatusOK
	}
	if errors.Is(err, ErrBodyRead) && errors.Is(err, os.ErrDeadlineExceeded) {
		return http.StatusRequestTimeout
	}
	var s *sentinel
	if errors.As(err, &s) {
		return s.status
	}
	return http.StatusInternalServerError
}

// sentinel is a refusal that callers tell apart by errors.Is.
type sentinel struct {
	text   string
	status int
	parent error
}

func (s *sentinel) Error() string { return "webhook: " + s.text }
func (s *sentinel) Unwrap() error { return s.parent }

// refusal is a sentinel with what is known about this one case. The cause stays reachable but is not printed: nobody knows
// what the texts of a key store or of a connection hold.
type refusal struct {
	kind   error
	detail string
	cause  error
}

func (r *refusal) Error() string { return r.kind.Error() + ": " + r.detail }

func (r *refusal) Unwrap() []error {
	if r.cause == nil {
		return []error{r.kind}
	}
	return []error{r.kind, r.cause}
}
