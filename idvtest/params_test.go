package idvtest_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func contentType(value string) http.Header { return http.Header{"Content-Type": {value}} }

func formOf(o attrs) string {
	values := url.Values{}
	for name, value := range o {
		values.Set(name, fmt.Sprint(value))
	}
	return values.Encode()
}

func TestRequestEncodings(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	multi, boundary := multipartOf(t, person())
	for _, row := range []struct{ name, target, body, contentType string }{
		{"JSON", "/people", bodyOf(t, person()), "application/json"},
		{"JSON with a charset", "/people", bodyOf(t, person()), "application/json; charset=utf-8"},
		{"JSON with numbers as strings", "/people", bodyOf(t, person("birth_day", "10", "birth_year", "1985")), "application/json"},
		{"JSON with a number for a text", "/people", bodyOf(t, person("document_value", 123450000)), "application/json"},
		{"JSON with null for what is left out", "/people", `{"note":null,` + bodyOf(t, person())[1:], "application/json"},
		{"JSON with unknown members", "/people", bodyOf(t, person("shoe_size", 38, "id", "mine")), "application/json"},
		{"form", "/people", formOf(person()), "application/x-www-form-urlencoded"},
		{"multipart", "/people", multi, "multipart/form-data; boundary=" + boundary},
		{"the query of a POST", "/people?" + formOf(person()), "", ""},
		{"a query that the body corrects", "/people?" + formOf(person("document_value", "0001")), bodyOf(t, person()), "application/json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := a.send("POST", row.target, row.body, contentType(row.contentType))
			requireStatus(t, 201, r)
			assert.Equal(t, 10.0, r.json["birth_day"])
			assert.Equal(t, "valid", r.json["status"])
			assert.Nil(t, r.json["note"])
			assert.NotEqual(t, "mine", r.id())
		})
	}
}

func TestAnswersInOtherEncodings(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.post("/people", person()).id()
	for name, body := range map[string]string{
		"an index":    "answers[0][question_id]=1&answers[0][answer_id]=2&answers[1][question_id]=2&answers[1][answer_id]=2",
		"no index":    "answers[][question_id]=1&answers[][answer_id]=2&answers[][question_id]=2&answers[][answer_id]=2",
		"out of turn": "answers[1][question_id]=1&answers[1][answer_id]=2&answers[0][question_id]=2&answers[0][answer_id]=2",
	} {
		t.Run("form with "+name, func(t *testing.T) {
			set := a.post("/question_sets", attrs{"person_id": p}).id()
			scored := a.send("POST", "/question_sets/"+set+"/score", body, contentType("application/x-www-form-urlencoded"))
			requireStatus(t, 201, scored)
			inJSON := a.post("/question_sets/"+set+"/score", attrs{"answers": []attrs{
				{"question_id": 1, "answer_id": 2}, {"question_id": "2", "answer_id": "2"},
			}})
			assert.Equal(t, inJSON.json["score"], scored.json["score"])
		})
	}
}

func TestRequestsThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, row := range []struct{ name, method, target, body, contentType string }{
		{"half of a JSON object", "POST", "/people", `{"name_first":`, "application/json"},
		{"a JSON array", "POST", "/people", `[]`, "application/json"},
		{"JSON null", "POST", "/people", `null`, "application/json"},
		{"two JSON objects", "POST", "/people", `{}{}`, "application/json"},
		{"a text", "POST", "/people", `hello`, "text/plain"},
		{"no content type", "POST", "/people", `{}`, ""},
		{"a form with a bad escape", "POST", "/people", `a=%zz`, "application/x-www-form-urlencoded"},
		{"a multipart body without its boundary", "POST", "/people", `x`, "multipart/form-data"},
		{"a GET with a body", "GET", "/people", `{}`, "application/json"},
		{"a DELETE with a body", "DELETE", "/candidates/1", `{}`, "application/json"},
		{"a query with a bad escape", "GET", "/people?filter%5Bnote%5D=%zz", "", ""},
		{"a body over 1 MiB", "POST", "/people", `{"note":"` + string(bytes.Repeat([]byte("n"), 1<<20)) + `"}`, "application/json"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := a.send(row.method, row.target, row.body, contentType(row.contentType))
			requireStatus(t, 400, r)
			assert.NotEmpty(t, errorOf(r)["message"])
		})
	}
	requireStatus(t, 200, a.get("/people"))
}

func TestMalformedValues(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, row := range []struct {
		path, param string
		body        attrs
	}{
		{"/people", "birth_day", person("birth_day", 10.5)},
		{"/people", "birth_day", person("birth_day", 32)},
		{"/people", "birth_day", person("birth_day", 30, "birth_month", 2)},
		{"/people", "birth_month", person("birth_month", 13)},
		{"/people", "birth_year", person("birth_year", 85)},
		{"/people", "birth_year", person("birth_year", 2400)},
		{"/people", "birth_year", person("birth_year", true)},
		{"/people", "name_first", person("name_first", attrs{"a": 1})},
		{"/people", "name_last", person("name_last", []any{"a"})},
		{"/people", "document_type", person("document_type", "library_card")},
		{"/people", "document_type", person("document_type", "passport")}, // not in the United States' row
		{"/people", "document_value", person("document_value", "123")},
		{"/people", "address_country_code", person("address_country_code", "us")},
		{"/people", "address_country_code", person("address_country_code", "XX")},
		{"/people", "ip_address", person("ip_address", "localhost")},
		{"/companies", "tax_id", company("tax_id", "00-0000000")},
		{"/companies", "incorporation_type", company("incorporation_type", "guild")},
		{"/companies", "incorporation_country_code", company("incorporation_country_code", "USA")},
		{"/companies", "incorporation_month", company("incorporation_month", 0)},
		{"/companies", "incorporation_day", company("incorporation_day", 31, "incorporation_month", 4, "incorporation_year", 1999)},
		{"/candidates", "address_country_code", attrs{"address_country_code": "Germany"}},
		{"/question_sets", "time_limit", attrs{"person_id": "1", "time_limit": -1}},
		{"/watchlists", "match_type", attrs{"candidate_id": "1", "match_type": "dog"}},
		{"/watchlists", "similarity_threshold", attrs{"candidate_id": "1", "similarity_threshold": 1.1}},
		{"/watchlists", "similarity_threshold", attrs{"candidate_id": "1", "similarity_threshold": "high"}},
	} {
		t.Run(row.path+" "+row.param, func(t *testing.T) {
			r := a.post(row.path, row.body)
			requireStatus(t, 400, r)
			assert.Equal(t, []any{row.param, "is_invalid"}, []any{errorOf(r)["param"], errorOf(r)["code"]})
		})
	}
}

func TestPostalCodeByCountry(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	requireStatus(t, 400, a.post("/people", changed(german("passport", "0000"), []any{"address_postal_code", nil})))
	irish := person("address_country_code", "IE", "document_type", "passport", "address_postal_code", nil)
	r := a.post("/people", irish)
	requireStatus(t, 201, r)
	assert.Nil(t, r.json["address_postal_code"])
	requireStatus(t, 201, a.post("/companies", company("address_country_code", "IE", "address_postal_code", nil)))
	requireStatus(t, 400, a.post("/companies", company("address_country_code", "BF", "address_postal_code", nil)))
}

func multipartOf(t *testing.T, o attrs) (body, boundary string) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, value := range o {
		require.NoError(t, w.WriteField(name, fmt.Sprint(value)))
	}
	require.NoError(t, w.Close())
	return b.String(), w.Boundary()
}
