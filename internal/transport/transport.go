package transport

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Config is what all calls of a Transport share. It is copied by New.
type Config struct {
	// HTTP is copied. Its Transport, Jar and Timeout are kept, its CheckRedirect is not: a redirect is an answer.
	HTTP http.Client
	// Timeout bounds one attempt, the reading of the body included. Zero bounds nothing.
	Timeout time.Duration
	// MaxRetryWait is the longest wait before another attempt; a longer one is not begun.
	MaxRetryWait time.Duration
	// MaxAnswer and MaxErrorBody are the bytes read of a success and of any other answer.
	MaxAnswer, MaxErrorBody int64
	// Observe, if not nil, is called after every attempt, on the goroutine of the call.
	Observe func(context.Context, Attempt)
}

// Transport sends requests. It is safe for concurrent use and holds no state of a call; do not copy it.
type Transport struct {
	config  Config
	base    http.RoundTripper
	scratch sync.Pool // of *[]byte, for bodies of a length that is not announced

	noHeader http.Header // empty, shared, only read
}

// New makes a Transport.
func New(c Config) *Transport {
	c.MaxAnswer = min(c.MaxAnswer, math.MaxInt64-1) // one more is read to see that there is more
	t := &Transport{config: c, base: c.HTTP.Transport, noHeader: http.Header{}}
	if t.base == nil {
		t.base = http.DefaultTransport
	}
	return t
}

// Request is one call.
type Request struct {
	Method string
	// Route is the path with placeholders for ids, for observers.
	Route string
	URL   *url.URL
	// Header makes the header of one attempt; the values in it may be shared.
	Header Headers
	// Body is nil where there is none.
	Body []byte
	// Prepare, if not nil, completes the header of each attempt just before it is sent.
	Prepare func(*http.Request)
	// Repeatable says that sending it twice does what sending it once does.
	Repeatable bool
	// MaxRetries is the number of attempts after the first.
	MaxRetries int
}

// Headers makes headers. It is an interface and no function because a call has something at hand that can be one.
type Headers interface{ NewHeader() http.Header }

// Answer is what the service said, its body read.
type Answer struct {
	StatusCode int
	Header     http.Header
	// Body belongs to the caller. It is incomplete where Cut is set.
	Body []byte
	// Cut says why Body is not the whole body: ErrTooLarge, or what broke the reading off.
	Cut error
}

// Success says that the status is one of 2xx.
func (a *Answer) Success() bool { return a.StatusCode >= 200 && a.StatusCode <= 299 }

// ErrTooLarge says that an answer was longer than Config.MaxAnswer.
var ErrTooLarge = errors.New("the answer is longer than the limit")

// Result is all that is known of a call.
type Result struct {
	// Answer is the last one, nil if there was none.
	Answer *Answer
	// Err is nil where Answer is the outcome. Otherwise it says why the call ended without a complete one.
	Err error
	// Attempts counts the sendings that were begun.
	Attempts int
	// Started is when the last attempt began.
	Started time.Time
	// MaybeSent is false where the request provably never left the process, in none of its attempts, but for those that
	// were refused.
	MaybeSent bool
	// Doubtful says that an attempt before the last may have run, and how it ended is unknown.
	Doubtful bool
	// RetryAfter is the wait that the last answer asked for, uncapped; zero if it asked for none.
	RetryAfter time.Duration
}

// Do sends r, and sends it again as long as the rules in decide.go allow.
func (t *Transport) Do(ctx context.Context, r *Request) Result {
	if err := ctx.Err(); err != nil {
		return Result{Err: err, Started: time.Now()}
	}
	c := &call{transport: t, request: r}
	c.http = t.config.HTTP
	c.http.Transport = c
	c.http.CheckRedirect = neverFollow
	c.retry.HTTPClient = &c.http
	c.retry.RetryMax = r.MaxRetries
	c.retry.CheckRetry = c.checkRetry
	c.retry.ErrorHandler = passOn
	resp, err := c.retry.Do(c.build(ctx))
	if resp != nil {
		_ = resp.Body.Close() // read already; a Timeout of the caller's client waits for this
	}
	return c.result(ctx, err)
}

// neverFollow makes net/http hand a redirect over: following one would carry a body with personal data to whatever
// host the answer names.
func neverFollow(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// passOn keeps go-retryablehttp from writing an error text of its own, with the URL and its query in it. The body is
// read by then.
func passOn(resp *http.Response, err error, _ int) (*http.Response, error) { return resp, err }

// build makes the request by hand: parsing a URL that is at hand already costs more than the rest of it. Its header and
// host are those of each attempt (attempt in call.go): http.Client would clone them here for redirects that are never
// followed.
func (c *call) build(ctx context.Context) *retryablehttp.Request {
	r := c.request
	hr := &http.Request{Method: r.Method, URL: r.URL, Header: c.transport.noHeader, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1}
	if c.http.Jar != nil {
		hr.Header = http.Header{} // which it adds cookies to; nobody else does
	}
	c.wrapped.Request = hr.WithContext(ctx)
	if len(r.Body) > 0 {
		_ = c.wrapped.SetBody(r.Body) // cannot fail on []byte
	}
	return &c.wrapped
}
