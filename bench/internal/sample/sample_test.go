package sample_test

import (
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"example.com/idv/bench/internal/sample"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPersonHasTheMembersOfTheContract(t *testing.T) {
	t.Parallel()
	var members map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(sample.PersonJSON(), &members))
	assert.Len(t, members, 25)

	var p sample.Person
	require.NoError(t, json.Unmarshal(sample.PersonJSON(), &p))
	again, err := json.Marshal(p)
	require.NoError(t, err)
	assert.JSONEq(t, string(sample.PersonJSON()), string(again), "no member is lost")
}

func TestPeopleAreAsMany(t *testing.T) {
	t.Parallel()
	var page sample.People
	require.NoError(t, json.Unmarshal(sample.PeopleJSON(100), &page))
	require.Len(t, page.Data, 100)
	assert.NotEqual(t, page.Data[0].ID, page.Data[99].ID)
	assert.InDelta(t, 735, len(sample.PeopleJSON(100))/100, 50, "the size of a recorded person")
}

func TestAnswersTakeTurnsAndHaveOneSize(t *testing.T) {
	t.Parallel()
	bodies := sample.PersonJSONs()
	answers := sample.Successes(bodies...)
	seen := map[string]bool{}
	for range bodies {
		resp, err := answers.RoundTrip(&http.Request{})
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.Len(t, body, len(bodies[0]))
		seen[string(body)] = true
	}
	assert.Len(t, seen, sample.Variety)
	assert.NotEqual(t, sample.PeopleJSONs(100)[0], sample.PeopleJSONs(100)[1])
}
