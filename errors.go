package idv

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unicode"
)

// What the service answered, by HTTP status (contract: errors). An *Error matches one of them with errors.Is; so does
// an *UncertainError around it.
var (
	ErrValidation    = errors.New("idv: validation error (400)")
	ErrUnauthorized  = errors.New("idv: API key invalid (401)")
	ErrRequestFailed = errors.New("idv: request failed (402)")
	ErrNotFound      = errors.New("idv: not found (404)")
	ErrRateLimited   = errors.New("idv: rate limited (429)") // not in any recording; honoured if it comes
	ErrServer        = errors.New("idv: internal error of the API (5xx)")
)

// ErrorType is the type member of an error object. Any value survives.
type ErrorType string

// The types of the contract. Classify by StatusCode first: every recorded error, 401 and 404 included, carried
// invalid_request_error (observed).
const (
	ErrorTypeInvalidRequest ErrorType = "invalid_request_error" // something wrong with how the request was submitted
	ErrorTypeAPI            ErrorType = "api_error"             // a problem on the service's side
)

// ErrorCode is the code member of a validation error. Any value survives.
type ErrorCode string

// The codes of the contract.
const (
	ErrorCodeIsInvalid   ErrorCode = "is_invalid"    // a required parameter is incorrectly formatted
	ErrorCodeCantBeBlank ErrorCode = "cant_be_blank" // a required parameter is missing
)

// Error is an answer of the service that is no success. Any status but 2xx becomes one, whatever its body is: the error
// object of the contract, another JSON, HTML or nothing.
type Error struct {
	StatusCode int
	// Type, Code, Param and Message are the members of the error object, empty where the body has none. A validation
	// error names one parameter only, the first (contract: errors).
	Type    ErrorType
	Code    ErrorCode
	Param   string
	Message string
	// Detail and Pointer come from the Flow API only (observed, not in the written contract): what is wrong in full, and
	// the JSON pointer to the member at fault, such as /user/customer_reference. Its title is the Message. Of several
	// errors these are the first; Body has them all.
	Detail, Pointer string
	// RequestID is the X-Request-Id header (observed, not in the written contract).
	RequestID string
	// Method and Path are of the request; Path is relative to the base URL and has no query.
	Method, Path string
	// Attempts counts how often the request was sent.
	Attempts int
	// RetryAfter is the wait that the answer asked for, 0 if it asked for none.
	RetryAfter time.Duration
	Header     http.Header
	// Body is what was read of the body, at most 64 KiB.
	Body []byte
}

// Error names status, type, code, param, message, detail, pointer, method and path; never a query, a header or the body.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "idv: %s %s: %d", e.Method, e.Path, e.StatusCode)
	for _, part := range []string{string(e.Type), string(e.Code)} {
		if part != "" {
			b.WriteString(" " + oneLine(part))
		}
	}
	if e.Param != "" {
		b.WriteString(" (param " + oneLine(e.Param) + ")")
	}
	if e.Pointer != "" {
		b.WriteString(" (pointer " + oneLine(e.Pointer) + ")")
	}
	for _, part := range []string{cmp.Or(e.Message, http.StatusText(e.StatusCode)), e.Detail} {
		if part != "" {
			b.WriteString(": " + oneLine(part))
		}
	}
	if e.RequestID != "" {
		b.WriteString(", request id " + oneLine(e.RequestID))
	}
	return b.String()
}

// Is matches the sentinel of the status.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrValidation:
		return e.StatusCode == http.StatusBadRequest
	case ErrUnauthorized:
		return e.StatusCode == http.StatusUnauthorized
	case ErrRequestFailed:
		return e.StatusCode == http.StatusPaymentRequired
	case ErrNotFound:
		return e.StatusCode == http.StatusNotFound
	case ErrRateLimited:
		return e.StatusCode == http.StatusTooManyRequests
	case ErrServer:
		return e.StatusCode >= 500
	}
	return false
}

// UncertainError says that a request was sent and that nobody knows whether it ran: the connection or the time ran out,
// or the service failed in the middle. A verification may have been made, and billed. Sending it again may pay twice;
// look for what it would have made first, by a note of your own for example (CreateOnce does that).
type UncertainError struct {
	Method, Path string
	// Started is when it was sent.
	Started time.Time
	// Err is an *Error around a 5xx, a *DecodeError around an answer that broke off, or why there was no answer.
	Err error
}

func (e *UncertainError) Error() string {
	return fmt.Sprintf("idv: %s %s: sent, and whether it ran is unknown: %v", e.Method, e.Path, e.Err)
}

// Unwrap gives Err.
func (e *UncertainError) Unwrap() error { return e.Err }

// TransportError says that no answer came and nothing is in doubt: a request that never reached the service, or a read
// that failed, which can simply be made again.
type TransportError struct {
	Method, Path string
	// Attempts counts how often it was tried.
	Attempts int
	// Err matches context.Canceled or context.DeadlineExceeded where that was the reason, and holds the last *Error if
	// one came before.
	Err error
}

func (e *TransportError) Error() string {
	return fmt.Sprintf("idv: %s %s: no answer after %d attempt(s): %v", e.Method, e.Path, e.Attempts, e.Err)
}

// Unwrap gives Err.
func (e *TransportError) Unwrap() error { return e.Err }

// DecodeError is a success whose body could not be decoded. The request ran, and was billed if it is of the billed
// kind; what was paid for is in Body.
type DecodeError struct {
	Method, Path string
	StatusCode   int
	// Body is the body as it came, or the part of it that came.
	Body []byte
	Err  error
}

func (e *DecodeError) Error() string {
	return fmt.Sprintf("idv: %s %s: %d, but its body could not be decoded (it is kept in Body): %v", e.Method, e.Path, e.StatusCode, e.Err)
}

// Unwrap gives Err.
func (e *DecodeError) Unwrap() error { return e.Err }

// Gap is a window of creation times in which an enumeration could not see everything.
type Gap struct {
	// From and To are the first and the last second of the window, both included. The zero time is no bound.
	From, To time.Time
	// TotalCount is what the service counts in the window, Seen what was yielded of it.
	TotalCount, Seen int
	// Reason says what went wrong, in English.
	Reason string
}

// IncompleteError says that an enumeration ended without having seen everything. What it yielded is right; Gaps name
// where more is.
type IncompleteError struct{ Gaps []Gap }

func (e *IncompleteError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "idv: the enumeration is incomplete in %d window(s)", len(e.Gaps))
	for i, g := range e.Gaps {
		if i == 3 {
			b.WriteString("; and more")
			break
		}
		fmt.Fprintf(&b, "; created %s to %s: %d of %d seen, %s", bound(g.From), bound(g.To), g.Seen, g.TotalCount, g.Reason)
	}
	return b.String()
}

func bound(t time.Time) string {
	if t.IsZero() {
		return "any time"
	}
	return t.UTC().Format(time.RFC3339)
}

// ParamError refuses bad input before anything is sent. It names the parameter, never its value.
type ParamError struct {
	// Param is the name of the parameter: the contract's for a member of a request body, the Go name otherwise.
	Param string
	// Problem reads on from the name: "is empty".
	Problem string
}

func (e *ParamError) Error() string { return "idv: " + e.Param + " " + e.Problem }

// oneLine keeps what a service sent from starting a line of its own in a log, or turning the text of one around.
func oneLine(s string) string {
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:500], "") + "..."
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, s)
}
