// Package calls makes client libraries ready to read people, each through the call it offers for an object of any type, so that
// all of them decode the same bytes into the same members. Retries, logs and telemetry of the others are off; ours is as
// idv.New makes it.
package calls

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"example.com/idv"
	"example.com/idv/bench/internal/sample"
)

// Key is the API key that every library sends.
const Key = "sk_test_0123456789abcdef0123456789abcdef"

// Client is a library that is ready to read people. What it returns was decoded from the answer.
type Client struct {
	Name string
	Get  func(ctx context.Context) (any, error)
	List func(ctx context.Context) (any, error)
}

// Maker makes a client for the service at an origin such as https://api.example.
type Maker func(origin string, rt http.RoundTripper) (Client, error)

// Makers are all the libraries. The first is the floor, the second ours.
func Makers() []Maker {
	return []Maker{Floor, Ours, StripeGo, GoGithub, HcloudGo, Godo, GitLab, OpenAI}
}

// All makes every client, each with a transport of its own.
func All(origin string, transport func() http.RoundTripper) ([]Client, error) {
	clients := make([]Client, 0, len(Makers()))
	for _, mk := range Makers() {
		c, err := mk(origin, transport())
		if err != nil {
			return nil, err
		}
		clients = append(clients, c)
	}
	return clients, nil
}

// Names of the floor and of ours, in every table.
const (
	FloorName = "floor: net/http, ReadAll, encoding/json"
	OursName  = "idv"
)

// Floor is what somebody writes who needs one call and no library: nothing is done that the call does not need.
func Floor(origin string, rt http.RoundTripper) (Client, error) {
	hc := &http.Client{Transport: rt}
	get := func(ctx context.Context, path string, out any) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, origin+"/v1/"+path, nil)
		if err != nil {
			return err
		}
		r.SetBasicAuth(Key, "")
		r.Header.Set("Accept", "application/vnd.service+json;version=4")
		resp, err := hc.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return err
		}
		if resp.StatusCode != http.StatusOK {
			return fmt.Errorf("status %d", resp.StatusCode)
		}
		return json.Unmarshal(body, out)
	}
	return generic(FloorName, get), nil
}

// Ours reads people with the methods that are there for it. Raw JSON is kept for every object.
func Ours(origin string, rt http.RoundTripper) (Client, error) {
	c, err := idv.New(origin+"/v1", Key, idv.WithHTTPClient(&http.Client{Transport: rt}))
	if err != nil {
		return Client{}, err
	}
	return Client{
		Name: OursName,
		Get:  func(ctx context.Context) (any, error) { return c.People.Get(ctx, sample.ID) },
		List: func(ctx context.Context) (any, error) { return c.People.List(ctx, nil) },
	}, nil
}

// generic makes a client of a call that decodes into whatever it is given.
func generic(name string, get func(ctx context.Context, path string, out any) error) Client {
	return Client{
		Name: name,
		Get: func(ctx context.Context) (any, error) {
			p := new(sample.Person)
			return p, get(ctx, "people/"+sample.ID, p)
		},
		List: func(ctx context.Context) (any, error) {
			page := new(sample.People)
			return page, get(ctx, "people", page)
		},
	}
}
