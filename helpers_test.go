package idv_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"testing"

	"example.com/idv"
	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	baseURL = "https://api.example/v"
	testKey = "sk_test_a1b2c3"
)

// sent is a request as it would have gone out.
type sent struct {
	Method, Path string
	Query        map[string][]string
	Header       http.Header
	Body         string
	URL          string
}

// answering makes a client whose every request gets the same answer, and where the requests are kept.
func answering(t *testing.T, status int, body string, opts ...idv.Option) (*idv.Client, *[]sent) {
	t.Helper()
	var requests []sent
	c := newClient(t, func(r *http.Request) (*http.Response, error) {
		requests = append(requests, record(t, r))
		resp := httpmock.NewStringResponse(status, body)
		resp.Header.Set("Content-Type", "application/json; charset=utf-8")
		resp.Header.Set("X-Request-Id", "0d6bd1c6-3b5b-4b0c-9a55-6bd5f83b9c9e")
		return resp, nil
	}, opts...)
	return c, &requests
}

// newClient makes a client over a transport that hands every request to f.
func newClient(t *testing.T, f httpmock.Responder, opts ...idv.Option) *idv.Client {
	t.Helper()
	mock := httpmock.NewMockTransport()
	mock.RegisterNoResponder(f)
	c, err := idv.New(baseURL, testKey, append([]idv.Option{idv.WithHTTPClient(&http.Client{Transport: mock})}, opts...)...)
	require.NoError(t, err)
	return c
}

func record(t *testing.T, r *http.Request) sent {
	s := sent{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Header: r.Header.Clone(), URL: r.URL.String()}
	if r.Body != nil {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		s.Body = string(body)
	}
	return s
}

// fixture reads an answer, written by hand from what was observed.
func fixture(t testing.TB, name string) string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".json")
	require.NoError(t, err)
	return string(bytes.TrimSpace(b))
}

func validPerson() *idv.PersonParams {
	return &idv.PersonParams{
		NameFirst: "John", NameMiddle: "Pearce", NameLast: "Doe", BirthDay: 23, BirthMonth: 8, BirthYear: 1980,
		DocumentType: idv.DocumentSSN, DocumentValue: "0000",
		AddressStreet1: "1 Infinite Loop", AddressCity: "Cupertino", AddressSubdivision: "CA",
		AddressPostalCode: "95014", AddressCountryCode: "US", Note: "order 7",
	}
}

func validCompany() *idv.CompanyParams {
	return &idv.CompanyParams{
		EntityName: "Acme Widgets", TaxID: "000000001", IncorporationCountryCode: "US",
		IncorporationType: idv.IncorporationLLC, AddressStreet1: "1 Main St", AddressCity: "Dover",
		AddressSubdivision: "DE", AddressPostalCode: "19901", AddressCountryCode: "US",
		IncorporationDay: 25, IncorporationMonth: 8, IncorporationYear: 1999,
	}
}

func bg() context.Context { return context.Background() }
