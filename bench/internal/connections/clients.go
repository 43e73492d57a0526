package connections

import (
	"context"
	"errors"
	"io"
	"net/http"

	"example.com/idv"
	"example.com/idv/bench/internal/calls"
	"example.com/idv/bench/internal/sample"
	"github.com/hashicorp/go-retryablehttp"
)

// Client is one way to reach a service with the connections that it keeps by default.
type Client struct {
	Name  string
	Get   func(ctx context.Context) error
	Close func()
}

// Makers of the clients, ours first.
func makers() []func(origin string) (Client, error) {
	return []func(string) (Client, error){ours, plain, retryable}
}

func ours(origin string) (Client, error) {
	c, err := idv.New(origin+"/v1", calls.Key, idv.WithMaxRetries(0))
	if err != nil {
		return Client{}, err
	}
	return Client{Name: calls.OursName, Close: c.CloseIdleConnections, Get: func(ctx context.Context) error {
		_, err := c.People.Get(ctx, sample.ID)
		return err
	}}, nil
}

func plain(origin string) (Client, error) {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return Client{Name: "http.DefaultTransport", Close: t.CloseIdleConnections, Get: func(ctx context.Context) error {
		return get(ctx, origin, (&http.Client{Transport: t}).Do)
	}}, nil
}

func retryable(origin string) (Client, error) {
	c := retryablehttp.NewClient()
	c.Logger, c.RetryMax = nil, 0
	transport, ok := c.HTTPClient.Transport.(*http.Transport)
	if !ok {
		return Client{}, errors.New("retryablehttp: not an http.Transport")
	}
	transport.TLSClientConfig = http.DefaultTransport.(*http.Transport).TLSClientConfig
	standard := c.StandardClient()
	return Client{Name: "go-retryablehttp, its own pool", Close: transport.CloseIdleConnections, Get: func(ctx context.Context) error {
		return get(ctx, origin, standard.Do)
	}}, nil
}

func get(ctx context.Context, origin string, do func(*http.Request) (*http.Response, error)) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/v1/people/"+sample.ID, nil)
	if err != nil {
		return err
	}
	resp, err := do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(resp.Status)
	}
	return nil
}
