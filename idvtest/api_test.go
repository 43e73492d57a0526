package idvtest_test

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

// api speaks plain HTTP with a service: no client of this module, so that no misunderstanding is shared.
type api struct {
	t    *testing.T
	s    *idvtest.Server
	key  string
	http *http.Client
}

func newAPI(t *testing.T, opts ...idvtest.Option) *api {
	t.Helper()
	s := idvtest.Start(t, opts...)
	return &api{t: t, s: s, key: s.TestKey, http: s.HTTPClient()}
}

// live is the same service seen with the live key.
func (a *api) live() *api {
	b := *a
	b.key = a.s.LiveKey
	return &b
}

// attrs is a JSON object as it is sent or was received.
type attrs = map[string]any

type reply struct {
	status int
	header http.Header
	body   []byte
	json   attrs
}

func (r reply) id() string { s, _ := r.json["id"].(string); return s }

// data are the objects of a list.
func (r reply) data() []attrs {
	list, _ := r.json["data"].([]any)
	objects := make([]attrs, len(list))
	for i := range list {
		objects[i], _ = list[i].(attrs)
	}
	return objects
}

// all are the values of one attribute over a list.
func (r reply) all(attribute string) []any {
	values := []any{}
	for _, o := range r.data() {
		values = append(values, o[attribute])
	}
	return values
}

func (r reply) total() int { n, _ := r.json["total_count"].(float64); return int(n) }

// send sends a request as it is given; setting headers to nil leaves them out.
func (a *api) send(method, path, body string, header http.Header) reply {
	a.t.Helper()
	req, err := http.NewRequestWithContext(a.t.Context(), method, a.s.URL+path, strings.NewReader(body))
	require.NoError(a.t, err)
	if body == "" {
		req.Body, req.ContentLength = nil, 0
	} else {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Accept", "application/vnd.service+json;version=4")
	req.SetBasicAuth(a.key, "")
	maps.Copy(req.Header, header)
	resp, err := a.http.Do(req)
	require.NoError(a.t, err)
	defer func() { _ = resp.Body.Close() }()
	r := reply{status: resp.StatusCode, header: resp.Header}
	r.body, err = io.ReadAll(resp.Body)
	require.NoError(a.t, err)
	_ = json.Unmarshal(r.body, &r.json)
	return r
}

func (a *api) post(path string, body any) reply {
	a.t.Helper()
	return a.send("POST", path, string(marshal(a.t, body)), nil)
}

func (a *api) patch(path string, body any) reply {
	a.t.Helper()
	return a.send("PATCH", path, string(marshal(a.t, body)), nil)
}

// get sends a GET; pairs are query keys and values.
func (a *api) get(path string, pairs ...string) reply {
	a.t.Helper()
	query := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		query.Add(pairs[i], pairs[i+1])
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return a.send("GET", path, "", nil)
}

func (a *api) delete(path string) reply {
	a.t.Helper()
	return a.send("DELETE", path, "", nil)
}

// person is a complete create body; pairs change members, and nil removes one.
func person(pairs ...any) attrs {
	return changed(attrs{
		"name_first": "Ada", "name_last": "Lovelace", "birth_day": 10, "birth_month": 12, "birth_year": 1985,
		"document_type": "ssn", "document_value": "0000", "address_street1": "1 Analytical Way", "address_city": "Springfield",
		"address_subdivision": "IL", "address_postal_code": "62701", "address_country_code": "US",
	}, pairs)
}

func company(pairs ...any) attrs {
	return changed(attrs{
		"entity_name": "Difference Engines Inc", "tax_id": "000000000", "incorporation_country_code": "US",
		"incorporation_type": "corporation", "address_street1": "2 Cogwheel Sq", "address_city": "Springfield",
		"address_subdivision": "IL", "address_postal_code": "62701", "address_country_code": "US",
	}, pairs)
}

func changed(o attrs, pairs []any) attrs {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == nil {
			delete(o, pairs[i].(string))
		} else {
			o[pairs[i].(string)] = pairs[i+1]
		}
	}
	return o
}

// errorOf is the error object of an answer.
func errorOf(r reply) attrs { o, _ := r.json["error"].(attrs); return o }

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return text
}

func requireStatus(t *testing.T, want int, r reply) {
	t.Helper()
	require.Equal(t, want, r.status, "%s", r.body)
}

// get is for benchmarks and goroutines: it asks with the test key and reads the answer to its end.
func get(tb testing.TB, s *idvtest.Server, target string) int {
	req, err := http.NewRequestWithContext(tb.Context(), "GET", s.URL+target, nil)
	assert.NoError(tb, err)
	req.SetBasicAuth(s.TestKey, "")
	resp, err := s.HTTPClient().Do(req)
	if !assert.NoError(tb, err) {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	_, err = io.Copy(io.Discard, resp.Body)
	assert.NoError(tb, err)
	return resp.StatusCode
}
