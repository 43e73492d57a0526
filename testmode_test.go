package idv_test

import (
	"encoding/json"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTestAnswersFindsTheRightOnes(t *testing.T) {
	t.Parallel()
	var set idv.QuestionSet
	require.NoError(t, json.Unmarshal([]byte(fixture(t, "question_set")), &set))
	answers, err := idv.TestAnswers(&set)
	require.NoError(t, err)
	assert.Equal(t, []idv.Answer{{QuestionID: 1, AnswerID: 2}, {QuestionID: 2, AnswerID: 4}, {QuestionID: 3, AnswerID: 5}, {QuestionID: 4, AnswerID: 1}, {QuestionID: 5, AnswerID: 3}}, answers)
}

func TestTestAnswersKnowsEveryQuestionOfTheContract(t *testing.T) {
	t.Parallel()
	example := map[string]string{
		"a street address ending in Colver Rd": "309 COLVER RD", "a county named Jasper": "Jasper County",
		"812": "812", "49230": "49230", "None of the above": "None Of The Above",
	}
	rows := contractRows(t, `(?m)^\| ((?:Which|What) .+\?) \| (.+) \|$`)
	require.Len(t, rows, 6)
	for _, row := range rows {
		require.Contains(t, example, row[2])
		set := &idv.QuestionSet{Questions: []idv.Question{{ID: 3, Question: row[1], Answers: []idv.Choice{{ID: 1, Answer: "x"}, {ID: 4, Answer: example[row[2]]}}}}}
		answers, err := idv.TestAnswers(set)
		require.NoError(t, err, row[1])
		assert.Equal(t, []idv.Answer{{QuestionID: 3, AnswerID: 4}}, answers)
	}
}

func TestTestAnswersTakesNoneOfTheAboveWhereTheRightOneIsNotOffered(t *testing.T) {
	t.Parallel()
	set := &idv.QuestionSet{Questions: []idv.Question{{ID: 1, Question: "Which one of the following area codes is associated with you?", Answers: []idv.Choice{{ID: 1, Answer: "312"}, {ID: 5, Answer: "None Of The Above"}}}}}
	answers, err := idv.TestAnswers(set)
	require.NoError(t, err)
	assert.Equal(t, []idv.Answer{{QuestionID: 1, AnswerID: 5}}, answers)
}

func TestTestAnswersRefuses(t *testing.T) {
	t.Parallel()
	_, err := idv.TestAnswers(nil)
	assert.EqualError(t, err, "idv: set is nil")
	_, err = idv.TestAnswers(&idv.QuestionSet{Questions: []idv.Question{{ID: 2, Question: "Who are you?"}}})
	assert.EqualError(t, err, "idv: question 2 is no question of test mode with a right answer")
	_, err = idv.TestAnswers(&idv.QuestionSet{Questions: []idv.Question{{ID: 2, Question: "What state was your SSN issued in?", Answers: []idv.Choice{{ID: 1, Answer: "Ohio"}}}}})
	assert.Error(t, err)
}
