package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Waits grow from firstWait to longestWait. Half of each is chance: callers that failed together must not come back
// together.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
)

// checkRetry is asked by go-retryablehttp after every attempt. It never returns an error: that would replace what the
// attempt left behind.
func (c *call) checkRetry(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if c.attempts == 0 || ctx.Err() != nil || !c.mayRepeat(err) {
		return false, nil
	}
	if c.attempts > c.request.MaxRetries {
		return false, nil
	}
	c.wait = c.nextWait()
	c.retry.Backoff = c.backoff // here, so that a call without a retry need not pay for it
	return c.allowed(ctx), nil
}

// mayRepeat is the table of retries. A certificate that does not hold will not hold in a second either.
func (c *call) mayRepeat(err error) bool {
	if !c.request.Repeatable {
		return c.last.unsent && isDial(c.last.err)
	}
	if err != nil || c.last.err != nil {
		var certificate *tls.CertificateVerificationError
		return !errors.As(c.last.err, &certificate)
	}
	return passes(c.last.answer.StatusCode)
}

// passes says of a status that the same request may succeed later.
func passes(status int) bool {
	return status == http.StatusTooManyRequests || status >= 500 && status != http.StatusNotImplemented
}

// nextWait is half fixed and half chance, after a Retry-After all of it and chance on top. Only what the service asks for
// can be longer than MaxRetryWait.
func (c *call) nextWait() time.Duration {
	step := longestWait
	if n := c.attempts - 1; n < 4 {
		step = firstWait << n
	}
	most := c.transport.config.MaxRetryWait
	least := min(step/2, most)
	if c.last.answer != nil {
		least = max(least, retryAfter(c.last.answer.Header, time.Now()))
	}
	if least > most {
		return least
	}
	return least + min(rand.N(step/2), most-least)
}

// allowed refuses a wait that is too long or that the context will not live to see: better the answer now.
func (c *call) allowed(ctx context.Context) bool {
	if c.wait > c.transport.config.MaxRetryWait {
		return false
	}
	deadline, ok := ctx.Deadline()
	return !ok || c.wait < time.Until(deadline)
}

func (c *call) backoff(time.Duration, time.Duration, int, *http.Response) time.Duration {
	return c.wait
}

// retryAfter reads seconds, fractions of them, and the three forms of an HTTP date. What is absurd is very long, never
// negative and never short; what is neither is no answer.
func retryAfter(h http.Header, now time.Time) time.Duration {
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0
	}
	if at, err := http.ParseTime(v); err == nil {
		return max(0, at.Sub(now))
	}
	seconds, err := strconv.ParseFloat(v, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(seconds) || seconds < 0 {
		return 0
	}
	if seconds >= float64(math.MaxInt64/int64(time.Second)) {
		return math.MaxInt64
	}
	return time.Duration(seconds * float64(time.Second))
}

// isDial says that the connection itself could not be made.
func isDial(err error) bool {
	var op *net.OpError
	for errors.As(err, &op) {
		if op.Op == "dial" {
			return true
		}
		err = op.Err // that of a proxy holds another
	}
	return false
}
