package idvtest

import "slices"

// noneOfTheAbove is the last answer of every question, in the spelling that was observed.
const noneOfTheAbove = "None Of The Above"

// testQuestion is one of the contract's six, with invented wrong answers. Where right is empty, none of the above is.
type testQuestion struct {
	question, right string
	wrong           []string
}

var testQuestions = []testQuestion{
	{
		"Which one of the following addresses is associated with you?", "309 Colver Rd",
		[]string{"123 Main St", "48 Harbor Ln", "7700 Foxglove Ave", "19 Tannery Ct", "2205 Juniper Way"},
	},
	{
		"Which one of the following area codes is associated with you?", "812",
		[]string{"207", "419", "503", "615", "941"},
	},
	{
		"Which one of the following counties is associated with you?", "Jasper",
		[]string{"Baxter", "Cochise", "Niagara", "Yolo", "Tioga"},
	},
	{
		"Which one of the following zip codes is associated with you?", "49230",
		[]string{"04101", "37206", "60614", "85003", "98052"},
	},
	{
		"What state was your SSN issued in?", "",
		[]string{"Alaska", "Delaware", "Kansas", "Montana", "Vermont"},
	},
	{
		"Which one of the following adult individuals is most closely associated with you?", "",
		[]string{"Orla Pemberwick", "Tobias Quillon", "Maren Ashgrove", "Felix Dunmorrow", "Greta Sandhollow"},
	},
}

const (
	questionsPerSet    = 5
	answersPerQuestion = 5
)

// drawQuestions takes five of the six in random order, and returns with them the number of the right answer of each.
func (a *rest) drawQuestions() (questions []object, solution []int) {
	drawn := slices.Clone(testQuestions)
	a.dice.shuffle(len(drawn), func(i, j int) { drawn[i], drawn[j] = drawn[j], drawn[i] })
	for i, q := range drawn[:questionsPerSet] {
		answers := a.drawAnswers(q)
		questions = append(questions, object{{"id", i + 1}, {"question", q.question}, {"answers", numbered(answers)}})
		right := slices.Index(answers, q.right)
		if right < 0 {
			right = len(answers) - 1
		}
		solution = append(solution, right+1)
	}
	return questions, solution
}

// drawAnswers mixes the right answer with wrong ones and ends with none of the above.
func (a *rest) drawAnswers(q testQuestion) []string {
	answers := slices.Clone(q.wrong)
	a.dice.shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
	answers = answers[:answersPerQuestion-1]
	if q.right != "" {
		answers[a.dice.intN(len(answers))] = q.right
	}
	return append(answers, noneOfTheAbove)
}

func numbered(answers []string) []object {
	list := make([]object, len(answers))
	for i, text := range answers {
		list[i] = object{{"id", i + 1}, {"answer", text}}
	}
	return list
}
