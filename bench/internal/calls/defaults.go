package calls

import (
	"context"
	"net/http"

	"example.com/idv/bench/internal/sample"
	"github.com/stripe/stripe-go/v85"
)

// Default is a library with the retries that it comes with.
type Default struct {
	Client
	Retries string // what its documentation says
}

// Defaults are the libraries that retry, ours first, as a user gets them who sets nothing.
func Defaults(origin string, rt http.RoundTripper) ([]Default, error) {
	ours, err := Ours(origin, rt)
	if err != nil {
		return nil, err
	}
	gl, err := gitLab(origin, rt)
	if err != nil {
		return nil, err
	}
	none, err := GoGithub(origin, rt)
	if err != nil {
		return nil, err
	}
	return []Default{
		{ours, "4"},
		{stripeDefault(origin, rt), "2"},
		{hcloudGo(origin, rt), "5"},
		{gl, "5"},
		{openAI(origin, rt), "2"},
		{none, "none"},
	}, nil
}

func stripeDefault(origin string, rt http.RoundTripper) Client {
	backend := StripeBackend(origin, rt, nil)
	return Client{Name: "stripe-go", Get: func(ctx context.Context) (any, error) {
		p := new(stripePerson)
		return p, backend.Call(http.MethodGet, "/v1/people/"+sample.ID, Key, &stripe.Params{Context: ctx}, p)
	}}
}
