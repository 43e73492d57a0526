package idvtest

import (
	"net/http"
	"slices"
	"time"
)

var questionSetKind = newKind("question_set", "Question set",
	"object", "id", "created_at", "updated_at", "livemode", "person_id", "score", "expired", "time_limit", "questions",
)

var questionSetForm = form{
	{"person_id", text, always},
	{"time_limit", unset(between(0, 1<<31)), never},
}

// createQuestionSet makes a set for a valid person; there may be several for one.
func (a *rest) createQuestionSet(c *call) (any, error) {
	values, err := questionSetForm.read(c.params)
	if err != nil {
		return nil, err
	}
	person, err := a.people.find(values["person_id"].(string), c.live)
	if err != nil {
		return nil, err
	}
	if person.get("status") != "valid" {
		return nil, errInvalidPerson
	}
	limit, _ := values["time_limit"].(int64)
	set := a.newObject(questionSetKind, c.live)
	a.fillQuestionSet(set, person, time.Duration(limit)*time.Second, a.clock.Now())
	return set, nil
}

// fillQuestionSet draws the questions and files the set with its person, whose updated_at does not move.
func (a *rest) fillQuestionSet(set, person *record, limit time.Duration, from time.Time) {
	questions, solution := a.drawQuestions()
	var expires expiry
	if limit > 0 {
		expires = expiry(from.Add(limit).UnixMilli())
	}
	set.put("person_id", person.id)
	set.put("expired", expires)
	set.put("time_limit", int64(limit/time.Second))
	set.put("questions", questions)
	a.solutions[set.id] = solution
	sets, _ := person.get("question_sets").([]string)
	person.put("question_sets", slices.Insert(slices.Clone(sets), 0, set.id))
	a.questionSets.add(set)
}

var (
	errNoAnswers = &refusal{status: http.StatusBadRequest, message: "Answers should be an array of objects"}
	errExpired   = &refusal{status: http.StatusBadRequest, message: "Question set has expired"}
)

// scoreQuestionSet counts the right answers of five. What becomes of answers that come too late is not known; here they are refused.
func (a *rest) scoreQuestionSet(c *call) (any, error) {
	set, err := a.questionSets.find(c.id(), c.live)
	if err != nil {
		return nil, err
	}
	chosen, err := readAnswers(c.params["answers"])
	if err != nil {
		return nil, err
	}
	now := a.clock.Now()
	if set.get("expired").(expiry).passed(now.UnixMilli()) {
		return nil, errExpired
	}
	set.put("score", score(a.solutions[set.id], chosen))
	set.touch(now.Unix())
	return set, nil
}

// score gives a percentage: 20.0 for each right answer of five.
func score(solution []int, chosen map[int64]int64) percent {
	right := 0
	for i, answer := range solution {
		if chosen[int64(i+1)] == int64(answer) {
			right++
		}
	}
	return percent(100 * right / len(solution))
}

// readAnswers returns the answer chosen for each question, the last one if there are several. Ids outside the set count as wrong.
func readAnswers(given any) (map[int64]int64, error) {
	list, ok := given.([]any)
	if !ok {
		return nil, errNoAnswers
	}
	chosen := make(map[int64]int64, len(list))
	for _, element := range list {
		answer, ok := element.(params)
		if !ok {
			return nil, errNoAnswers
		}
		question, ok := integer(answer["question_id"])
		if !ok {
			return nil, invalid("question_id")
		}
		choice, ok := integer(answer["answer_id"])
		if !ok {
			return nil, invalid("answer_id")
		}
		chosen[question.(int64)] = choice.(int64)
	}
	return chosen, nil
}
