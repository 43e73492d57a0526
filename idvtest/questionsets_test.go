package idvtest_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestQuestionSetIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.post("/people", person()).id()
	first := a.post("/question_sets", attrs{"person_id": p})
	requireStatus(t, 201, first)
	assert.Equal(t, []string{
		"created_at", "expired", "id", "livemode", "object", "person_id", "questions", "score", "time_limit", "updated_at",
	}, memberNames(first.json))
	assert.Equal(t, []any{"question_set", p, nil, false, 0.0, false}, []any{
		first.json["object"], first.json["person_id"], first.json["score"], first.json["expired"], first.json["time_limit"], first.json["livemode"],
	})
	assert.Equal(t, first.json, a.get("/question_sets/"+first.id()).json)

	second := a.post("/question_sets", attrs{"person_id": p})
	owner := a.get("/people/" + p)
	assert.Equal(t, []any{second.id(), first.id()}, owner.json["question_sets"], "newest first")
	assert.Equal(t, owner.json["created_at"], owner.json["updated_at"])
}

func TestQuestionSetNeedsAValidPerson(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	invalid := a.post("/question_sets", attrs{"person_id": a.post("/people", person("document_value", "0001")).id()})
	requireStatus(t, 400, invalid)
	assert.JSONEq(t, `{"error":{"type":"invalid_request_error","message":"Id verification can't be invalid"}}`, string(invalid.body))
	requireStatus(t, 404, a.post("/question_sets", attrs{"person_id": "nobody"}))
	assert.Equal(t, "cant_be_blank", errorOf(a.post("/question_sets", attrs{}))["code"])
}

func TestQuestionSetExpires(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	p := a.post("/people", person()).id()
	set := a.post("/question_sets", attrs{"person_id": p, "time_limit": 2})
	assert.Equal(t, []any{2.0, false}, []any{set.json["time_limit"], set.json["expired"]})
	a.s.Clock.Advance(2*time.Second - time.Millisecond)
	assert.Equal(t, false, a.get("/question_sets/" + set.id()).json["expired"])
	requireData(t, a.get("/question_sets", "filter[expired]", "true"), "id")
	a.s.Clock.Advance(time.Millisecond)
	assert.Equal(t, true, a.get("/question_sets/" + set.id()).json["expired"])
	requireData(t, a.get("/question_sets", "filter[expired]", "true"), "id", set.id())
	late := a.post("/question_sets/"+set.id()+"/score", attrs{"answers": []attrs{}})
	requireStatus(t, 400, late)
	assert.Equal(t, "Question set has expired", errorOf(late)["message"])
}

func TestScoreNeedsAnswers(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	set := a.post("/question_sets", attrs{"person_id": a.post("/people", person()).id()}).id()
	score := func(answers any) reply {
		return a.post("/question_sets/"+set+"/score", attrs{"answers": answers})
	}
	for _, answers := range []any{nil, "1", attrs{"question_id": 1}, []any{1}, []any{nil}} {
		r := score(answers)
		requireStatus(t, 400, r)
		assert.Equal(t, "Answers should be an array of objects", errorOf(r)["message"])
	}
	r := score([]attrs{{"question_id": "one", "answer_id": 1}})
	assert.Equal(t, []any{"question_id", "is_invalid"}, []any{errorOf(r)["param"], errorOf(r)["code"]})
	assert.Nil(t, a.get("/question_sets/" + set).json["score"])
	requireStatus(t, 404, a.post("/question_sets/none/score", attrs{"answers": []attrs{}}))

	a.s.Clock.Advance(time.Second)
	scored := score([]attrs{{"question_id": 77, "answer_id": 1}})
	requireStatus(t, 201, scored)
	assert.Equal(t, scored.json["created_at"].(float64)+1, scored.json["updated_at"])
	assert.Equal(t, scored.json, a.get("/question_sets/"+set).json)
	for text, found := range map[string]int{"0.0": 1, "0": 1, "20.0": 0, "none": 0, "": 0} {
		assert.Equal(t, found, a.get("/question_sets", "filter[score]", text).total(), text)
	}
	assert.Equal(t, 1, a.get("/question_sets", "filter[q]", "asociated").total(), "the text of a question")
}
