package webhook

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Option is a setting of a [Verifier]. A bad setting is an error of [NewVerifier], never of a request.
type Option func(*Verifier) error

const (
	defaultTolerance     = 15 * time.Minute // contract: limits, 900 seconds
	maxTolerance         = 24 * time.Hour
	defaultMaxBody       = 1 << 20
	maxMaxBody           = 1 << 30
	defaultBodyTimeout   = 10 * time.Second
	defaultLookupTimeout = 5 * time.Second
)

// WithTolerance sets how far the Date of a request may be from the clock, to either side and exclusive: at exactly d it is refused.
// The default, 15 minutes, is the contract's (limits). More than 24 hours and less than a nanosecond are refused.
func WithTolerance(d time.Duration) Option {
	return func(v *Verifier) error {
		if d <= 0 || d > maxTolerance {
			return fmt.Errorf("webhook: WithTolerance(%v): it must be more than 0 and at most %v", d, maxTolerance)
		}
		v.tolerance = d
		return nil
	}
}

// WithClock replaces time.Now, in tests. It is called concurrently. A clock that returns the zero time fails every request
// with [ErrTimestamp].
func WithClock(now func() time.Time) Option {
	return func(v *Verifier) error {
		if now == nil {
			return errors.New("webhook: WithClock(nil)")
		}
		v.now = now
		return nil
	}
}

// WithPath sets the path that the service signs, where a proxy rewrites the path on its way here: the path of the receiver URL as
// registered in the dashboard, escaped as there and without the query. Forwarded headers are never read: anybody can write those.
func WithPath(publicPath string) Option {
	return func(v *Verifier) error {
		switch {
		case !strings.HasPrefix(publicPath, "/"):
			return fmt.Errorf("webhook: WithPath(%q): it must start with a slash", publicPath)
		case strings.ContainsFunc(publicPath, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '?' || r == '#' }):
			return fmt.Errorf("webhook: WithPath(%q): it must be escaped as on the request line, without query and fragment", publicPath)
		case len(publicPath) > maxTarget:
			return fmt.Errorf("webhook: WithPath: it is longer than %d bytes", maxTarget)
		}
		v.path = publicPath
		return nil
	}
}

// WithMaxBody sets the size in bytes above which a body is refused with [ErrBodyTooLarge]. The default is 1 MiB,
// the most 1 GiB: a body is held in memory.
func WithMaxBody(n int64) Option {
	return func(v *Verifier) error {
		if n <= 0 || n > maxMaxBody {
			return fmt.Errorf("webhook: WithMaxBody(%d): it must be positive and at most %d", n, maxMaxBody)
		}
		v.maxBody = n
		return nil
	}
}

// WithBodyTimeout sets how long the body of an authentic header may take to arrive before [Verifier.Middleware] answers 408. The default
// is 10 seconds. A shorter http.Server.ReadTimeout stays in force; Verify has no connection at hand and relies on it.
func WithBodyTimeout(d time.Duration) Option {
	return func(v *Verifier) error {
		if d <= 0 {
			return fmt.Errorf("webhook: WithBodyTimeout(%v): it must be positive", d)
		}
		v.bodyTimeout = d
		return nil
	}
}

// WithKeyLookupTimeout sets after how long the context of a [KeySource] ends; the request is then answered 503. The default is
// 5 seconds. Static keys need no look-up.
func WithKeyLookupTimeout(d time.Duration) Option {
	return func(v *Verifier) error {
		if d <= 0 {
			return fmt.Errorf("webhook: WithKeyLookupTimeout(%v): it must be positive", d)
		}
		v.lookupTimeout = d
		return nil
	}
}

// WithRefusalHook sets a function that [Verifier.Middleware] and a [Receiver] call with every request they refuse, after the answer was written: to
// count and to log, since the answer itself tells nothing. It is called concurrently, on the request's goroutine; its context has the
// values of the request's and is not cancelled with it.
func WithRefusalHook(hook func(ctx context.Context, refused error)) Option {
	return func(v *Verifier) error {
		if hook == nil {
			return errors.New("webhook: WithRefusalHook(nil)")
		}
		v.refused = hook
		return nil
	}
}
