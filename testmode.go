package idv

import (
	"fmt"
	"slices"
	"strings"
)

// Inputs with outcomes that can be told beforehand, with a test key (contract: test mode).
const (
	// TestDocumentValid and TestDocumentInvalid are the last four digits of a document value, a Social Security Number
	// or any other, and stand for one by themselves.
	TestDocumentValid   = "0000"
	TestDocumentInvalid = "0001"
	// TestTaxIDValid and TestTaxIDInvalid are tax ids of companies.
	TestTaxIDValid   = "000000000"
	TestTaxIDInvalid = "000000001"
)

// testAnswer finds the right answer to a question of test mode.
type testAnswer struct {
	question string
	right    func(answer string) bool
}

// noneOfTheAbove is spelled None Of The Above on the wire (observed), and otherwise in the contract.
const noneOfTheAbove = "none of the above"

// testAnswers is the contract's table of right answers, in lower case.
func testAnswers() []testAnswer {
	is := func(want string) func(string) bool { return func(answer string) bool { return answer == want } }
	return []testAnswer{
		{"which one of the following addresses is associated with you?", func(a string) bool { return strings.HasSuffix(a, "colver rd") }},
		{"which one of the following area codes is associated with you?", is("812")},
		{"which one of the following counties is associated with you?", func(a string) bool { return slices.Contains(strings.Fields(a), "jasper") }},
		{"which one of the following zip codes is associated with you?", is("49230")},
		{"what state was your ssn issued in?", is(noneOfTheAbove)},
		{"which one of the following adult individuals is most closely associated with you?", is(noneOfTheAbove)},
	}
}

// TestAnswers finds the right answers to a question set that was made with a test key, in the order of its questions.
// Questions and answers are put in another order for each set, so they are found by their text, whatever its case: the
// street by its ending, and None of the above where the answer that the contract names is not offered.
//
// It returns a *ParamError for a nil set and one with a question that is none of the contract's six or offers no right
// answer; the error names the question by its id.
func TestAnswers(set *QuestionSet) ([]Answer, error) {
	if set == nil {
		return nil, &ParamError{Param: "set", Problem: "is nil"}
	}
	answers := make([]Answer, 0, len(set.Questions))
	for _, q := range set.Questions {
		choice, ok := rightChoice(q)
		if !ok {
			return nil, &ParamError{Param: fmt.Sprintf("question %d", q.ID), Problem: "is no question of test mode with a right answer"}
		}
		answers = append(answers, Answer{QuestionID: q.ID, AnswerID: choice})
	}
	return answers, nil
}

func rightChoice(q Question) (id int, ok bool) {
	for _, known := range testAnswers() {
		if !strings.EqualFold(strings.TrimSpace(q.Question), known.question) {
			continue
		}
		if id, ok := choose(q.Answers, known.right); ok {
			return id, true
		}
		return choose(q.Answers, func(a string) bool { return a == noneOfTheAbove })
	}
	return 0, false
}

func choose(choices []Choice, right func(string) bool) (id int, ok bool) {
	for _, c := range choices {
		if right(strings.ToLower(strings.TrimSpace(c.Answer))) {
			return c.ID, true
		}
	}
	return 0, false
}
