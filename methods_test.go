package idv_test

import (
	"net/url"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// method is one method of a service: what it sends, and what it makes of a realistic answer.
type method struct {
	call   func(*idv.Client) (any, error)
	answer string
	status int

	wantMethod, wantPath string
	wantQuery            url.Values
	wantBody             string
	check                func(*testing.T, any)
}

func methods(t *testing.T) map[string]method {
	at := time.Unix(1407875726, 0)
	list := func(item string) string {
		return `{"object":"list","total_count":26,"has_more":true,"data":[` + fixture(t, item) + `]}`
	}
	return map[string]method{
		"People.Create": {
			call:   func(c *idv.Client) (any, error) { return c.People.Create(bg(), validPerson()) },
			answer: fixture(t, "person"), status: 201, wantMethod: "POST", wantPath: "/v/people",
			wantBody: `{"name_first":"John","name_middle":"Pearce","name_last":"Doe","birth_day":23,"birth_month":8,"birth_year":1980,` +
				`"document_type":"ssn","document_value":"0000","address_street1":"1 Infinite Loop","address_city":"Cupertino",` +
				`"address_subdivision":"CA","address_postal_code":"95014","address_country_code":"US","note":"order 7"}`,
			check: checkPerson,
		},
		"People.Get": {
			call:   func(c *idv.Client) (any, error) { return c.People.Get(bg(), "53ea7a8e3763370003010000") },
			answer: fixture(t, "person"), status: 200, wantMethod: "GET", wantPath: "/v/people/53ea7a8e3763370003010000",
			check: checkPerson,
		},
		"People.List": {
			call: func(c *idv.Client) (any, error) {
				return c.People.List(bg(), &idv.ListParams{
					Filter: idv.Filter{"status": "valid", "name_last": "O'Doe & Söhne"}, CreatedAt: idv.TimeRange{NotBefore: at},
				})
			},
			answer: list("person"), status: 200, wantMethod: "GET", wantPath: "/v/people",
			wantQuery: url.Values{"filter[status]": {"valid"}, "filter[name_last]": {"O'Doe & Söhne"}, "created_at[gte]": {"1407875726"}},
			check: func(t *testing.T, v any) {
				page := v.(*idv.List[idv.Person])
				assert.Equal(t, "list", page.Object)
				assert.Equal(t, 26, page.TotalCount)
				assert.True(t, page.HasMore)
				require.Len(t, page.Data, 1)
				checkPerson(t, page.Data[0])
			},
		},
		"QuestionSets.Create": {
			call: func(c *idv.Client) (any, error) {
				return c.QuestionSets.Create(bg(), &idv.QuestionSetParams{PersonID: "53ea", TimeLimit: 120})
			},
			answer: fixture(t, "question_set"), status: 201, wantMethod: "POST", wantPath: "/v/question_sets",
			wantBody: `{"person_id":"53ea","time_limit":120}`, check: checkQuestionSet,
		},
		"QuestionSets.Get": {
			call:   func(c *idv.Client) (any, error) { return c.QuestionSets.Get(bg(), "53ea") },
			answer: fixture(t, "question_set"), status: 200, wantMethod: "GET", wantPath: "/v/question_sets/53ea", check: checkQuestionSet,
		},
		"QuestionSets.List": {
			call:   func(c *idv.Client) (any, error) { return c.QuestionSets.List(bg(), nil) },
			answer: list("question_set"), status: 200, wantMethod: "GET", wantPath: "/v/question_sets",
			check: func(t *testing.T, v any) { checkQuestionSet(t, v.(*idv.List[idv.QuestionSet]).Data[0]) },
		},
		"QuestionSets.Score": {
			call: func(c *idv.Client) (any, error) {
				return c.QuestionSets.Score(bg(), "53ea", []idv.Answer{{QuestionID: 1, AnswerID: 2}, {QuestionID: 2, AnswerID: 4}})
			},
			answer: fixture(t, "question_set"), status: 201, wantMethod: "POST", wantPath: "/v/question_sets/53ea/score",
			wantBody: `{"answers":[{"question_id":1,"answer_id":2},{"question_id":2,"answer_id":4}]}`, check: checkQuestionSet,
		},
		"Companies.Create": {
			call:   func(c *idv.Client) (any, error) { return c.Companies.Create(bg(), validCompany()) },
			answer: fixture(t, "company"), status: 201, wantMethod: "POST", wantPath: "/v/companies",
			wantBody: `{"entity_name":"Acme Widgets","tax_id":"000000001","incorporation_day":25,"incorporation_month":8,` +
				`"incorporation_year":1999,"incorporation_country_code":"US","incorporation_type":"llc","address_street1":"1 Main St",` +
				`"address_city":"Dover","address_subdivision":"DE","address_postal_code":"19901","address_country_code":"US"}`,
			check: checkCompany,
		},
		"Companies.Get": {
			call:   func(c *idv.Client) (any, error) { return c.Companies.Get(bg(), "5410") },
			answer: fixture(t, "company"), status: 200, wantMethod: "GET", wantPath: "/v/companies/5410", check: checkCompany,
		},
		"Companies.List": {
			call:   func(c *idv.Client) (any, error) { return c.Companies.List(bg(), &idv.ListParams{Search: "acme"}) },
			answer: list("company"), status: 200, wantMethod: "GET", wantPath: "/v/companies", wantQuery: url.Values{"filter[q]": {"acme"}},
			check: func(t *testing.T, v any) { checkCompany(t, v.(*idv.List[idv.Company]).Data[0]) },
		},
		"Candidates.Create": {
			call: func(c *idv.Client) (any, error) {
				return c.Candidates.Create(bg(), &idv.CandidateParams{NameFirst: idv.Ptr("Jonas"), DateOfBirth: idv.Ptr("1940-08-11")})
			},
			answer: fixture(t, "candidate"), status: 201, wantMethod: "POST", wantPath: "/v/candidates",
			wantBody: `{"date_of_birth":"1940-08-11","name_first":"Jonas"}`, check: checkCandidate,
		},
		"Candidates.Get": {
			call:   func(c *idv.Client) (any, error) { return c.Candidates.Get(bg(), "54c1") },
			answer: fixture(t, "candidate"), status: 200, wantMethod: "GET", wantPath: "/v/candidates/54c1", check: checkCandidate,
		},
		"Candidates.List": {
			call: func(c *idv.Client) (any, error) {
				return c.Candidates.List(bg(), &idv.ListParams{Count: 10, Offset: 20})
			},
			answer: list("candidate"), status: 200, wantMethod: "GET", wantPath: "/v/candidates", wantQuery: url.Values{"count": {"10"}, "offset": {"20"}},
			check: func(t *testing.T, v any) { checkCandidate(t, v.(*idv.List[idv.Candidate]).Data[0]) },
		},
		"Candidates.Update": {
			call: func(c *idv.Client) (any, error) {
				return c.Candidates.Update(bg(), "54c1", &idv.CandidateParams{NameMiddle: idv.Ptr(""), Extra: map[string]any{"later": 1}})
			},
			answer: fixture(t, "candidate"), status: 200, wantMethod: "PATCH", wantPath: "/v/candidates/54c1",
			wantBody: `{"name_middle":"","later":1}`, check: checkCandidate,
		},
		"Candidates.Delete": {
			call:   func(c *idv.Client) (any, error) { return c.Candidates.Delete(bg(), "54c1") },
			answer: `{"object":"candidate","id":"54c1","livemode":false,"deleted":true}`, status: 200,
			wantMethod: "DELETE", wantPath: "/v/candidates/54c1",
			check: func(t *testing.T, v any) { assert.True(t, v.(*idv.Candidate).Deleted) },
		},
		"Candidates.History": {
			call:   func(c *idv.Client) (any, error) { return c.Candidates.History(bg(), "54c1") },
			answer: "[" + fixture(t, "candidate") + `, {"id":"54c1","name_first":null}]`, status: 200,
			wantMethod: "GET", wantPath: "/v/candidates/54c1/history",
			check: func(t *testing.T, v any) {
				revisions := v.([]*idv.Candidate)
				require.Len(t, revisions, 2)
				checkCandidate(t, revisions[0])
				assert.Nil(t, revisions[1].NameFirst)
				assert.JSONEq(t, `{"id":"54c1","name_first":null}`, string(revisions[1].RawJSON()))
			},
		},
		"Candidates.Hits": {
			call:   func(c *idv.Client) (any, error) { return c.Candidates.Hits(bg(), "54c1") },
			answer: fixture(t, "hits"), status: 200, wantMethod: "GET", wantPath: "/v/candidates/54c1/hits", check: checkHits,
		},
		"Watchlists.Search": {
			call: func(c *idv.Client) (any, error) {
				return c.Watchlists.Search(bg(), &idv.WatchlistSearchParams{
					CandidateID: "54c1", MatchType: idv.MatchTypePerson, SimilarityThreshold: idv.Ptr(0.0),
				})
			},
			answer: fixture(t, "watchlist_search"), status: 200, wantMethod: "POST", wantPath: "/v/watchlists",
			wantBody: `{"candidate_id":"54c1","match_type":"person","similarity_threshold":0}`, check: checkSearch,
		},
	}
}

func TestEveryMethodOnTheWire(t *testing.T) {
	t.Parallel()
	for name, m := range methods(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, requests := answering(t, m.status, m.answer)
			got, err := m.call(c)
			require.NoError(t, err)
			m.check(t, got)

			require.Len(t, *requests, 1)
			r := (*requests)[0]
			assert.Equal(t, m.wantMethod, r.Method)
			assert.Equal(t, m.wantPath, r.Path)
			assert.Equal(t, map[string][]string(m.query()), r.Query)
			assert.Equal(t, m.wantBody, r.Body)
			assert.Equal(t, []string{"application/vnd.service+json;version=4"}, r.Header["Accept"])
			assert.Equal(t, []string{"Basic c2tfdGVzdF9hMWIyYzM6"}, r.Header["Authorization"])
			if m.wantBody == "" {
				assert.NotContains(t, r.Header, "Content-Type")
			} else {
				assert.Equal(t, []string{"application/json"}, r.Header["Content-Type"])
			}
		})
	}
}

func (m method) query() url.Values {
	if m.wantQuery == nil {
		return url.Values{}
	}
	return m.wantQuery
}

func checkPerson(t *testing.T, v any) {
	t.Helper()
	p := v.(*idv.Person)
	want := &idv.Person{
		Object: "person", ID: "53ea7a8e3763370003010000",
		CreatedAt: idv.Time{Time: time.Unix(1407875726, 0).UTC()}, UpdatedAt: idv.Time{Time: time.Unix(1407875726, 0).UTC()},
		Status: idv.StatusValid, IPAddress: idv.Ptr(""), BirthDay: 23, BirthMonth: 8, BirthYear: 1980,
		NameFirst: "John", NameMiddle: idv.Ptr("Pearce"), NameLast: "Doe", AddressStreet1: "1 Infinite Loop",
		AddressCity: "Cupertino", AddressSubdivision: "CA", AddressPostalCode: "95014", AddressCountryCode: "US",
		DocumentType: idv.DocumentSSN, DocumentValue: "0000", Note: idv.Ptr("order 7"),
		Details: idv.PersonDetails{
			Address: idv.MatchNone, AddressRisk: idv.RiskLow, Identification: idv.MatchNone,
			DateOfBirth: idv.MatchNotFound, OFAC: idv.MatchNone, PEP: idv.MatchNone,
		},
		QuestionSets: []string{"53ea7b013763370003040000", "53ea7aff3763370003030000"},
	}
	assert.JSONEq(t, fixture(t, "person"), string(p.RawJSON()))
	assert.JSONEq(t, `{"added": [1, 2]}`, string(p.Extra()["later"]))
	assert.Len(t, p.Extra(), 1)
	bare := idv.WithoutRaw(*p)
	assert.Equal(t, want, &bare)
}

func checkQuestionSet(t *testing.T, v any) {
	t.Helper()
	q := v.(*idv.QuestionSet)
	assert.Equal(t, idv.Ptr(20.0), q.Score)
	assert.Equal(t, 120, q.TimeLimit)
	assert.Equal(t, "53ea7a8e3763370003010000", q.PersonID)
	require.Len(t, q.Questions, 5)
	assert.Equal(t, idv.Choice{ID: 4, Answer: "309 Colver Rd"}, q.Questions[1].Answers[3])
	assert.JSONEq(t, fixture(t, "question_set"), string(q.RawJSON()))
	assert.Empty(t, q.Extra())
}

func checkCompany(t *testing.T, v any) {
	t.Helper()
	c := v.(*idv.Company)
	assert.Equal(t, idv.StatusInvalid, c.Status)
	assert.Equal(t, "Acme Widgets", c.EntityName)
	assert.Equal(t, idv.Ptr(25), c.IncorporationDay)
	assert.Nil(t, c.IncorporationYear)
	assert.Nil(t, c.IPAddress)
	assert.Equal(t, idv.IncorporationLLC, c.IncorporationType)
	assert.Equal(t, idv.Ptr("Widgets; Acme"), c.DBAs)
	assert.Equal(t, idv.CompanyDetails{
		EntityName: idv.MatchFull, TaxID: idv.MatchMismatch, State: idv.MatchFull, Address: idv.MatchNone,
		CountryCode: idv.MatchFull, IncorpDate: idv.MatchMismatch, OFAC: idv.MatchNone,
	}, c.Details)
	assert.JSONEq(t, fixture(t, "company"), string(c.RawJSON()))
	assert.Empty(t, c.Extra())
}

func checkCandidate(t *testing.T, v any) {
	t.Helper()
	c := v.(*idv.Candidate)
	assert.Equal(t, idv.Ptr("1940-08-11"), c.DateOfBirth)
	assert.Nil(t, c.SSN, "null")
	assert.Equal(t, idv.Ptr(""), c.NameMiddle, "cleared is not null")
	assert.False(t, c.Deleted)
	assert.JSONEq(t, fixture(t, "candidate"), string(c.RawJSON()))
	assert.Empty(t, c.Extra())
}

func checkHits(t *testing.T, v any) {
	t.Helper()
	hits := v.([]*idv.Hit)
	require.Len(t, hits, 1)
	assert.Equal(t, "EU_CON", hits[0].List)
	assert.Equal(t, idv.EntryEntity, hits[0].EntryType)
	assert.Equal(t, idv.Ptr("X1"), hits[0].IDValue)
	assert.Equal(t, idv.Ptr("1953--"), hits[0].DateOfBirth, "free text")
	assert.Equal(t, 1.0, hits[0].Confidence)
	assert.Empty(t, hits[0].Extra())
	assert.Contains(t, string(hits[0].RawJSON()), `"list": "EU_CON"`)
}

func checkSearch(t *testing.T, v any) {
	t.Helper()
	s := v.(*idv.WatchlistSearch)
	assert.Equal(t, 1, s.Count)
	assert.Equal(t, []string{"US_SDN", "EU_CON"}, s.SearchedLists)
	assert.Empty(t, s.Extra())
	require.Len(t, s.Matches, 1)
	m := s.Matches[0]
	assert.Equal(t, "US_SDN", m.WatchlistName)
	assert.Equal(t, 0.875, m.Confidence)
	assert.Equal(t, idv.Ptr("C01X00T47; C01X00T48"), m.Passport)
	assert.Equal(t, idv.EntryName{NamePrimary: true, NameFull: "Jonas Vale", NameStrength: "high"}, m.Names[0])
	assert.Equal(t, idv.Ptr(1940), m.Births[0].BirthYear)
	assert.Equal(t, idv.Ptr("C01X00T47"), m.Documents[0].DocumentValue)
	assert.Equal(t, idv.Ptr("Ulm, DE"), m.Addresses[0].AddressFull)
	assert.Equal(t, []string{"program"}, keys(m.Extra()))
	assert.JSONEq(t, fixture(t, "watchlist_search"), string(s.RawJSON()))
}

func keys[V any](m map[string]V) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

func TestHitsAreNotSilentlyIncomplete(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 200, `{"object":"list","total_count":2,"has_more":true,"data":[{"id":"ent_1"}]}`)
	hits, err := c.Candidates.Hits(bg(), "1")
	var incomplete *idv.IncompleteError
	require.ErrorAs(t, err, &incomplete)
	assert.Len(t, hits, 1)
}
