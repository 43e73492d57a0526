package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// call is the state of one Do, and the http.RoundTripper of its own http.Client. That type has no
// CloseIdleConnections, which go-retryablehttp would call after any failure and so empty the pool of all calls.
type call struct {
	transport *Transport
	request   *Request
	http      http.Client
	retry     retryablehttp.Client
	wrapped   retryablehttp.Request

	attempts int
	started  time.Time
	last     outcome
	doubtful bool    // sent before the last attempt, with no answer that says it did not run
	answer   *Answer // the last one, of whichever attempt; points to latest
	latest   Answer
	wait     time.Duration
}

// outcome is what one attempt came to: an answer, an error, or both where the answer broke off.
type outcome struct {
	answer *Answer
	err    error
	class  string
	// unsent is proven, not assumed.
	unsent bool
}

// RoundTrip is one attempt.
func (c *call) RoundTrip(r *http.Request) (*http.Response, error) {
	c.attempts++
	c.started = time.Now()
	c.doubtful = c.doubtful || c.attempts > 1 && c.last.doubtful()
	ctx, cancel := c.bounded(r.Context())
	defer cancel()
	var seen connection
	traced := ctx
	if r.Method != http.MethodGet {
		traced = seen.watch(ctx)
	}
	resp, err := tripped(c.transport.base.RoundTrip(c.attempt(traced, r)))
	if err != nil {
		c.last = c.failed(ctx, r.Context(), err, &seen)
	} else {
		c.last = c.answered(ctx, r.Context(), resp)
	}
	c.observe(r)
	if c.last.err != nil {
		return nil, c.last.err
	}
	resp.Body = http.NoBody
	return resp, nil
}

var errNoAnswer = errors.New("the http.RoundTripper returned neither an answer nor an error")

// tripped makes up for what RoundTrippers other than net/http's do at times.
func tripped(resp *http.Response, err error) (*http.Response, error) {
	switch {
	case resp == nil && err == nil:
		return nil, errNoAnswer
	case resp != nil && resp.Body == nil:
		resp.Body = http.NoBody
	case resp != nil && err != nil:
		_ = resp.Body.Close()
	}
	return resp, err
}

// attempt makes the request of one attempt, with a header of its own: that of the attempt before may still be on its way
// out. All that http.Client has put into r's are the cookies of a jar.
func (c *call) attempt(ctx context.Context, r *http.Request) *http.Request {
	a := r.WithContext(ctx)
	a.Host = r.URL.Host
	a.Header = c.request.Header.NewHeader()
	if cookies := r.Header["Cookie"]; cookies != nil {
		a.Header["Cookie"] = cookies
		delete(r.Header, "Cookie") // or the jar would add to them for the next attempt
	}
	if c.request.Prepare != nil {
		c.request.Prepare(a)
	}
	return a
}

// doubtful says of an attempt that it may have run, for all that is known. A refusal says that it did not.
func (o *outcome) doubtful() bool {
	if o.err != nil {
		return !o.unsent
	}
	return o.answer.StatusCode >= 500 && o.answer.StatusCode != http.StatusNotImplemented
}

// bounded gives an attempt its own time. The http.Client's Timeout would cost a quarter of a call.
func (c *call) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.transport.config.Timeout == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, c.transport.config.Timeout)
}

func (c *call) failed(attempt, caller context.Context, err error, seen *connection) outcome {
	if c.answer != nil && c.answer.Success() {
		c.answer = nil // half a success, of an attempt before: not what this call came to
	}
	o := outcome{err: c.explain(attempt, caller, err), unsent: seen.never(err)}
	o.class = classify(o.err)
	return o
}

func (c *call) answered(attempt, caller context.Context, resp *http.Response) outcome {
	c.latest = Answer{StatusCode: resp.StatusCode, Header: resp.Header}
	a := &c.latest
	c.answer = a
	o := outcome{answer: a}
	if !a.Success() {
		a.Body, a.Cut = c.transport.read(resp, c.request.Method, c.transport.config.MaxErrorBody)
		o.class = ClassStatus
		if a.Cut != nil && caller.Err() != nil {
			o.err = caller.Err()
		}
		return o
	}
	a.Body, a.Cut = c.transport.read(resp, c.request.Method, c.transport.config.MaxAnswer)
	if a.Cut != nil && !errors.Is(a.Cut, ErrTooLarge) {
		a.Cut = c.explain(attempt, caller, a.Cut)
		o.err, o.class = a.Cut, classify(a.Cut)
	}
	return o
}

// result puts together what the attempts left behind. stop is what ended the loop.
func (c *call) result(ctx context.Context, stop error) Result {
	r := Result{Answer: c.answer, Err: c.last.err, Attempts: c.attempts, Started: c.started, MaybeSent: c.doubtful || !c.last.unsent, Doubtful: c.doubtful}
	if r.Answer != nil && !r.Answer.Success() {
		r.RetryAfter = retryAfter(r.Answer.Header, time.Now())
	}
	switch {
	case c.attempts == 0:
		return Result{Err: opaque(stop), Started: time.Now()}
	case ctx.Err() != nil && stop != nil && !errors.Is(r.Err, ctx.Err()):
		r.Err = join(ctx.Err(), r.Err) // cancelled while it waited
	}
	return r
}

// join keeps a lone error as it is, and two on one line.
func join(a, b error) error {
	if b == nil {
		return a
	}
	return fmt.Errorf("%w; before: %w", a, b)
}

// connection tells whether net/http ever had one for an attempt.
type connection struct{ asked, got atomic.Bool }

func (c *connection) watch(ctx context.Context) context.Context {
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { c.asked.Store(true) },
		GotConn: func(httptrace.GotConnInfo) { c.got.Store(true) },
	})
}

// never reports proof that nothing was sent: net/http looked for a connection and got none, or dialling one failed. A
// transport that is not net/http's traces nothing, and no trace proves nothing.
func (c *connection) never(err error) bool {
	return !c.got.Load() && (c.asked.Load() || isDial(err))
}
