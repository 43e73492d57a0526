package idv_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The rows of the contract that the client must show against bytes on the wire. What takes a service to show stands in
// TestContractThroughTheService.

func TestContractRequests(t *testing.T) {
	t.Parallel()
	t.Run("R01 every path is relative to the base address, its path prefix included", func(t *testing.T) {
		t.Parallel()
		for _, m := range methods(t) {
			c, requests := answering(t, m.status, m.answer)
			_, err := m.call(c)
			require.NoError(t, err)
			assert.True(t, strings.HasPrefix((*requests)[0].URL, baseURL+"/"), (*requests)[0].URL)
		}
	})
	t.Run("R02 every request names version 4 of the vendor type", func(t *testing.T) {
		t.Parallel()
		for name, m := range methods(t) {
			c, requests := answering(t, m.status, m.answer)
			_, err := m.call(c)
			require.NoError(t, err)
			assert.Equal(t, []string{"application/vnd.service+json;version=4"}, (*requests)[0].Header["Accept"], name)
		}
	})
	t.Run("R03 bodies are JSON both ways; a list request has no body", func(t *testing.T) {
		t.Parallel()
		c, requests := answering(t, 201, fixture(t, "person"))
		_, err := c.People.Create(bg(), validPerson())
		require.NoError(t, err)
		_, err = c.People.List(bg(), nil)
		require.NoError(t, err)
		assert.True(t, json.Valid([]byte((*requests)[0].Body)))
		assert.Equal(t, "application/json", (*requests)[0].Header.Get("Content-Type"))
		assert.Empty(t, (*requests)[1].Body)
		assert.Empty(t, (*requests)[1].Header.Get("Content-Type"))
	})
	t.Run("R04 the key is the user name of HTTP Basic, the password is empty", func(t *testing.T) {
		t.Parallel()
		c, requests := answering(t, 200, "{}")
		_, err := c.People.Get(bg(), "1")
		require.NoError(t, err)
		user, password, ok := (&http.Request{Header: (*requests)[0].Header}).BasicAuth()
		assert.True(t, ok)
		assert.Equal(t, testKey, user)
		assert.Empty(t, password)
	})
	t.Run("R34 the client always names its version", func(t *testing.T) {
		t.Parallel()
		_, err := idv.New(baseURL, testKey, idv.WithAPIVersion(0))
		require.Error(t, err, "there is no way to leave it out")
		c, requests := answering(t, 200, "{}", idv.WithAPIVersion(5))
		require.Error(t, c.Call(bg(), "GET", "/people", nil, nil, nil, idv.WithHeader("Accept", "application/json")))
		require.NoError(t, c.Call(bg(), "GET", "/people", nil, nil, nil))
		assert.Equal(t, "application/vnd.service+json;version=5", (*requests)[0].Header.Get("Accept"))
	})
	t.Run("R36 no list operation needs an undocumented parameter", func(t *testing.T) {
		t.Parallel()
		c, requests := answering(t, 200, `{"object":"list","total_count":0,"has_more":false,"data":[]}`)
		_, err := c.Candidates.List(bg(), &idv.ListParams{Filter: idv.Filter{"ssn": "1"}, Search: "x", CreatedAt: idv.TimeRange{After: time.Unix(1, 0)}})
		require.NoError(t, err)
		for range c.People.All(bg(), nil) {
			t.Fatal("there is nobody")
		}
		for _, r := range *requests {
			assert.NotContains(t, r.Query, "count")
			assert.NotContains(t, r.Query, "offset")
		}
	})
}

func TestContractModes(t *testing.T) {
	t.Parallel()
	t.Run("R06 a live key never goes over plain HTTP", func(t *testing.T) {
		t.Parallel()
		_, err := idv.New("http://api.example", "sk_live_1")
		assert.EqualError(t, err, "idv: baseURL is http; a live key goes over https only")
	})
	t.Run("R07 a test key may go over plain HTTP", func(t *testing.T) {
		t.Parallel()
		_, err := idv.New("http://api.example", "sk_test_1")
		assert.NoError(t, err)
	})
	t.Run("R08 the key's prefix selects the mode; objects carry livemode", func(t *testing.T) {
		t.Parallel()
		live, err := idv.New("https://api.example", "sk_live_1")
		require.NoError(t, err)
		assert.Equal(t, idv.ModeLive, live.Mode())
		c, _ := answering(t, 200, `{"livemode":true}`)
		assert.Equal(t, idv.ModeTest, c.Mode())
		person, err := c.People.Get(bg(), "1")
		require.NoError(t, err)
		assert.True(t, person.Livemode)
	})
}

func TestContractAnswers(t *testing.T) {
	t.Parallel()
	t.Run("R09 the list envelope", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 200, `{"object":"list","total_count":31,"has_more":true,"data":[{"id":"a"},{"id":"b"}]}`)
		page, err := c.Companies.List(bg(), nil)
		require.NoError(t, err)
		assert.Equal(t, "list", page.Object)
		assert.Equal(t, 31, page.TotalCount)
		assert.True(t, page.HasMore)
		assert.Equal(t, []string{"a", "b"}, []string{page.Data[0].ID, page.Data[1].ID})
	})
	t.Run("R10 timestamps are Unix seconds in UTC", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 200, `{"created_at":1407875726,"updated_at":0}`)
		person, err := c.People.Get(bg(), "1")
		require.NoError(t, err)
		assert.Equal(t, "2014-08-12T20:35:26Z", person.CreatedAt.Format(time.RFC3339))
		assert.Equal(t, "1970-01-01T00:00:00Z", person.UpdatedAt.Format(time.RFC3339))
	})
	t.Run("R11 every Person field of the table decodes, nulls told apart from empty strings", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 200, fixture(t, "person"))
		person, err := c.People.Get(bg(), "1")
		require.NoError(t, err)
		checkPerson(t, person)
		assert.Nil(t, person.PhoneNumber, "null")
		assert.Equal(t, idv.Ptr(""), person.IPAddress, "empty")
		rows := contractRows(t, `(?s)### Person.*### Candidate`)
		assertFields(t, rows[0][0], person)
	})
	t.Run("R12 every Candidate field of the table decodes, nulls included", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 200, fixture(t, "candidate"))
		candidate, err := c.Candidates.Get(bg(), "1")
		require.NoError(t, err)
		checkCandidate(t, candidate)
		for _, name := range []string{"object", "id", "created_at", "updated_at", "livemode", "note", "ssn", "passport", "date_of_birth",
			"name_first", "name_middle", "name_last", "address_street1", "address_street2", "address_city", "address_subdivision",
			"address_postal_code", "address_country_code"} {
			assert.True(t, encodes(t, candidate, name), name)
		}
	})
	t.Run("R13 details: the six keys, any string value", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 200, `{"details":{"address":"a","address_risk":"b","identification":"c","date_of_birth":"d","ofac":"e","pep":"f"}}`)
		person, err := c.People.Get(bg(), "1")
		require.NoError(t, err)
		assert.Equal(t, idv.PersonDetails{Address: "a", AddressRisk: "b", Identification: "c", DateOfBirth: "d", OFAC: "e", PEP: "f"}, person.Details)
	})
	t.Run("R14 the ten document types", func(t *testing.T) {
		t.Parallel()
		constants := []idv.DocumentType{idv.DocumentSSN, idv.DocumentDriversLicense, idv.DocumentPersonalIdentification, idv.DocumentIdentityCard,
			idv.DocumentTaxID, idv.DocumentVoterID, idv.DocumentTravelDocument, idv.DocumentResidencePermit, idv.DocumentIdentityCertificate, idv.DocumentPassport}
		table := contractRows(t, `(?s)### Document types.*?### Supported`)[0][0]
		rows := strings.Count(table, "\n| ") - 1 // less the head
		assert.Equal(t, 10, rows)
		for _, d := range constants {
			assert.Contains(t, table, "\n| "+string(d)+" |")
			c, requests := answering(t, 200, `{"document_type":"`+string(d)+`"}`)
			p := validPerson()
			p.DocumentType = d
			person, err := c.People.Create(bg(), p, idv.WithoutValidation())
			require.NoError(t, err)
			assert.Equal(t, d, person.DocumentType)
			assert.Contains(t, (*requests)[0].Body, `"document_type":"`+string(d)+`"`)
		}
	})
	t.Run("R15 every row of the country table", func(t *testing.T) {
		t.Parallel()
		rows := contractRows(t, `(?m)^\| ([A-Z]{2}) \| (yes|no) \| (.+) \|$`)
		require.Len(t, rows, 94)
		for _, row := range rows {
			for _, d := range strings.Split(row[3], ", ") {
				p := validPerson()
				p.AddressCountryCode, p.DocumentType = row[1], idv.DocumentType(d)
				require.NoError(t, p.Validate(), row[0])
				p.AddressPostalCode = ""
				assert.Equal(t, row[2] == "yes", p.Validate() != nil, row[0])
			}
			p := validPerson()
			p.AddressCountryCode, p.DocumentType = row[1], "library_card"
			assert.Error(t, p.Validate(), row[0])
		}
	})
	t.Run("R16 date_of_birth is YYYY-MM-DD", func(t *testing.T) {
		t.Parallel()
		c, requests := answering(t, 201, `{"date_of_birth":"1940-08-11"}`)
		for _, bad := range []string{"11.08.1940", "1940-8-11", "1940-02-30", "19400811"} {
			_, err := c.Candidates.Create(bg(), &idv.CandidateParams{DateOfBirth: &bad})
			require.Error(t, err, bad)
		}
		assert.Empty(t, *requests)
		candidate, err := c.Candidates.Create(bg(), &idv.CandidateParams{DateOfBirth: idv.Ptr("1940-08-11")})
		require.NoError(t, err)
		assert.Equal(t, `{"date_of_birth":"1940-08-11"}`, (*requests)[0].Body)
		assert.Equal(t, "1940-08-11", *candidate.DateOfBirth)
	})
	t.Run("R17 status valid and invalid; any other value survives", func(t *testing.T) {
		t.Parallel()
		for _, status := range []idv.Status{idv.StatusValid, idv.StatusInvalid, "pending_magic"} {
			c, _ := answering(t, 200, `{"status":"`+string(status)+`"}`)
			person, err := c.People.Get(bg(), "1")
			require.NoError(t, err)
			assert.Equal(t, status, person.Status)
		}
	})
	t.Run("R18 an invalid person is no error", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 201, `{"status":"invalid"}`)
		person, err := c.People.Create(bg(), validPerson())
		require.NoError(t, err)
		assert.Equal(t, idv.StatusInvalid, person.Status)
	})
	t.Run("R35 additive changes never break decoding and stay reachable", func(t *testing.T) {
		t.Parallel()
		c, _ := answering(t, 202, `{"id":"1","liveness":{"score":0.5},"details":{"selfie":"match","ofac":"later"},"status":"later","document_type":"later"}`)
		person, err := c.People.Create(bg(), validPerson())
		require.NoError(t, err)
		assert.JSONEq(t, `{"score":0.5}`, string(person.Extra()["liveness"]))
		assert.Contains(t, string(person.RawJSON()), `"selfie":"match"`)
		assert.Equal(t, idv.Match("later"), person.Details.OFAC)
	})
}

// assertFields checks that the type has a member for every row of a table of fields.
func assertFields(t *testing.T, table string, v any) {
	t.Helper()
	for line := range strings.SplitSeq(table, "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Field") {
			continue
		}
		for name := range strings.SplitSeq(strings.Split(line, " | ")[0][2:], ", ") {
			assert.True(t, encodes(t, v, name), name)
		}
	}
}

func encodes(t *testing.T, v any, member string) bool {
	t.Helper()
	out, err := json.Marshal(v)
	require.NoError(t, err)
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(out, &members))
	_, ok := members[member]
	return ok
}

func TestContractPaths(t *testing.T) {
	t.Parallel()
	t.Run("R19 all twelve paths are reachable", func(t *testing.T) {
		t.Parallel()
		ids := strings.NewReplacer("53ea7a8e3763370003010000", "{}", "53ea", "{}", "5410", "{}", "54c1", "{}")
		reached := map[string]bool{}
		for _, m := range methods(t) {
			c, requests := answering(t, m.status, m.answer)
			_, err := m.call(c)
			require.NoError(t, err)
			reached[ids.Replace((*requests)[0].Path)] = true
		}
		rows := contractRows(t, `(?m)^\| (/[a-z_/]+)(\{[A-Z_]+\})?(/[a-z]+)? \|`)
		require.Len(t, rows, 12)
		for _, row := range rows {
			id := ""
			if row[2] != "" {
				id = "{}"
			}
			assert.Contains(t, reached, "/v"+row[1]+id+row[3])
		}
	})
}

func TestContractQueries(t *testing.T) {
	t.Parallel()
	query := func(t *testing.T, p *idv.ListParams) map[string][]string {
		c, requests := answering(t, 200, `{"data":[]}`)
		_, err := c.QuestionSets.List(bg(), p)
		require.NoError(t, err)
		return (*requests)[0].Query
	}
	t.Run("R20 a filter on any attribute", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, map[string][]string{"filter[any_attribute]": {"a value, exactly"}}, query(t, &idv.ListParams{Filter: idv.Filter{"any_attribute": "a value, exactly"}}))
	})
	t.Run("R21 several filters", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, map[string][]string{"filter[a]": {"1"}, "filter[b]": {"2"}}, query(t, &idv.ListParams{Filter: idv.Filter{"a": "1", "b": "2"}}))
	})
	t.Run("R22 filter[q] is the fuzzy search", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, map[string][]string{"filter[q]": {"jon valé"}}, query(t, &idv.ListParams{Search: "jon valé"}))
	})
	t.Run("R23 gt, gte, lt, lte on any timestamp attribute", func(t *testing.T) {
		t.Parallel()
		at := func(s int64) time.Time { return time.Unix(s, 0) }
		all := idv.TimeRange{After: at(1), NotBefore: at(2), Before: at(3), NotAfter: at(4)}
		assert.Equal(t, map[string][]string{
			"created_at[gt]": {"1"}, "created_at[gte]": {"2"}, "created_at[lt]": {"3"}, "created_at[lte]": {"4"},
			"updated_at[gt]": {"1"}, "updated_at[gte]": {"2"}, "updated_at[lt]": {"3"}, "updated_at[lte]": {"4"},
			"seen_at[gt]": {"1"}, "seen_at[gte]": {"2"}, "seen_at[lt]": {"3"}, "seen_at[lte]": {"4"},
		}, query(t, &idv.ListParams{CreatedAt: all, UpdatedAt: all, Ranges: map[string]idv.TimeRange{"seen_at": all}}))
	})
	t.Run("R24 comparisons combine to a range, and with filters", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, map[string][]string{"created_at[gte]": {"1"}, "created_at[lt]": {"9"}, "filter[status]": {"valid"}, "filter[q]": {"x"}},
			query(t, &idv.ListParams{Filter: idv.Filter{"status": "valid"}, Search: "x", CreatedAt: idv.TimeRange{NotBefore: time.Unix(1, 0), Before: time.Unix(9, 0)}}))
	})
}

func TestContractErrors(t *testing.T) {
	t.Parallel()
	call := func(t *testing.T, status int, body string) error {
		c := newClient(t, func(*http.Request) (*http.Response, error) { return httpmock.NewStringResponse(status, body), nil }, idv.WithMaxRetries(0))
		_, err := c.People.Get(bg(), "1")
		return err
	}
	t.Run("R05 an invalid key is a typed error", func(t *testing.T) {
		t.Parallel()
		err := call(t, 401, `{"error":{"type":"invalid_request_error","message":"The supplied API key is invalid."}}`)
		assert.ErrorIs(t, err, idv.ErrUnauthorized)
		var e *idv.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, "The supplied API key is invalid.", e.Message)
	})
	t.Run("R25 200 and 201 are successes", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{200, 201} {
			assert.NoError(t, call(t, status, `{}`))
		}
	})
	t.Run("R26 400, 401, 402, 404 and 50X can be told apart", func(t *testing.T) {
		t.Parallel()
		for status, want := range map[int]error{400: idv.ErrValidation, 401: idv.ErrUnauthorized, 402: idv.ErrRequestFailed, 404: idv.ErrNotFound, 500: idv.ErrServer, 503: idv.ErrServer} {
			err := call(t, status, `{}`)
			for _, sentinel := range []error{idv.ErrValidation, idv.ErrUnauthorized, idv.ErrRequestFailed, idv.ErrNotFound, idv.ErrServer} {
				if sentinel == want {
					assert.ErrorIs(t, err, sentinel)
				} else {
					assert.NotErrorIs(t, err, sentinel)
				}
			}
		}
	})
	t.Run("R27 type, message, param and code are reachable", func(t *testing.T) {
		t.Parallel()
		var e *idv.Error
		require.ErrorAs(t, call(t, 400, `{"error":{"type":"invalid_request_error","param":"name_first","code":"is_invalid","message":"m"}}`), &e)
		assert.Equal(t, []string{"invalid_request_error", "name_first", "is_invalid", "m"}, []string{string(e.Type), e.Param, string(e.Code), e.Message})
	})
	t.Run("R28 two types, two codes, and any other survives", func(t *testing.T) {
		t.Parallel()
		for _, typ := range []idv.ErrorType{idv.ErrorTypeInvalidRequest, idv.ErrorTypeAPI, "later_error"} {
			for _, code := range []idv.ErrorCode{idv.ErrorCodeIsInvalid, idv.ErrorCodeCantBeBlank, "later"} {
				var e *idv.Error
				require.ErrorAs(t, call(t, 400, `{"error":{"type":"`+string(typ)+`","code":"`+string(code)+`"}}`), &e)
				assert.Equal(t, typ, e.Type)
				assert.Equal(t, code, e.Code)
			}
		}
	})
	t.Run("R32 the right answers of test mode", func(t *testing.T) {
		t.Parallel()
		var set idv.QuestionSet
		require.NoError(t, json.Unmarshal([]byte(fixture(t, "question_set")), &set))
		answers, err := idv.TestAnswers(&set)
		require.NoError(t, err)
		c, requests := answering(t, 201, fixture(t, "question_set"))
		_, err = c.QuestionSets.Score(bg(), set.ID, answers)
		require.NoError(t, err)
		assert.JSONEq(t, `{"answers":[{"question_id":1,"answer_id":2},{"question_id":2,"answer_id":4},{"question_id":3,"answer_id":5},{"question_id":4,"answer_id":1},{"question_id":5,"answer_id":3}]}`, (*requests)[0].Body)
	})
}
