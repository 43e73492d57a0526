package idv

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"strings"

	"example.com/idv/internal/route"
	"example.com/idv/internal/scheme"
	"example.com/idv/internal/transport"
	"example.com/idv/internal/wire"
)

// Client talks to one base address with one API key. It is safe for concurrent use, holds no state of a call, and
// starts no goroutine of its own. Make it with New or NewFromEnv; the zero Client is of no use.
type Client struct {
	People       *PeopleService
	QuestionSets *QuestionSetsService
	Companies    *CompaniesService
	Candidates   *CandidatesService
	Watchlists   *WatchlistsService

	config    config
	base      *url.URL
	header    func() http.Header // what every request carries; a function, for printing shows no credential in it
	transport *transport.Transport
	plain     *callConfig // of a call without options; only read
}

// New makes a client for the service at baseURL, whose path prefix is kept. The kind of apiKey selects the mode
// (contract: authentication): a key that starts with sk_live runs real, billed verifications and is taken with https
// only; one that starts with sk_test costs nothing.
//
// New sends nothing. It returns a *ParamError that names what it refuses: an empty or unparsable base URL, one without
// host, with user info, query or fragment, a scheme other than http and https, http with a live key, a key of neither
// kind or with blanks, control characters or a colon in it, and options out of range.
func New(baseURL, apiKey string, opts ...Option) (*Client, error) {
	c := defaults()
	if err := c.setBase(baseURL); err != nil {
		return nil, err
	}
	if err := c.setKey(apiKey); err != nil {
		return nil, err
	}
	return c.apply(opts)
}

// NewFromEnv is New with the base URL from IDV_BASE_URL and the key from IDV_API_KEY; its *ParamError names those.
func NewFromEnv(opts ...Option) (*Client, error) {
	names := map[string]string{"baseURL": "IDV_BASE_URL", "apiKey": "IDV_API_KEY"}
	for _, name := range []string{"IDV_BASE_URL", "IDV_API_KEY"} {
		if os.Getenv(name) == "" {
			return nil, &ParamError{Param: name, Problem: "is not set in the environment"}
		}
	}
	c, err := New(os.Getenv(names["baseURL"]), os.Getenv(names["apiKey"]), opts...)
	var refused *ParamError
	if errors.As(err, &refused) && names[refused.Param] != "" {
		return nil, &ParamError{Param: names[refused.Param], Problem: refused.Problem}
	}
	return c, err
}

// NewFor makes a client for another API of the service. It is for the packages of this module, such as flow: nobody else
// can make a Scheme. Only Call and With of the client are of use.
func NewFor(baseURL string, s *scheme.Scheme, opts ...Option) (*Client, error) {
	c := defaults()
	c.scheme, c.version = s, 0
	if err := c.setBase(baseURL); err != nil {
		return nil, err
	}
	return c.apply(opts)
}

// With derives a client that differs by opts. It shares the connection pool unless opts bring another, and nothing
// that can be changed: the receiver stays as it is. The errors are those of New.
func (c *Client) With(opts ...Option) (*Client, error) {
	if !c.usable() {
		return nil, errNoClient()
	}
	return c.config.apply(opts)
}

// Mode tells whether the client's key is a test key or a live one.
func (c *Client) Mode() Mode { return c.config.mode }

// CloseIdleConnections closes the connections that no call is using. A program that makes clients for a while, a test
// above all, calls it so that nothing stays behind; clients derived by With share the connections.
func (c *Client) CloseIdleConnections() {
	if c.usable() {
		c.config.http.CloseIdleConnections()
	}
}

// newClient puts a client together from settings that are complete and valid.
func newClient(cfg config) *Client {
	c := &Client{config: cfg, base: cfg.base, header: cfg.headers()}
	c.transport = transport.New(cfg.transport())
	c.plain = &callConfig{retries: cfg.retries, once: onceConfig{settling: defaultSettling}}
	c.People = &PeopleService{c}
	c.QuestionSets = &QuestionSetsService{c}
	c.Companies = &CompaniesService{c}
	c.Candidates = &CandidatesService{c}
	c.Watchlists = &WatchlistsService{c}
	return c
}

// Call sends a request that the services do not cover, by the same rules: in is encoded as the JSON body (nil for
// none), out is decoded from the answer (nil to drop it); a model of this package gets its RawJSON. path is relative to
// the base URL and escaped, as it stands on the request line; a query goes into query. GET is repeated after failures,
// anything else is sent at most once.
//
// The errors are those of every method: *ParamError before anything is sent, *Error, *UncertainError, *TransportError,
// *DecodeError.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, in, out any, opts ...CallOption) error {
	if !c.usable() {
		return errNoClient()
	}
	if isNil(in) {
		in = nil
	}
	if err := checkCall(method, path, in, out); err != nil {
		return err
	}
	op := operation{method: method, route: route.Of(path, c.config.routes()), path: "/" + strings.TrimPrefix(path, "/"), query: query, in: in, out: out}
	return c.do(ctx, op, opts)
}

// operation is a call before it has become a request.
type operation struct {
	method, route, path string
	query               url.Values
	in, out             any
}

func (c *Client) do(ctx context.Context, op operation, opts []CallOption) error {
	call, err := c.callConfig(opts)
	if err != nil {
		return err
	}
	return c.exchange(ctx, op, call)
}

// usable is false for the zero Client and that of a zero service.
func (c *Client) usable() bool { return c != nil && c.transport != nil }

func errNoClient() error {
	return &ParamError{Param: "client", Problem: "is not made by New"}
}

// exchange is the one way out: every call of the package is assembled, sent and judged here.
func (c *Client) exchange(ctx context.Context, op operation, call *callConfig) error {
	if ctx == nil {
		return &ParamError{Param: "ctx", Problem: "is nil"}
	}
	body, err := encode(op.in)
	if err != nil {
		return err
	}
	query := call.addQuery(op.query)
	s := &sending{client: c, call: call, body: body, url: c.url(op.path, query)}
	s.request = transport.Request{
		Method:     op.method,
		Route:      op.route,
		URL:        &s.url,
		Header:     s,
		Body:       body,
		Prepare:    c.config.prepare(body),
		Repeatable: c.config.repeatable(op.method, op.path, query),
		MaxRetries: call.retries,
	}
	result := c.transport.Do(ctx, &s.request)
	call.captured(result)
	if err := failure(op.method, op.path, result); err != nil {
		return err
	}
	return decode(op, result)
}

// sending is what lives as long as a call is on its way, allocated at once.
type sending struct {
	client  *Client
	call    *callConfig
	body    []byte
	url     url.URL
	request transport.Request
}

// NewHeader makes the header of one attempt.
func (s *sending) NewHeader() http.Header {
	h := s.client.header()
	if _, set := h["Content-Type"]; s.body != nil && !set {
		h["Content-Type"] = []string{"application/json"}
	}
	for key, values := range s.call.header {
		h[key] = values
	}
	return h
}

// url copies the parsed base and hangs path and query on it. Parsing the whole anew for each call costs more than
// everything else in it.
func (c *Client) url(path string, query url.Values) url.URL {
	u := *c.base
	u.Path += path
	if strings.Contains(path, "%") || u.RawPath != "" {
		u.RawPath = c.base.EscapedPath() + path
		u.Path, _ = url.PathUnescape(u.RawPath) // checked when the path was made
	}
	if len(query) > 0 {
		u.RawQuery = query.Encode()
	}
	return u
}

func encode(in any) ([]byte, error) {
	if in == nil {
		return nil, nil
	}
	marshal := wire.MarshalStandard
	if _, own := in.(params); own {
		marshal = wire.Marshal
	}
	body, err := marshal(in)
	if err != nil {
		return nil, &ParamError{Param: "params", Problem: err.Error()}
	}
	return body, nil
}

// decode fills op.out. What cannot be decoded was paid for all the same, so the error carries it.
func decode(op operation, r transport.Result) error {
	a := r.Answer
	if op.out == nil {
		return nil
	}
	err := a.Cut
	if err == nil {
		err = decodeInto(a, op.out)
	}
	if err == nil {
		return nil
	}
	return &DecodeError{Method: op.method, Path: op.path, StatusCode: a.StatusCode, Body: a.Body, Err: err}
}

func decodeInto(a *transport.Answer, out any) error {
	switch v := out.(type) {
	case decoder:
		if v.self() == out { // and not something of the caller's that embeds one
			return v.decode(a.Body)
		}
	case object:
		if err := wire.Unmarshal(a.Body, out); err != nil {
			return err
		}
		return v.received(a.Body)
	case scheme.Decoder:
		return v.DecodeAnswer(a.Header, a.Body)
	}
	return wire.UnmarshalStandard(a.Body, out)
}
