package calls

import (
	"context"
	"net/http"

	"example.com/idv/bench/internal/sample"
	"github.com/digitalocean/godo"
	"github.com/google/go-github/v88/github"
	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/stripe/stripe-go/v85"
	gitlab "gitlab.com/gitlab-org/api/client-go/v2"
	"golang.org/x/oauth2"
)

// stripePerson and stripePeople are what stripe-go needs around a struct: a place for the last response.
type stripePerson struct {
	stripe.APIResource
	sample.Person
}

type stripePeople struct {
	stripe.APIResource
	sample.People
}

// StripeGo uses Backend.Call for the object and Backend.CallRaw for the list, as its generated services do.
func StripeGo(origin string, rt http.RoundTripper) (Client, error) {
	backend := StripeBackend(origin, rt, stripe.Int64(0))
	return Client{
		Name: "stripe-go",
		Get: func(ctx context.Context) (any, error) {
			p := new(stripePerson)
			return p, backend.Call(http.MethodGet, "/v1/people/"+sample.ID, Key, &stripe.Params{Context: ctx}, p)
		},
		List: func(ctx context.Context) (any, error) {
			page := new(stripePeople)
			return page, backend.CallRaw(http.MethodGet, "/v1/people", Key, nil, &stripe.Params{Context: ctx}, page)
		},
	}, nil
}

// StripeBackend makes the part of stripe-go that sends requests; retries nil is its default.
func StripeBackend(origin string, rt http.RoundTripper, retries *int64) stripe.Backend {
	return stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
		URL: &origin, HTTPClient: &http.Client{Transport: rt}, MaxNetworkRetries: retries,
		EnableTelemetry: stripe.Bool(false), LeveledLogger: &stripe.LeveledLogger{Level: stripe.LevelNull},
	})
}

// GoGithub uses Client.NewRequest and Client.Do, as every method of it does.
func GoGithub(origin string, rt http.RoundTripper) (Client, error) {
	base := origin + "/v1/"
	c, err := github.NewClient(github.WithTransport(rt), github.WithAuthToken(Key), github.WithURLs(&base, nil))
	if err != nil {
		return Client{}, err
	}
	return generic("go-github", func(ctx context.Context, path string, out any) error {
		r, err := c.NewRequest(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		_, err = c.Do(r, out)
		return err
	}), nil
}

// HcloudGo uses Client.NewRequest and Client.Do, as every method of it does.
func HcloudGo(origin string, rt http.RoundTripper) (Client, error) {
	return hcloudGo(origin, rt, hcloud.WithRetryOpts(hcloud.RetryOpts{MaxRetries: 0})), nil
}

func hcloudGo(origin string, rt http.RoundTripper, opts ...hcloud.ClientOption) Client {
	opts = append(opts, hcloud.WithEndpoint(origin+"/v1"), hcloud.WithToken(Key), hcloud.WithHTTPClient(&http.Client{Transport: rt}))
	c := hcloud.NewClient(opts...)
	return generic("hcloud-go", func(ctx context.Context, path string, out any) error {
		r, err := c.NewRequest(ctx, http.MethodGet, "/"+path, nil)
		if err != nil {
			return err
		}
		_, err = c.Do(r, out)
		return err
	})
}

// Godo uses Client.NewRequest and Client.Do, over the oauth2 client that its documentation shows. It retries only when told to.
func Godo(origin string, rt http.RoundTripper) (Client, error) {
	inner := context.WithValue(context.Background(), oauth2.HTTPClient, &http.Client{Transport: rt})
	hc := oauth2.NewClient(inner, oauth2.StaticTokenSource(&oauth2.Token{AccessToken: Key}))
	c, err := godo.New(hc, godo.SetBaseURL(origin+"/v1/"))
	if err != nil {
		return Client{}, err
	}
	return generic("godo", func(ctx context.Context, path string, out any) error {
		r, err := c.NewRequest(ctx, http.MethodGet, path, nil)
		if err != nil {
			return err
		}
		_, err = c.Do(ctx, r, out)
		return err
	}), nil
}

// GitLab uses Client.NewRequest and Client.Do, as every method of it does.
func GitLab(origin string, rt http.RoundTripper) (Client, error) {
	return gitLab(origin, rt, gitlab.WithoutRetries())
}

func gitLab(origin string, rt http.RoundTripper, opts ...gitlab.ClientOptionFunc) (Client, error) {
	opts = append(opts, gitlab.WithBaseURL(origin+"/v1"), gitlab.WithHTTPClient(&http.Client{Transport: rt}))
	c, err := gitlab.NewClient(Key, opts...)
	if err != nil {
		return Client{}, err
	}
	return generic("GitLab client-go", func(ctx context.Context, path string, out any) error {
		r, err := c.NewRequest(http.MethodGet, path, nil, []gitlab.RequestOptionFunc{gitlab.WithContext(ctx)})
		if err != nil {
			return err
		}
		_, err = c.Do(r, out)
		return err
	}), nil
}

// OpenAI uses Client.Get, which decodes a plain struct with encoding/json. The types of its own API cost more.
func OpenAI(origin string, rt http.RoundTripper) (Client, error) {
	return openAI(origin, rt, option.WithMaxRetries(0)), nil
}

func openAI(origin string, rt http.RoundTripper, opts ...option.RequestOption) Client {
	opts = append(opts, option.WithBaseURL(origin+"/v1/"), option.WithAPIKey(Key), option.WithHTTPClient(&http.Client{Transport: rt}))
	c := openai.NewClient(opts...)
	return generic("openai-go", func(ctx context.Context, path string, out any) error {
		return c.Get(ctx, path, nil, out)
	})
}
