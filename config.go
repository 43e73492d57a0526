package idv

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"example.com/idv/internal/scheme"
	"example.com/idv/internal/transport"
)

// config is a client's settings. It is copied by value; what it points to is never changed.
type config struct {
	base         *url.URL
	auth         credential
	scheme       *scheme.Scheme // nil for the REST API
	now          func() time.Time
	mode         Mode
	http         *http.Client
	version      int
	testOnly     bool
	retries      int
	timeout      time.Duration
	maxRetryWait time.Duration
	maxAnswer    int64
	logger       *slog.Logger
	observers    []func(context.Context, Attempt)
	product      string
}

// credential is the value of the Authorization header, in a function so that no way of printing shows it.
type credential func() string

// Limits of what is read of an answer.
const (
	defaultMaxAnswer = 32 << 20
	maxErrorBody     = 64 << 10
)

func defaults() config {
	return config{
		version: 4, retries: 4, timeout: time.Minute, maxRetryWait: time.Minute, maxAnswer: defaultMaxAnswer,
		http: &http.Client{Transport: defaultTransport()},
	}
}

// idlePerHost keeps as many connections as callers commonly share a client: with the 2 of http.DefaultTransport, 64
// callers open 717 connections per 1000 requests, with these 31.
const idlePerHost = 64

func defaultTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // replaced by the program, which must not change what this package does
		t = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, IdleConnTimeout: 90 * time.Second}
	}
	t = t.Clone()
	t.MaxIdleConnsPerHost = idlePerHost
	t.MaxIdleConns = max(t.MaxIdleConns, idlePerHost)
	return t
}

// apply runs the options on a copy, checks what they have to do with each other, and makes the client.
func (c config) apply(opts []Option) (*Client, error) {
	c.observers = slices.Clone(c.observers)
	for _, o := range opts {
		if o == nil {
			return nil, &ParamError{Param: "opts", Problem: "hold a nil Option"}
		}
		if err := o(&c); err != nil {
			return nil, err
		}
	}
	check := c.checkREST
	if c.scheme != nil {
		check = c.checkScheme
	}
	if err := check(); err != nil {
		return nil, err
	}
	return newClient(c), nil
}

func (c *config) checkREST() error {
	switch {
	case c.mode == ModeLive && c.testOnly:
		return &ParamError{Param: "apiKey", Problem: "is a live key, and WithTestModeOnly is set"}
	case c.mode == ModeLive && c.base.Scheme != "https":
		return &ParamError{Param: "baseURL", Problem: "is http; a live key goes over https only"}
	case c.now != nil:
		return &ParamError{Param: "WithClock", Problem: "is for clients that sign their requests, such as that of package flow"}
	}
	return nil
}

// checkScheme refuses the options that mean something to the REST API only, and personal data over plain HTTP: unlike an
// API key, the credential of a signed request does not tell whether the data are real.
func (c *config) checkScheme() error {
	switch {
	case c.testOnly:
		return &ParamError{Param: "WithTestModeOnly", Problem: "is for the REST API: here the base URL selects live or sandbox"}
	case c.version != 0:
		return &ParamError{Param: "WithAPIVersion", Problem: "is for the REST API: here the version is a date of the module's own"}
	case c.base.Scheme != "https" && !isLoopback(c.base.Hostname()):
		return &ParamError{Param: "baseURL", Problem: "is http; personal data goes over https only, except to localhost and loopback addresses"}
	}
	return nil
}

func isLoopback(host string) bool {
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}

// setBase never quotes the URL, nor the parser's error, which does: it may hold a password.
func (c *config) setBase(raw string) error {
	u, err := url.Parse(raw)
	problem := ""
	switch {
	case raw == "":
		problem = "is empty"
	case err != nil:
		problem = "is not a URL"
	case u.Scheme != "http" && u.Scheme != "https":
		problem = "needs the scheme https or http"
	case strings.Trim(u.Hostname(), ".") == "":
		problem = "has no host"
	case !isPort(u.Port()):
		problem = "has a port that is none"
	case u.User != nil:
		problem = "holds user info; the key is the only credential"
	case u.RawQuery != "" || u.ForceQuery:
		problem = "holds a query"
	case u.Fragment != "" || strings.Contains(raw, "#"):
		problem = "holds a fragment"
	case hasStep(u.Path) || strings.ContainsFunc(u.Path, unicode.IsControl):
		problem = "has a path with a control character, or the step . or .."
	}
	if problem != "" {
		return &ParamError{Param: "baseURL", Problem: problem}
	}
	escaped := strings.TrimRight(u.EscapedPath(), "/")
	u.Path, _ = url.PathUnescape(escaped) // it was parsed from this
	u.RawPath = ""
	if escaped != u.EscapedPath() {
		u.RawPath = escaped
	}
	c.base = u
	return nil
}

func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func (c *config) setKey(key string) error {
	switch {
	case key == "":
		return &ParamError{Param: "apiKey", Problem: "is empty"}
	case strings.ContainsFunc(key, func(r rune) bool { return isBlankOrControl(r) || r > '~' || r == ':' }):
		return &ParamError{Param: "apiKey", Problem: "holds a blank, a colon, or a character that no key has; was it copied with its line end?"}
	case strings.HasPrefix(key, "sk_live"):
		c.mode = ModeLive
	case strings.HasPrefix(key, "sk_test"):
		c.mode = ModeTest
	default:
		return &ParamError{Param: "apiKey", Problem: "starts with neither sk_live nor sk_test"}
	}
	auth := basicAuth(key)
	c.auth = func() string { return auth }
	return nil
}

// basicAuth gives the key as the user name with an empty password (contract: authentication 1). It goes onto the
// request: in a URL it would end in logs, in a RoundTripper it would follow a redirect to another host.
func basicAuth(key string) string {
	r := http.Request{Header: make(http.Header, 1)}
	r.SetBasicAuth(key, "")
	return r.Header.Get("Authorization")
}

// headers gives a function that makes the header of a request. The values are made once and shared by all requests.
func (c config) headers() func() http.Header {
	agent := "idv/" + Version + " " + strings.Replace(runtime.Version(), "go", "go/", 1)
	if c.product != "" {
		agent = c.product + " " + agent
	}
	userAgent := []string{agent}
	if c.scheme != nil {
		return func() http.Header {
			h := c.scheme.Header()
			h["User-Agent"] = userAgent
			return h
		}
	}
	accept := []string{"application/vnd.service+json;version=" + strconv.Itoa(c.version)}
	auth := []string{c.auth()}
	return func() http.Header {
		return http.Header{"Accept": accept, "Authorization": auth, "User-Agent": userAgent}
	}
}

// routes are the paths that an observer is told by name.
func (c *config) routes() []string {
	if c.scheme != nil {
		return c.scheme.Routes
	}
	return routes()
}

// prepare gives what completes each attempt of a request, nil where nothing does.
func (c *config) prepare(body []byte) func(*http.Request) {
	if c.scheme == nil {
		return nil
	}
	now := c.now
	if now == nil {
		now = time.Now
	}
	return func(r *http.Request) { c.scheme.Sign(r, body, now()) }
}

// repeatable: a GET is, and besides only what an API says of its own requests.
func (c *config) repeatable(method, path string, query url.Values) bool {
	return method == http.MethodGet || c.scheme != nil && c.scheme.Repeatable(method, path, query)
}

func (c config) transport() transport.Config {
	t := transport.Config{
		HTTP: *c.http, Timeout: c.timeout, MaxRetryWait: c.maxRetryWait,
		MaxAnswer: c.maxAnswer, MaxErrorBody: maxErrorBody,
	}
	if c.logger != nil || len(c.observers) > 0 {
		t.Observe = c.observe
	}
	return t
}

func (c config) observe(ctx context.Context, a transport.Attempt) {
	for _, f := range c.observers {
		f(ctx, Attempt(a))
	}
	if c.logger == nil {
		return
	}
	c.logger.LogAttrs(ctx, slog.LevelDebug, "idv: request",
		slog.String("method", a.Method), slog.String("route", a.Route), slog.Int("status", a.StatusCode),
		slog.Duration("duration", a.Duration), slog.Int("attempt", a.Number),
		slog.String("error_class", a.ErrorClass), slog.String("request_id", a.RequestID))
}
