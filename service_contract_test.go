package idv_test

import (
	"fmt"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// start runs a service and a client for it.
func start(t *testing.T, opts ...idvtest.Option) (*idvtest.Server, *idv.Client) {
	t.Helper()
	service := idvtest.Start(t, opts...)
	c, err := idv.New(service.URL, service.TestKey)
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	return service, c
}

// The rows of the contract that take both sides: the client over real HTTP, the service as the contract has it.
func TestContractThroughTheService(t *testing.T) {
	t.Parallel()
	t.Run("R01 a path prefix of the base address", func(t *testing.T) {
		t.Parallel()
		service := idvtest.Start(t, idvtest.WithPathPrefix("/id/v4"))
		assert.Contains(t, service.URL, "/id/v4")
		c, err := idv.New(service.URL, service.TestKey)
		require.NoError(t, err)
		defer c.CloseIdleConnections()
		_, err = c.People.List(bg(), nil)
		assert.NoError(t, err)
	})
	t.Run("R04 and R05 the key lets in, another does not", func(t *testing.T) {
		t.Parallel()
		service, c := start(t)
		_, err := c.People.List(bg(), nil)
		require.NoError(t, err)
		other, err := idv.New(service.URL, service.TestKey+"x")
		require.NoError(t, err)
		defer other.CloseIdleConnections()
		_, err = other.People.List(bg(), nil)
		assert.ErrorIs(t, err, idv.ErrUnauthorized)
	})
	t.Run("R08 the key selects the mode", func(t *testing.T) {
		t.Parallel()
		service := idvtest.Start(t, idvtest.WithTLS())
		for key, livemode := range map[string]bool{service.TestKey: false, service.LiveKey: true} {
			c, err := idv.New(service.URL, key, idv.WithHTTPClient(service.HTTPClient()))
			require.NoError(t, err)
			person, err := c.People.Create(bg(), validPerson())
			require.NoError(t, err)
			assert.Equal(t, livemode, person.Livemode)
		}
		assert.Equal(t, 1, service.Billed(), "test mode bills nothing, live mode each verification")
	})
	t.Run("R16 a date of birth of another form is refused by the service too", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		_, err := c.Candidates.Create(bg(), &idv.CandidateParams{DateOfBirth: idv.Ptr("11.8.1940")}, idv.WithoutValidation())
		assert.ErrorIs(t, err, idv.ErrValidation)
	})
	t.Run("R18 an invalid person is an answer", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		p := validPerson()
		p.DocumentValue = idv.TestDocumentInvalid
		var answer idv.Response
		person, err := c.People.Create(bg(), p, idv.CaptureResponse(&answer))
		require.NoError(t, err)
		assert.Equal(t, idv.StatusInvalid, person.Status)
		assert.Equal(t, 201, answer.StatusCode)
	})
	t.Run("R19 all twelve paths", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		person, err := c.People.Create(bg(), validPerson())
		require.NoError(t, err)
		set, err := c.QuestionSets.Create(bg(), &idv.QuestionSetParams{PersonID: person.ID})
		require.NoError(t, err)
		company, err := c.Companies.Create(bg(), validCompany())
		require.NoError(t, err)
		candidate, err := c.Candidates.Create(bg(), &idv.CandidateParams{NameFirst: idv.Ptr("Jonas")})
		require.NoError(t, err)
		for path, call := range map[string]func() error{
			"/people":             func() error { _, err := c.People.List(bg(), nil); return err },
			"/people/{id}":        func() error { _, err := c.People.Get(bg(), person.ID); return err },
			"/question_sets":      func() error { _, err := c.QuestionSets.List(bg(), nil); return err },
			"/question_sets/{id}": func() error { _, err := c.QuestionSets.Get(bg(), set.ID); return err },
			"/question_sets/{id}/score": func() error {
				_, err := c.QuestionSets.Score(bg(), set.ID, []idv.Answer{{QuestionID: 1, AnswerID: 1}})
				return err
			},
			"/companies":       func() error { _, err := c.Companies.List(bg(), nil); return err },
			"/companies/{id}":  func() error { _, err := c.Companies.Get(bg(), company.ID); return err },
			"/candidates":      func() error { _, err := c.Candidates.List(bg(), nil); return err },
			"/candidates/{id}": func() error { _, err := c.Candidates.Get(bg(), candidate.ID); return err },
			"PATCH /candidates/{id}": func() error {
				_, err := c.Candidates.Update(bg(), candidate.ID, &idv.CandidateParams{Note: idv.Ptr("x")})
				return err
			},
			"/candidates/{id}/history": func() error { _, err := c.Candidates.History(bg(), candidate.ID); return err },
			"/candidates/{id}/hits":    func() error { _, err := c.Candidates.Hits(bg(), candidate.ID); return err },
			"/watchlists": func() error {
				_, err := c.Watchlists.Search(bg(), &idv.WatchlistSearchParams{CandidateID: candidate.ID})
				return err
			},
			"DELETE /candidates/{id}, twice": func() error {
				_, err := c.Candidates.Delete(bg(), candidate.ID)
				_, again := c.Candidates.Delete(bg(), candidate.ID)
				require.NoError(t, err)
				return again
			},
		} {
			assert.NoError(t, call(), path)
		}
	})
	t.Run("R26 what the client could not have refused", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		_, err := c.People.Get(bg(), "unknown")
		require.ErrorIs(t, err, idv.ErrNotFound)
		assert.ErrorContains(t, err, "Person with id unknown could not be found")
		_, err = c.People.List(bg(), &idv.ListParams{Filter: idv.Filter{"shoe_size": "43"}})
		require.ErrorIs(t, err, idv.ErrValidation)
		assert.ErrorContains(t, err, "Received unknown filter parameter: shoe_size")
		assert.ErrorIs(t, c.Call(bg(), "GET", "/nowhere", nil, nil, nil), idv.ErrNotFound)
	})
	t.Run("R28 and R29 the first missing field, by its name", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		_, err := c.People.Create(bg(), &idv.PersonParams{NameFirst: "John"}, idv.WithoutValidation())
		var e *idv.Error
		require.ErrorAs(t, err, &e)
		assert.Equal(t, idv.ErrorTypeInvalidRequest, e.Type)
		assert.Equal(t, idv.ErrorCodeCantBeBlank, e.Code)
		local := (&idv.PersonParams{NameFirst: "John"}).Validate()
		assert.EqualError(t, local, "idv: "+e.Param+" can't be blank", "both sides name the same one")
	})
	t.Run("R32 a randomised set is answered right", func(t *testing.T) {
		t.Parallel()
		_, c := start(t)
		person, err := c.People.Create(bg(), validPerson())
		require.NoError(t, err)
		for range 20 {
			set, err := c.QuestionSets.Create(bg(), &idv.QuestionSetParams{PersonID: person.ID})
			require.NoError(t, err)
			answers, err := idv.TestAnswers(set)
			require.NoError(t, err)
			scored, err := c.QuestionSets.Score(bg(), set.ID, answers)
			require.NoError(t, err)
			assert.Equal(t, 100.0, *scored.Score)
		}
	})
}

func TestContractListsThroughTheService(t *testing.T) {
	t.Parallel()
	day := func(i int) time.Time { return time.Date(2024, 5, 1+i, 12, 0, 0, 0, time.UTC) }
	service, c := start(t)
	service.AddPeople(9, func(i int) idvtest.Person {
		return idvtest.Person{ID: fmt.Sprint(i), NameFirst: "Ann", NameLast: []string{"Lee", "Lea", "Ray"}[i%3], Note: fmt.Sprint(i % 2), CreatedAt: day(i)}
	})
	ids := func(t *testing.T, p *idv.ListParams) []string {
		page, err := c.People.List(bg(), p)
		require.NoError(t, err)
		got := []string{}
		for _, person := range page.Data {
			got = append(got, person.ID)
		}
		assert.Equal(t, len(got), page.TotalCount)
		return got
	}
	t.Run("R09 and R10 the envelope and its times", func(t *testing.T) {
		t.Parallel()
		page, err := c.People.List(bg(), &idv.ListParams{Count: 4})
		require.NoError(t, err)
		assert.Equal(t, []any{"list", 9, true, 4}, []any{page.Object, page.TotalCount, page.HasMore, len(page.Data)})
		assert.Equal(t, day(8), page.Data[0].CreatedAt.Time)
	})
	t.Run("R20 a filter matches exactly", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, []string{"6", "3", "0"}, ids(t, &idv.ListParams{Filter: idv.Filter{"name_last": "Lee"}}))
		assert.Empty(t, ids(t, &idv.ListParams{Filter: idv.Filter{"name_last": "Le"}}))
	})
	t.Run("R21 several filters narrow", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, []string{"3"}, ids(t, &idv.ListParams{Filter: idv.Filter{"name_last": "Lee", "note": "1"}}))
	})
	t.Run("R22 a search is fuzzy", func(t *testing.T) {
		t.Parallel()
		assert.Subset(t, ids(t, &idv.ListParams{Search: "lee"}), []string{"0", "3", "6", "1", "4", "7"}, "Lea is similar to Lee")
	})
	t.Run("R23 the comparisons and their strictness", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, []string{"8", "7"}, ids(t, &idv.ListParams{CreatedAt: idv.TimeRange{After: day(6)}}))
		assert.Equal(t, []string{"8", "7", "6"}, ids(t, &idv.ListParams{CreatedAt: idv.TimeRange{NotBefore: day(6)}}))
		assert.Equal(t, []string{"1", "0"}, ids(t, &idv.ListParams{CreatedAt: idv.TimeRange{Before: day(2)}}))
		assert.Equal(t, []string{"2", "1", "0"}, ids(t, &idv.ListParams{CreatedAt: idv.TimeRange{NotAfter: day(2)}}))
		// a bound inside a second lets through what the same bound would in exact time
		assert.Equal(t, []string{"8", "7"}, ids(t, &idv.ListParams{CreatedAt: idv.TimeRange{NotBefore: day(6).Add(1)}}))
		assert.Equal(t, []string{"2", "1", "0"}, ids(t, &idv.ListParams{UpdatedAt: idv.TimeRange{Before: day(2).Add(1)}}))
	})
	t.Run("R24 a range with a filter", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, []string{"3"}, ids(t, &idv.ListParams{Filter: idv.Filter{"name_last": "Lee"}, CreatedAt: idv.TimeRange{After: day(0), Before: day(6)}}))
	})
}

func TestHitsAreFilledAfterASearch(t *testing.T) {
	t.Parallel()
	service, c := start(t)
	candidate, err := c.Candidates.Create(bg(), &idv.CandidateParams{NameFirst: idv.Ptr("Zoltan"), NameLast: idv.Ptr("Quillfeather")})
	require.NoError(t, err)
	search, err := c.Watchlists.Search(bg(), &idv.WatchlistSearchParams{CandidateID: candidate.ID})
	require.NoError(t, err)
	require.NotEmpty(t, search.Matches)
	hits, err := c.Candidates.Hits(bg(), candidate.ID)
	require.NoError(t, err)
	assert.Empty(t, hits, "an empty list right after a search is normal")
	service.Clock.Advance(time.Minute)
	hits, err = c.Candidates.Hits(bg(), candidate.ID)
	require.NoError(t, err)
	require.Len(t, hits, len(search.Matches))
	assert.Equal(t, search.Matches[0].WatchlistName, hits[0].List)
	assert.Equal(t, search.Matches[0].ID, hits[0].ID)
}
