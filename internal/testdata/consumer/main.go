// Consumer uses every package that a program can import, as a program of somebody else's would: names that are fixed here
// cannot be renamed without somebody noticing.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// client is what a program that verifies people asks of a client, for a stand-in in its tests.
type client interface {
	Mode() idv.Mode
	With(opts ...idv.Option) (*idv.Client, error)
	Call(ctx context.Context, method, path string, query url.Values, in, out any, opts ...idv.CallOption) error
}

type people interface {
	Create(context.Context, *idv.PersonParams, ...idv.CallOption) (*idv.Person, error)
	CreateOnce(context.Context, *idv.PersonParams, string, ...idv.CallOption) (*idv.Person, error)
	Get(context.Context, string, ...idv.CallOption) (*idv.Person, error)
	List(context.Context, *idv.ListParams, ...idv.CallOption) (*idv.List[idv.Person], error)
	All(context.Context, *idv.ListParams, ...idv.CallOption) iter.Seq2[*idv.Person, error]
}

var (
	_ client            = (*idv.Client)(nil)
	_ people            = (*idv.PeopleService)(nil)
	_ http.Handler      = (*webhook.Receiver)(nil)
	_ webhook.SeenStore = (*webhook.MemoryStore)(nil)
	_ slog.LogValuer    = idv.Person{}
	_ error             = (*idv.UncertainError)(nil)
	_ webhook.Event     = (*webhook.StatusUpdated)(nil)
	_                   = []idv.Option{idv.WithHTTPClient(http.DefaultClient), idv.WithTestModeOnly(), idv.WithAPIVersion(4), idv.WithMaxRetries(1),
		idv.WithTimeout(time.Second), idv.WithMaxRetryWait(time.Second), idv.WithUserAgent("consumer/1")}
	_ = []idv.CallOption{idv.WithQuery("a", "b"), idv.WithHeader("X-A", "b"), idv.WithRetries(1), idv.Parallel(2), idv.MaxRequests(9)}
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	service := idvtest.NewServer()
	defer service.Close()
	c, err := idv.New(service.URL, service.TestKey)
	if err != nil {
		return err
	}
	defer c.CloseIdleConnections()
	p, err := c.People.Create(ctx, &idv.PersonParams{
		NameFirst: "Ada", NameLast: "Example", BirthDay: 10, BirthMonth: 12, BirthYear: 1985,
		DocumentType: idv.DocumentSSN, DocumentValue: "0000", AddressStreet1: "1 Main St", AddressCity: "Dover",
		AddressSubdivision: "DE", AddressPostalCode: "19901", AddressCountryCode: "US",
	})
	if err != nil {
		return err
	}
	if _, err := c.People.Get(ctx, "unknown"); !errors.Is(err, idv.ErrNotFound) {
		return fmt.Errorf("an unknown id gives %w", err)
	}
	fmt.Println(p, c.Mode())
	return receive(service.WebhookKeyID, service.WebhookSecret)
}

func receive(id, secret string) error {
	key, err := webhook.NewSigningKey(id, secret)
	if err != nil {
		return err
	}
	v, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithTolerance(time.Minute))
	if err != nil {
		return err
	}
	var state session.State
	r := webhook.NewReceiver(v)
	webhook.On(r, func(_ context.Context, e *webhook.StatusUpdated) error { return state.Apply(e) })
	fmt.Println(r.Health().Failing(), state.Status())
	return nil
}
