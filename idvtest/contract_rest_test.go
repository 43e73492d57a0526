package idvtest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestContractServiceAuthentication(t *testing.T) {
	t.Parallel()
	a := newAPI(t)

	t.Run("R04 HTTP Basic with the key as username and an empty password", func(t *testing.T) {
		requireStatus(t, 200, a.get("/people"))
		withPassword := a.send("GET", "/people", "", basic(a.s.TestKey, "secret"))
		requireStatus(t, 401, withPassword)
		assert.Contains(t, errorOf(withPassword)["message"], "password")
		swapped := a.send("GET", "/people", "", basic("", a.s.TestKey))
		requireStatus(t, 401, swapped)
	})

	t.Run("R05 an invalid key answers 401", func(t *testing.T) {
		r := a.send("GET", "/people", "", basic("sk_test_of_somebody_else", ""))
		requireStatus(t, 401, r)
		assert.JSONEq(t, `{"error":{"type":"invalid_request_error","message":"The supplied API key is invalid."}}`, string(r.body))
	})

	t.Run("R05 no usable credentials answer 401 and no JSON", func(t *testing.T) {
		for _, value := range [][]string{nil, {"Bearer " + a.s.TestKey}, {"Basic not-base64!"}, {""}} {
			r := a.send("GET", "/people", "", http.Header{"Authorization": value})
			requireStatus(t, 401, r)
			assert.Equal(t, "HTTP Basic: Access denied.", string(r.body))
			assert.Equal(t, "text/html", r.header.Get("Content-Type"))
			assert.Equal(t, `Basic realm="Application"`, r.header.Get("WWW-Authenticate"))
		}
	})
}

func TestContractServiceModes(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithTLS())
	live := a.live()

	t.Run("R08 the key selects the mode, and objects carry it", func(t *testing.T) {
		assert.True(t, strings.HasPrefix(a.s.TestKey, "sk_test"))
		assert.True(t, strings.HasPrefix(a.s.LiveKey, "sk_live"))
		inTest, inLive := a.post("/people", person()), live.post("/people", person())
		assert.Equal(t, false, inTest.json["livemode"])
		assert.Equal(t, true, inLive.json["livemode"])
		assert.Equal(t, []any{inLive.id()}, live.get("/people").all("id"))
		requireStatus(t, 404, a.get("/people/"+inLive.id()))
	})

	t.Run("R33 test mode bills nothing, live mode bills each verification", func(t *testing.T) {
		before := a.s.Billed()
		requireStatus(t, 201, a.post("/people", person()))
		requireStatus(t, 201, a.post("/companies", company()))
		assert.Equal(t, before, a.s.Billed())
		requireStatus(t, 201, live.post("/people", person("document_value", "0001")))
		requireStatus(t, 201, live.post("/companies", company()))
		requireStatus(t, 400, live.post("/people", attrs{}))
		requireStatus(t, 200, live.get("/people"))
		assert.Equal(t, before+2, a.s.Billed())
	})

	t.Run("R33 a live key is refused without TLS", func(t *testing.T) {
		plain := newAPI(t).live()
		r := plain.post("/people", person())
		requireStatus(t, 401, r)
		assert.Contains(t, errorOf(r)["message"], "TLS")
		assert.Zero(t, plain.s.Billed())
	})
}

func TestContractServiceObjects(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithPageSize(2))

	t.Run("R09 the list envelope", func(t *testing.T) {
		for range 3 {
			a.post("/candidates", attrs{})
		}
		r := a.get("/candidates")
		assert.ElementsMatch(t, []string{"object", "total_count", "has_more", "data"}, memberNames(r.json))
		assert.Equal(t, "list", r.json["object"])
		assert.Equal(t, 3, r.total())
		assert.Equal(t, true, r.json["has_more"])
		assert.Len(t, r.data(), 2)
		assert.Equal(t, false, a.get("/candidates", "offset", "1").json["has_more"])
		empty := a.get("/candidates", "filter[note]", "no such note")
		assert.JSONEq(t, `{"object":"list","total_count":0,"has_more":false,"data":[]}`, string(empty.body))
	})

	t.Run("R10 timestamps are integer Unix seconds", func(t *testing.T) {
		a.s.Clock.Advance(1500 * time.Millisecond)
		now := a.s.Clock.Now()
		r := a.post("/candidates", attrs{})
		assert.Contains(t, string(r.body), fmt.Sprintf(`"created_at":%d,"updated_at":%[1]d,`, now.Unix()))
	})

	t.Run("R16 date_of_birth is YYYY-MM-DD", func(t *testing.T) {
		r := a.post("/candidates", attrs{"date_of_birth": "1985-12-10"})
		assert.Equal(t, "1985-12-10", r.json["date_of_birth"])
		for _, wrong := range []string{"10.12.1985", "1985-2-3", "1985-02-30", "19851210", "1985-12-10T00:00:00Z"} {
			refused := a.post("/candidates", attrs{"date_of_birth": wrong})
			requireStatus(t, 400, refused)
			assert.Equal(t, "is_invalid", errorOf(refused)["code"], wrong)
			assert.Equal(t, "date_of_birth", errorOf(refused)["param"], wrong)
		}
	})
}

func TestContractServicePaths(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.post("/people", person()).id()
	set := a.post("/question_sets", attrs{"person_id": p}).id()
	firm := a.post("/companies", company()).id()
	candidate := a.post("/candidates", attrs{"name_first": "Zoltan", "name_last": "Quillfeather"}).id()
	for _, endpoint := range []struct {
		method, path string
		body         any
		status       int
	}{
		{"POST", "/people", person(), 201},
		{"GET", "/people", nil, 200},
		{"GET", "/people/" + p, nil, 200},
		{"POST", "/question_sets", attrs{"person_id": p}, 201},
		{"GET", "/question_sets", nil, 200},
		{"GET", "/question_sets/" + set, nil, 200},
		{"POST", "/question_sets/" + set + "/score", attrs{"answers": []attrs{}}, 201},
		{"POST", "/companies", company(), 201},
		{"GET", "/companies", nil, 200},
		{"GET", "/companies/" + firm, nil, 200},
		{"POST", "/candidates", attrs{}, 201},
		{"GET", "/candidates", nil, 200},
		{"GET", "/candidates/" + candidate, nil, 200},
		{"PATCH", "/candidates/" + candidate, attrs{"note": "seen"}, 200},
		{"DELETE", "/candidates/" + candidate, nil, 200},
		{"GET", "/candidates/" + candidate + "/history", nil, 200},
		{"GET", "/candidates/" + candidate + "/hits", nil, 200},
		{"POST", "/watchlists", attrs{"candidate_id": candidate}, 200},
	} {
		t.Run("R19 R25 "+endpoint.method+" "+strings.NewReplacer(p, "id", set, "id", firm, "id", candidate, "id").Replace(endpoint.path), func(t *testing.T) {
			r := a.send(endpoint.method, endpoint.path, bodyOf(t, endpoint.body), nil)
			requireStatus(t, endpoint.status, r)
			assert.Equal(t, "application/json; charset=utf-8", r.header.Get("Content-Type"))
		})
	}
}

func TestContractServiceOutcomes(t *testing.T) {
	t.Parallel()
	a := newAPI(t)

	t.Run("R18 the HTTP status does not depend on the outcome", func(t *testing.T) {
		valid, invalid := a.post("/people", person("document_value", "0000")), a.post("/people", person("document_value", "0001"))
		assert.Equal(t, []any{201, "valid", 201, "invalid"}, []any{valid.status, valid.json["status"], invalid.status, invalid.json["status"]})
		assert.Equal(t, 200, a.get("/people/"+invalid.id()).status)
		assert.Equal(t, valid.json["details"], invalid.json["details"])
	})

	for _, row := range []struct {
		name   string
		person attrs
		status string
	}{
		{"the last four of an SSN", person("document_value", "0000"), "valid"},
		{"the last four of an SSN", person("document_value", "0001"), "invalid"},
		{"a whole SSN", person("document_value", "123450000"), "valid"},
		{"a whole SSN", person("document_value", "123450001"), "invalid"},
		{"a German passport", german("passport", "C01X0000"), "valid"},
		{"a German passport", german("passport", "C01X0001"), "invalid"},
		{"a German identity card", german("identity_card", "0001"), "invalid"},
		{"a document the contract says nothing about", german("passport", "C01X0002"), "valid"},
	} {
		t.Run("R30 "+row.name+" is "+row.status, func(t *testing.T) {
			r := a.post("/people", row.person)
			requireStatus(t, 201, r)
			assert.Equal(t, row.status, r.json["status"])
		})
	}

	for taxID, status := range map[string]string{"000000000": "valid", "000000001": "invalid", "123456789": "valid"} {
		t.Run("R31 a company with tax id "+taxID+" is "+status, func(t *testing.T) {
			r := a.post("/companies", company("tax_id", taxID))
			requireStatus(t, 201, r)
			assert.Equal(t, status, r.json["status"])
		})
	}
}

func TestContractServiceErrors(t *testing.T) {
	t.Parallel()
	a := newAPI(t)

	t.Run("R26 R28 statuses and types can be told apart", func(t *testing.T) {
		for _, status := range []int{400, 401, 402, 404, 500, 503} {
			a.s.Fail(idvtest.Fault{Method: "GET", Path: "/people/{id}", Status: status})
			r := a.get("/people/1")
			requireStatus(t, status, r)
			want := "invalid_request_error"
			if status >= 500 {
				want = "api_error"
			}
			assert.Equal(t, want, errorOf(r)["type"])
		}
	})

	t.Run("R26 an object that does not exist", func(t *testing.T) {
		for path, title := range map[string]string{
			"/people/": "Person", "/candidates/": "Candidate", "/companies/": "Company", "/question_sets/": "Question set",
		} {
			r := a.get(path + "0123456789abcdef01234567")
			requireStatus(t, 404, r)
			assert.Equal(t, attrs{
				"type": "invalid_request_error", "message": title + " with id 0123456789abcdef01234567 could not be found",
			}, errorOf(r))
		}
	})

	t.Run("R26 a path or a method that is not routed", func(t *testing.T) {
		for _, line := range []string{"GET /", "GET /persons", "PATCH /people/1", "DELETE /people/1", "GET /watchlists", "PUT /candidates/1",
			"GET /people//", "GET //people", "POST /people/1", "GET /people/", "GET /people/1/2"} {
			method, path, _ := strings.Cut(line, " ")
			r := a.send(method, path, "", nil)
			requireStatus(t, 404, r)
			assert.JSONEq(t, `{"status":"404","error":"Not Found"}`, string(r.body), line)
		}
	})

	t.Run("R28 the two codes", func(t *testing.T) {
		missing, malformed := a.post("/people", person("name_first", nil)), a.post("/people", person("birth_day", "tenth"))
		assert.Equal(t, attrs{
			"type": "invalid_request_error", "param": "name_first", "code": "cant_be_blank",
			"message": "One or more required parameters are invalid",
		}, errorOf(missing))
		assert.Equal(t, []any{"birth_day", "is_invalid"}, []any{errorOf(malformed)["param"], errorOf(malformed)["code"]})
	})
}

func TestContractServiceMissingFields(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	order := map[string][]string{
		"/people": {"name_first", "name_last", "birth_day", "birth_month", "birth_year", "document_type", "document_value",
			"address_street1", "address_city", "address_subdivision", "address_postal_code", "address_country_code"},
		"/companies": {"entity_name", "tax_id", "incorporation_country_code", "incorporation_type", "address_street1",
			"address_city", "address_subdivision", "address_postal_code", "address_country_code"},
	}
	complete := map[string]func(...any) attrs{"/people": person, "/companies": company}
	for path, required := range order {
		body := attrs{}
		for _, name := range required {
			t.Run("R29 "+path+" names "+name+" first", func(t *testing.T) {
				r := a.post(path, body)
				requireStatus(t, 400, r)
				assert.Equal(t, []any{name, "cant_be_blank"}, []any{errorOf(r)["param"], errorOf(r)["code"]})
			})
			body[name] = complete[path]()[name]
		}
		requireStatus(t, 201, a.post(path, body))
	}
}

func TestContractServiceVersions(t *testing.T) {
	t.Parallel()
	current, next := newAPI(t), newAPI(t, idvtest.WithLatestVersion(5))
	for _, accept := range [][]string{nil, {"*/*"}, {"application/json"}, {"application/vnd.service+json"}} {
		t.Run(fmt.Sprintf("R34 without a number the latest version applies: %v", accept), func(t *testing.T) {
			header := http.Header{"Accept": accept}
			assert.Equal(t, "list", current.send("GET", "/people", "", header).json["object"])
			assert.Equal(t, 5.0, next.send("GET", "/people", "", header).json["api_version"])
		})
	}

	t.Run("R34 a number selects its version", func(t *testing.T) {
		assert.Equal(t, "list", next.get("/people").json["object"])
		requireStatus(t, 400, current.send("GET", "/people", "", accepts("application/vnd.service+json;version=5")))
		requireStatus(t, 400, current.send("GET", "/people", "", accepts("application/vnd.service+json;version=four")))
		requireStatus(t, 200, current.send("GET", "/people", "", accepts("text/html, application/vnd.service+json; version=4")))
	})
}

func basic(user, password string) http.Header {
	r := http.Request{Header: http.Header{}}
	r.SetBasicAuth(user, password)
	return r.Header
}

func accepts(value string) http.Header { return http.Header{"Accept": {value}} }

func german(document, number string) attrs {
	return person("address_country_code", "DE", "document_type", document, "document_value", number)
}

func bodyOf(t *testing.T, body any) string {
	t.Helper()
	if body == nil {
		return ""
	}
	return string(marshal(t, body))
}

func memberNames(o attrs) []string {
	names := make([]string, 0, len(o))
	for name := range o {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func requireData(t *testing.T, r reply, attribute string, want ...any) {
	t.Helper()
	requireStatus(t, 200, r)
	require.Equal(t, append([]any{}, want...), r.all(attribute))
	require.Equal(t, len(want), r.total())
}
