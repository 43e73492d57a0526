package trust_test

import (
	"context"
	"net/http"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/require"
)

const testKey = "sk_test_a1b2c3"

// answerOf is a success that every model decodes.
const answerOf = `{"id":"1","livemode":false}`

// write is a method of the client that sends something other than a GET.
type write struct {
	name string
	call func(context.Context, *idv.Client) error
}

// HEAD and OPTIONS are left out: they do nothing that could be done twice, and net/http repeats them on its own.
var writes = []write{
	{"People.Create", func(ctx context.Context, c *idv.Client) error { return second(c.People.Create(ctx, person())) }},
	{"Companies.Create", func(ctx context.Context, c *idv.Client) error { return second(c.Companies.Create(ctx, company())) }},
	{"QuestionSets.Create", func(ctx context.Context, c *idv.Client) error {
		return second(c.QuestionSets.Create(ctx, &idv.QuestionSetParams{PersonID: "1"}))
	}},
	{"QuestionSets.Score", func(ctx context.Context, c *idv.Client) error {
		return second(c.QuestionSets.Score(ctx, "1", []idv.Answer{{QuestionID: 1, AnswerID: 2}}))
	}},
	{"Candidates.Create", func(ctx context.Context, c *idv.Client) error {
		return second(c.Candidates.Create(ctx, &idv.CandidateParams{}))
	}},
	{"Candidates.Update", func(ctx context.Context, c *idv.Client) error {
		return second(c.Candidates.Update(ctx, "1", &idv.CandidateParams{}))
	}},
	{"Candidates.Delete", func(ctx context.Context, c *idv.Client) error { return second(c.Candidates.Delete(ctx, "1")) }},
	{"Watchlists.Search", func(ctx context.Context, c *idv.Client) error {
		return second(c.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "1"}))
	}},
	uncovered(http.MethodPost), uncovered(http.MethodPut), uncovered(http.MethodPatch), uncovered(http.MethodDelete),
}

// uncovered is a request that Call sends.
func uncovered(method string) write {
	return write{"Call " + method, func(ctx context.Context, c *idv.Client) error {
		var in any
		if method != http.MethodDelete {
			in = map[string]string{"name": "John"}
		}
		var out idv.Person
		return c.Call(ctx, method, "/later", nil, in, &out)
	}}
}

func second[T any](_ T, err error) error { return err }

func person() *idv.PersonParams {
	return &idv.PersonParams{
		NameFirst: "John", NameLast: "Doe", BirthDay: 23, BirthMonth: 8, BirthYear: 1980,
		DocumentType: idv.DocumentSSN, DocumentValue: "0000", AddressStreet1: "1 Infinite Loop", AddressCity: "Cupertino",
		AddressSubdivision: "CA", AddressPostalCode: "95014", AddressCountryCode: "US",
	}
}

func company() *idv.CompanyParams {
	return &idv.CompanyParams{
		EntityName: "Acme Widgets", TaxID: "000000000", IncorporationCountryCode: "US", IncorporationType: idv.IncorporationLLC,
		AddressStreet1: "1 Main St", AddressCity: "Dover", AddressSubdivision: "DE", AddressPostalCode: "19901", AddressCountryCode: "US",
	}
}

// connect makes a client whose connections are closed at the end of the test.
func connect(t testing.TB, baseURL string, base *http.Transport, opts ...idv.Option) *idv.Client {
	t.Helper()
	return connectAs(t, baseURL, testKey, base, opts...)
}

func connectAs(t testing.TB, baseURL, key string, base *http.Transport, opts ...idv.Option) *idv.Client {
	t.Helper()
	if base == nil {
		base = http.DefaultTransport.(*http.Transport).Clone()
	}
	t.Cleanup(base.CloseIdleConnections)
	c, err := idv.New(baseURL, key, append([]idv.Option{idv.WithHTTPClient(&http.Client{Transport: base})}, opts...)...)
	require.NoError(t, err)
	return c
}
