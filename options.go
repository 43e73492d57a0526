package idv

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"time"
)

// Option changes a client: New, NewFromEnv and With take it. A value out of range is a *ParamError from them.
type Option func(*config) error

// WithHTTPClient sends through a copy of hc: its Transport, Jar and Timeout are kept as they are, redirects are not
// followed whatever it says. Its Timeout bounds each attempt, beside WithTimeout.
func WithHTTPClient(hc *http.Client) Option {
	return func(c *config) error {
		if hc == nil || hc.Transport != nil && isNil(hc.Transport) {
			return &ParamError{Param: "WithHTTPClient", Problem: "is given nil, or a client with a nil pointer for its Transport"}
		}
		copied := *hc
		c.http = &copied
		return nil
	}
}

// WithTestModeOnly makes New refuse a live key: for test suites and staging, where a billed call is a mistake.
func WithTestModeOnly() Option {
	return func(c *config) error {
		c.testOnly = true
		return nil
	}
}

// WithAPIVersion names another major version in the Accept header (contract: versioning). The default is 4. A request
// always names its version: without one the latest applies, which can break an integration.
func WithAPIVersion(major int) Option {
	return func(c *config) error {
		if major <= 0 {
			return &ParamError{Param: "WithAPIVersion", Problem: "is 0 or below"}
		}
		c.version = major
		return nil
	}
}

// WithClock dates signed requests by now instead of the clock of the machine: for a machine whose clock is wrong, since the
// service refuses a date that is 15 minutes off, and for tests. It is for clients that sign their requests, such as that
// of package flow; New refuses it.
func WithClock(now func() time.Time) Option {
	return func(c *config) error {
		if now == nil {
			return &ParamError{Param: "WithClock", Problem: "is given nil"}
		}
		c.now = now
		return nil
	}
}

// WithMaxRetries bounds the retries of a call, not its sends: 0 sends once. The default is 4. What may be repeated at
// all is the same for any number: a GET, and any request whose connection was never made.
func WithMaxRetries(n int) Option {
	return func(c *config) error {
		c.retries = n
		return notNegative("WithMaxRetries", n)
	}
}

// WithTimeout bounds one attempt, the reading of its answer included. The default is 60 s; 0 bounds nothing. For a
// whole call, retries included, use the context.
func WithTimeout(d time.Duration) Option {
	return func(c *config) error {
		c.timeout = d
		return notNegative("WithTimeout", d)
	}
}

// WithMaxRetryWait bounds the wait before a retry. The default is 60 s. The client's own waits are cut to it; a longer
// one that the service asks for by Retry-After is not begun: the answer is returned at once as an *Error with its
// RetryAfter.
func WithMaxRetryWait(d time.Duration) Option {
	return func(c *config) error {
		c.maxRetryWait = d
		return notNegative("WithMaxRetryWait", d)
	}
}

// WithMaxAnswer bounds the bytes that are read of a successful answer. The default is 32 MiB. A longer one is a
// *DecodeError with the part that was read. Of any other answer, 64 KiB are read.
func WithMaxAnswer(n int64) Option {
	return func(c *config) error {
		if n <= 0 {
			return &ParamError{Param: "WithMaxAnswer", Problem: "is 0 or below"}
		}
		c.maxAnswer = n
		return nil
	}
}

// WithLogger logs every attempt at level debug: method, route, status, duration, attempt, error class and request id.
// Never a query, a header or a body. The default is silence.
func WithLogger(l *slog.Logger) Option {
	return func(c *config) error {
		if l == nil {
			return &ParamError{Param: "WithLogger", Problem: "is given nil; leave the option out for silence"}
		}
		c.logger = l
		return nil
	}
}

// Attempt is what an observer is told of one sending of a request.
type Attempt struct {
	// Method is the HTTP method. Route is the path of the contract with a placeholder for the id, such as
	// /people/{PERSON_ID}; it is empty for a path that only Call knows.
	Method, Route string
	// StatusCode is 0 where no answer came.
	StatusCode int
	// Duration runs from the sending to the last byte of the answer.
	Duration time.Duration
	// Number is 1 for the first attempt of a call.
	Number int
	// ErrorClass is empty after a success; else status (an answer other than 2xx), dial, tls, timeout, canceled or
	// broken.
	ErrorClass string
	// RequestID is the answer's X-Request-Id (observed, not in the written contract).
	RequestID string
}

// WithObserver calls f after every attempt, for metrics and traces. f runs on the goroutine of the call, so it should
// be quick; ctx is that of the call. Several observers are called in the order of their options.
func WithObserver(f func(ctx context.Context, a Attempt)) Option {
	return func(c *config) error {
		if f == nil {
			return &ParamError{Param: "WithObserver", Problem: "is given nil"}
		}
		c.observers = append(c.observers, f)
		return nil
	}
}

// WithUserAgent puts product, such as "acme-onboarding/2.1", before the name and version of this module in the
// User-Agent.
func WithUserAgent(product string) Option {
	return func(c *config) error {
		if strings.TrimSpace(product) == "" || !isHeaderText(product) {
			return &ParamError{Param: "WithUserAgent", Problem: "is empty or holds a character that no header may hold"}
		}
		c.product = product
		return nil
	}
}

func notNegative[N int | time.Duration](option string, n N) error {
	if n < 0 {
		return &ParamError{Param: option, Problem: "is negative"}
	}
	return nil
}
