package idvtest

import (
	"encoding/json"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

const completePerson = `{"name_first":"Ada","name_last":"Lovelace","birth_day":10,"birth_month":"12","birth_year":1985,` +
	`"document_type":"ssn","document_value":"0000","address_street1":"1","address_city":"x","address_subdivision":"IL",` +
	`"address_postal_code":"62701","address_country_code":"US"}`

// Whatever arrives is answered: with a status of the contract and with JSON that can be read.
func FuzzRequest(f *testing.F) {
	s := NewServer(WithSeed(1))
	f.Cleanup(s.Close)
	person := s.AddPerson(Person{QuestionSets: 1})
	candidate := s.AddCandidate(Candidate{NameFirst: "Zoltan", NameLast: "Quillfeather"})
	set := s.rest.people.modes[false].byID[person].get("question_sets").([]string)[0]

	f.Add("POST", "/people", "", "application/json", completePerson)
	f.Add("POST", "/companies", "", "application/json", `{"incorporation_day":null,"tax_id":1}`)
	f.Add("POST", "/question_sets", "", "application/json", `{"person_id":"`+person+`","time_limit":"5"}`)
	f.Add("POST", "/question_sets/"+set+"/score", "", "application/json", `{"answers":[{"question_id":1,"answer_id":"3"}]}`)
	f.Add("POST", "/question_sets/"+set+"/score", "", "application/x-www-form-urlencoded", "answers[][question_id]=1&answers[9][answer_id]=2")
	f.Add("POST", "/watchlists", "candidate_id="+candidate, "multipart/form-data; boundary=x",
		"--x\r\nContent-Disposition: form-data; name=\"similarity_threshold\"\r\n\r\n0.1\r\n--x--\r\n")
	f.Add("PATCH", "/candidates/"+candidate, "", "application/json", `{"name_last":"\u0000<&>"}`)
	f.Add("GET", "/people", "filter[q]=ada&created_at[gt]=5&count=3&offset=1", "", "")
	f.Add("GET", "/people", "filter[details][ofac]=match&updated_at[lte]=99999999999", "", "")
	f.Add("GET", "/candidates/%2F", "filter[]=&filter=&[]=&a[b", "", "")
	f.Fuzz(func(t *testing.T, method, path, query, contentType, body string) {
		r, err := http.NewRequest(method, "http://x/", strings.NewReader(body))
		if err != nil {
			return
		}
		if r.URL.Path, err = url.PathUnescape(path); err != nil {
			return
		}
		r.URL.RawPath, r.URL.RawQuery = path, query
		r.Header.Set("Content-Type", contentType)
		r.SetBasicAuth(s.TestKey, "")
		w := httptest.NewRecorder()
		s.serve(w, r)
		if !slices.Contains([]int{200, 201, 400, 404}, w.Code) || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s %s answered %d: %s", method, path, w.Code, w.Body)
		}
	})
}

// What a form accepts is what its fields promise, whatever way the parameters came.
func FuzzParams(f *testing.F) {
	f.Add("application/json", completePerson, "")
	f.Add("AppliCAtion/json; charset=utf-8", `{"":"","name_first":"a"}`, "")
	f.Add("application/json", `{"a":[null,{"b":null}],"name_first":{"x":[1e9]}}`, "name_first=x")
	f.Add("application/x-www-form-urlencoded", "answers[0][question_id]=1&answers[][x]=2&answers[1001][x]=1", "answers=1")
	f.Add("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n", "")
	f.Fuzz(func(t *testing.T, contentType, body, query string) {
		r := httptest.NewRequest(http.MethodPost, "/people", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		values, err := url.ParseQuery(query)
		if err != nil {
			return
		}
		p, err := readParams(r, values)
		if err != nil {
			return
		}
		for name, v := range p {
			media, _, _ := mime.ParseMediaType(contentType) // in any case, with parameters
			if v == nil || name == "" && media != "application/json" {
				t.Errorf("parameter %q is %v", name, v)
			}
		}
		person, err := personForm.read(p)
		if err != nil || checkPerson(person, defaultStart) != nil {
			return
		}
		if day := person["birth_day"].(int64); day < 1 || day > 31 {
			t.Errorf("a person born on day %d was accepted", day)
		}
	})
}

// The window of a query holds exactly the seconds that its comparisons hold.
func FuzzSpan(f *testing.F) {
	f.Add("gt", int64(5), "lte", int64(7), int64(7))
	f.Add("gte", int64(-1<<63), "lt", int64(1<<63-1), int64(0))
	compares := map[string]func(t, bound int64) bool{
		"gt": func(t, b int64) bool { return t > b }, "gte": func(t, b int64) bool { return t >= b },
		"lt": func(t, b int64) bool { return t < b }, "lte": func(t, b int64) bool { return t <= b },
	}
	f.Fuzz(func(t *testing.T, word1 string, bound1 int64, word2 string, bound2 int64, moment int64) {
		s, ok1 := anyTime.narrow(word1, bound1)
		s, ok2 := s.narrow(word2, bound2)
		if ok1 != (compares[word1] != nil) || ok2 != (compares[word2] != nil) {
			t.Fatalf("%q known: %v, %q known: %v", word1, ok1, word2, ok2)
		}
		if ok1 && ok2 && s.holds(moment) != (compares[word1](moment, bound1) && compares[word2](moment, bound2)) {
			t.Errorf("%s %d and %s %d: %d is in: %v", word1, bound1, word2, bound2, moment, s.holds(moment))
		}
	})
}

// A path fits a pattern with the values that were escaped into it.
func FuzzPattern(f *testing.F) {
	f.Add("0123456789abcdef01234567")
	f.Add("a/b?c#d%2F ..")
	f.Fuzz(func(t *testing.T, id string) {
		values, fits := newPattern("/candidates/{id}/hits").match("/candidates/" + url.PathEscape(id) + "/hits")
		if fits != (id != "") || fits && values["id"] != id {
			t.Errorf("%q: fits %v with %q", id, fits, values["id"])
		}
	})
}

// A service that runs for long keeps the newest requests and no more.
func TestRequestLogIsBounded(t *testing.T) {
	t.Parallel()
	var l requestLog
	r := httptest.NewRequest(http.MethodGet, "/people", nil)
	for i := range 3*maxLogged + 7 {
		l.arrived(r, nil, strconv.Itoa(i), defaultStart)
	}
	kept := l.all()
	if len(kept) != maxLogged || kept[0].RequestID != strconv.Itoa(2*maxLogged+7) || len(l.entries) > 2*maxLogged {
		t.Errorf("%d of %d kept, from %s", len(kept), len(l.entries), kept[0].RequestID)
	}
}

// Property: created_at windows that touch split a collection, whatever the order in which objects were added.
func TestWindowsSplitACollection(t *testing.T) {
	t.Parallel()
	d := newDice(1)
	c := newCollection(candidateKind)
	for range 500 {
		c.add(newRecord(candidateKind, d.id(), false, int64(d.intN(100))))
		if d.intN(10) == 0 {
			c.created(false, anyTime)
		}
	}
	for range 200 {
		cut := int64(d.intN(100))
		before, _ := anyTime.narrow("lt", cut)
		after, _ := anyTime.narrow("gte", cut)
		joined := append(slices.Clone(c.created(false, before)), c.created(false, after)...)
		if !slices.Equal(joined, c.created(false, anyTime)) || !slices.IsSortedFunc(joined, byCreation) {
			t.Fatalf("cut at %s", time.Unix(cut, 0))
		}
	}
}
