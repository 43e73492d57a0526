package idv

import (
	"net/http"
	"net/url"
	"strings"

	"example.com/idv/internal/transport"
)

// CallOption changes one call. A value out of range is a *ParamError before anything is sent.
type CallOption func(*callConfig) error

// callConfig is the settings of one call.
type callConfig struct {
	retries     int
	query       url.Values
	header      http.Header
	capture     *Response
	unvalidated bool
	scan        scanConfig
	once        onceConfig
}

func (c *Client) callConfig(opts []CallOption) (*callConfig, error) {
	if !c.usable() {
		return nil, errNoClient()
	}
	if len(opts) == 0 {
		return c.plain, nil
	}
	copied := *c.plain
	call := &copied
	for _, o := range opts {
		if o == nil {
			return nil, &ParamError{Param: "opts", Problem: "hold a nil CallOption"}
		}
		if err := o(call); err != nil {
			return nil, err
		}
	}
	return call, nil
}

// Response is what CaptureResponse copies out of a call: the last answer, a success or not.
type Response struct {
	StatusCode int
	Header     http.Header
	// RequestID is the X-Request-Id header (observed, not in the written contract): name it to the service's support.
	RequestID string
	// Attempts counts how often the request was sent.
	Attempts int
	// Body is what was read of the body: personal data. It shares memory with the RawJSON of what was decoded from it.
	Body []byte
}

// CaptureResponse copies the last answer of the call to dst, also when the call ends in an error. dst stays as it was
// where no answer came, but for Attempts. With All, it holds the answer to the latest request; All refuses it beside
// Parallel, where there is no latest.
func CaptureResponse(dst *Response) CallOption {
	return func(c *callConfig) error {
		if dst == nil {
			return &ParamError{Param: "CaptureResponse", Problem: "is given nil"}
		}
		c.capture = dst
		return nil
	}
}

// WithQuery adds a query parameter to the call, beside those that the method sends.
func WithQuery(key, value string) CallOption {
	return func(c *callConfig) error {
		if key == "" {
			return &ParamError{Param: "WithQuery", Problem: "is given an empty key"}
		}
		if c.query == nil {
			c.query = make(url.Values, 1)
		}
		c.query.Add(key, value)
		return nil
	}
}

// WithHeader sets a header of the call. It refuses the headers that the client owns, and Idempotency-Key: the service
// offers no such key, and net/http takes it as leave to send a POST twice.
func WithHeader(key, value string) CallOption {
	return func(c *callConfig) error {
		name := http.CanonicalHeaderKey(key)
		switch {
		case !isToken(key):
			return &ParamError{Param: "WithHeader", Problem: "is given a name that is no header name"}
		case isOwned(name):
			return &ParamError{Param: "WithHeader", Problem: "sets " + name + ", which the client owns or must not send"}
		case !isHeaderText(value):
			return &ParamError{Param: "WithHeader", Problem: "sets " + name + " to a value with a control character"}
		}
		if c.header == nil {
			c.header = make(http.Header, 1)
		}
		c.header.Set(name, value)
		return nil
	}
}

// WithRetries replaces the client's WithMaxRetries for the call.
func WithRetries(n int) CallOption {
	return func(c *callConfig) error {
		c.retries = n
		return notNegative("WithRetries", n)
	}
}

// WithoutValidation skips the params' Validate before a Create, for what the service takes and this version of the
// module does not know yet, such as a country that was added later.
func WithoutValidation() CallOption {
	return func(c *callConfig) error {
		c.unvalidated = true
		return nil
	}
}

// addQuery never changes the caller's values.
func (c *callConfig) addQuery(query url.Values) url.Values {
	if len(c.query) == 0 {
		return query
	}
	all := make(url.Values, len(query)+len(c.query))
	for _, values := range []url.Values{query, c.query} {
		for key, v := range values {
			all[key] = append(all[key], v...)
		}
	}
	return all
}

func (c *callConfig) captured(r transport.Result) {
	if c.capture == nil {
		return
	}
	c.capture.Attempts = r.Attempts
	if r.Answer == nil {
		return
	}
	c.capture.StatusCode = r.Answer.StatusCode
	c.capture.Header = r.Answer.Header
	c.capture.RequestID = r.Answer.Header.Get("X-Request-Id")
	c.capture.Body = r.Answer.Body
}

// isOwned lists by canonical name what a caller cannot set. Accept-Encoding is among them because setting it turns the
// transparent decompression of net/http off.
func isOwned(name string) bool {
	switch name {
	case "Accept", "Accept-Encoding", "Authorization", "Connection", "Content-Length", "Content-Type", "Date", "Digest",
		"Expect", "Host", "Idempotency-Key", "X-Idempotency-Key", "Keep-Alive", "Proxy-Authorization", "Service-Version",
		"Te", "Trailer", "Transfer-Encoding", "Upgrade", "User-Agent":
		return true
	}
	return false
}

func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r)
	})
}

func isHeaderText(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}
