package flow

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"

	"example.com/idv"
	"example.com/idv/internal/redact"
	"example.com/idv/internal/signature"
)

// Client talks to the Flow API at one base address with one credential (observed, not in the written contract). It is
// safe for concurrent use and starts no goroutine of its own. Make it with New; the zero Client is of no use.
type Client struct {
	Sessions *SessionsService

	api *idv.Client
}

// Option changes a client: it is an option of package idv. WithTestModeOnly and WithAPIVersion, which mean something to
// the REST API only, are refused; idv.WithClock is for this package.
type Option = idv.Option

// New makes a client for the Flow API at baseURL, whose path prefix is kept, with the credential that the webhooks are
// signed with (observed, not in the written contract). The secret is taken as it is written, prefix included.
//
// New sends nothing. It returns an *idv.ParamError that names what it refuses: an empty or unparsable base URL, one
// without host, with user info, query or fragment, http to another host than localhost or a loopback address, a key id
// with other characters than letters, digits, "_", "-" and ".", a secret that is empty, padded with blanks or has control
// characters, and options out of range.
func New(baseURL, keyID, secret string, opts ...Option) (*Client, error) {
	if problem := signature.CheckID(keyID); problem != "" {
		return nil, &idv.ParamError{Param: "keyID", Problem: problem}
	}
	if problem := signature.CheckSecret(secret); problem != "" {
		return nil, &idv.ParamError{Param: "secret", Problem: problem}
	}
	api, err := idv.NewFor(baseURL, newScheme(signature.NewKey(keyID, secret)), opts...)
	if err != nil {
		return nil, err
	}
	return newClient(api), nil
}

func newClient(api *idv.Client) *Client { return &Client{Sessions: &SessionsService{api}, api: api} }

// With derives a client that differs by opts and shares the connection pool unless opts bring another. The receiver stays
// as it is. The errors are those of New.
func (c *Client) With(opts ...Option) (*Client, error) {
	api, err := c.api.With(opts...)
	if err != nil {
		return nil, err
	}
	return newClient(api), nil
}

// CloseIdleConnections closes the connections that no call is using; clients derived by With share them.
func (c *Client) CloseIdleConnections() { c.api.CloseIdleConnections() }

// Call sends a signed request that Sessions does not cover; see idv.Client.Call. in is encoded as the JSON body (nil for
// none), out is decoded from the answer (nil to drop it); a *Session gets its RawJSON. GET is repeated after failures,
// and so is a POST to /flow_sessions with idempotent=true; anything else is sent at most once.
//
// Errors: *idv.ParamError before anything is sent, *idv.Error, *idv.UncertainError, *idv.TransportError, *idv.DecodeError.
func (c *Client) Call(ctx context.Context, method, path string, query url.Values, in, out any, opts ...idv.CallOption) error {
	if s, ok := out.(*Session); ok && s != nil {
		out = (*answer)(s)
	}
	return c.api.Call(ctx, method, path, query, in, out, opts...)
}

// Format prints the type alone, whatever the verb: never the credential.
func (c Client) Format(f fmt.State, verb rune) { redact.Write(f, verb, "flow.Client") }

// LogValue gives the type alone.
func (c Client) LogValue() slog.Value { return slog.StringValue("flow.Client") }
