package idvtest_test

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/idv/idvtest"
)

// at is a moment n seconds after some midnight; the seeds of these tests are one second apart.
func at(n int) time.Time { return time.Date(2024, 6, 1, 0, 0, n, 0, time.UTC) }

func unix(n int) string { return strconv.FormatInt(at(n).Unix(), 10) }

func TestContractServiceFilters(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.AddPerson(idvtest.Person{ID: "a", CreatedAt: at(1), NameFirst: "Ada", BirthYear: 1980, Note: "vip", Details: map[string]string{"ofac": "match"}})
	a.s.AddPerson(idvtest.Person{ID: "b", CreatedAt: at(2), NameFirst: "ada", BirthYear: 1980, Status: "invalid"})
	a.s.AddPerson(idvtest.Person{ID: "c", CreatedAt: at(3), NameFirst: "Ada Augusta", BirthYear: 1981, QuestionSets: 1})
	set := a.get("/question_sets").all("id")[0].(string)

	for _, row := range []struct {
		name  string
		query []string
		want  []any
	}{
		{"a text", []string{"filter[name_first]", "Ada"}, []any{"a"}},
		{"the case counts", []string{"filter[name_first]", "ada"}, []any{"b"}},
		{"no prefix", []string{"filter[name_first]", "Ad"}, []any{}},
		{"a number", []string{"filter[birth_year]", "1980"}, []any{"b", "a"}},
		{"a number is no text", []string{"filter[birth_year]", "01980"}, []any{}},
		{"a boolean", []string{"filter[livemode]", "false"}, []any{"c", "b", "a"}},
		{"the other boolean", []string{"filter[livemode]", "true"}, []any{}},
		{"a nullable attribute", []string{"filter[note]", "vip"}, []any{"a"}},
		{"null by the empty text", []string{"filter[note]", ""}, []any{"c", "b"}},
		{"null is not a word", []string{"filter[note]", "null"}, []any{}},
		{"the id", []string{"filter[id]", "b"}, []any{"b"}},
		{"a timestamp", []string{"filter[created_at]", unix(2)}, []any{"b"}},
		{"the kind", []string{"filter[object]", "person"}, []any{"c", "b", "a"}},
		{"a member of details", []string{"filter[details][ofac]", "match"}, []any{"a"}},
		{"an element of a list", []string{"filter[question_sets]", set}, []any{"c"}},
	} {
		t.Run("R20 a filter matches exactly: "+row.name, func(t *testing.T) {
			requireData(t, a.get("/people", row.query...), "id", row.want...)
		})
	}

	t.Run("R21 several filters narrow", func(t *testing.T) {
		requireData(t, a.get("/people", "filter[birth_year]", "1980", "filter[status]", "valid"), "id", "a")
		requireData(t, a.get("/people", "filter[birth_year]", "1981", "filter[status]", "invalid"), "id")
	})

	t.Run("R20 every attribute of every kind can be asked for", func(t *testing.T) {
		a.post("/companies", company())
		a.post("/candidates", attrs{"note": "x"})
		for _, path := range []string{"/people", "/companies", "/candidates", "/question_sets"} {
			for attribute := range a.get(path).data()[0] {
				requireStatus(t, 200, a.get(path, "filter["+attribute+"]", "x"))
			}
		}
	})

	t.Run("R20 an attribute that does not exist is refused", func(t *testing.T) {
		for _, name := range []string{"nickname", "details[shoe_size]", "name_first[x]"} {
			r := a.get("/people", "filter["+name+"]", "x")
			requireStatus(t, 400, r)
		}
		r := a.get("/people", "filter[nickname]", "Countess")
		assert.JSONEq(t, `{"error":{"type":"invalid_request_error","message":"Received unknown filter parameter: nickname",
			"param":"nickname"}}`, string(r.body))
	})
}

func TestContractServiceSearch(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.AddPerson(idvtest.Person{ID: "ada", CreatedAt: at(1), NameFirst: "Augusta", NameLast: "Lovelace", BirthYear: 1815})
	a.s.AddPerson(idvtest.Person{ID: "lowe", CreatedAt: at(2), NameFirst: "Augusta", NameLast: "Lovelacks", Note: "Peterson's friend"})
	a.s.AddPerson(idvtest.Person{ID: "bob", CreatedAt: at(3), NameFirst: "Bob", NameLast: "Żółw", Address: idvtest.Address{City: "Gdańsk"}})

	for _, row := range []struct {
		name, search string
		want         []any
	}{
		{"as it is", "Lovelace", []any{"ada", "lowe"}},
		{"in another case", "LOVELACE", []any{"ada", "lowe"}},
		{"with a letter left out", "Lovlace", []any{"ada"}},
		{"with two letters swapped", "Lovealce", []any{"ada"}},
		{"with two letters wrong", "Luvelase", []any{"ada"}},
		{"with three letters wrong", "Luvilase", []any{}},
		{"the best match first", "lovelacks", []any{"lowe", "ada"}},
		{"words in another order", "lovelace augusta", []any{"ada", "lowe"}},
		{"all words must be there", "lovelace bob", []any{}},
		{"any attribute", "peterson", []any{"lowe"}},
		{"numbers", "1815", []any{"ada"}},
		{"letters of any alphabet", "żółw gdansk", []any{"bob"}},
		{"short words are exact", "bo", []any{}},
		{"nothing but blanks finds all", "  ", []any{"bob", "lowe", "ada"}},
	} {
		t.Run("R22 a fuzzy search finds "+row.name, func(t *testing.T) {
			requireData(t, a.get("/people", "filter[q]", row.search), "id", row.want...)
		})
	}

	t.Run("R22 a search narrows with filters and ranges", func(t *testing.T) {
		requireData(t, a.get("/people", "filter[q]", "augusta", "filter[name_last]", "Lovelace"), "id", "ada")
		requireData(t, a.get("/people", "filter[q]", "augusta", "created_at[gt]", unix(1)), "id", "lowe")
	})

	t.Run("R22 a search sees what has changed", func(t *testing.T) {
		c := a.post("/candidates", attrs{"name_first": "Grace"}).id()
		requireData(t, a.get("/candidates", "filter[q]", "Grace"), "id", c)
		a.patch("/candidates/"+c, attrs{"name_first": "Hopper"})
		requireData(t, a.get("/candidates", "filter[q]", "Grace"), "id")
		requireData(t, a.get("/candidates", "filter[q]", "Hoper"), "id", c)
	})
}

func TestContractServiceRanges(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for i := 1; i <= 5; i++ {
		a.s.AddCandidate(idvtest.Candidate{ID: fmt.Sprint(i), CreatedAt: at(i), UpdatedAt: at(10 * i), Note: fmt.Sprint("n", i%2)})
	}
	for _, row := range []struct {
		name  string
		query []string
		want  []any
	}{
		{"R23 gt is strict", []string{"created_at[gt]", unix(4)}, []any{"5"}},
		{"R23 gte is not", []string{"created_at[gte]", unix(4)}, []any{"5", "4"}},
		{"R23 lt is strict", []string{"created_at[lt]", unix(2)}, []any{"1"}},
		{"R23 lte is not", []string{"created_at[lte]", unix(2)}, []any{"2", "1"}},
		{"R23 updated_at gt", []string{"updated_at[gt]", unix(40)}, []any{"5"}},
		{"R23 updated_at gte", []string{"updated_at[gte]", unix(40)}, []any{"5", "4"}},
		{"R23 updated_at lt", []string{"updated_at[lt]", unix(20)}, []any{"1"}},
		{"R23 updated_at lte", []string{"updated_at[lte]", unix(20)}, []any{"2", "1"}},
		{"R24 a range", []string{"created_at[gt]", unix(1), "created_at[lte]", unix(3)}, []any{"3", "2"}},
		{"R24 two lower bounds", []string{"created_at[gt]", unix(1), "created_at[gte]", unix(4)}, []any{"5", "4"}},
		{"R24 a range that holds nothing", []string{"created_at[gt]", unix(3), "created_at[lt]", unix(4)}, []any{}},
		{"R24 a range upside down", []string{"created_at[gt]", unix(4), "created_at[lt]", unix(2)}, []any{}},
		{"R24 ranges of two attributes", []string{"created_at[gte]", unix(2), "updated_at[lt]", unix(40)}, []any{"3", "2"}},
		{"R24 a range and a filter", []string{"created_at[lte]", unix(4), "filter[note]", "n0"}, []any{"4", "2"}},
		{"R23 the greatest number", []string{"created_at[gt]", "9223372036854775807"}, []any{}},
		{"R23 the least number", []string{"created_at[lt]", "-9223372036854775808"}, []any{}},
	} {
		t.Run(row.name, func(t *testing.T) {
			requireData(t, a.get("/candidates", row.query...), "id", row.want...)
		})
	}

	t.Run("R23 an unknown comparison is refused, with the word as param", func(t *testing.T) {
		r := a.get("/candidates", "created_at[gtx]", "1")
		requireStatus(t, 400, r)
		assert.Equal(t, attrs{
			"type": "invalid_request_error", "message": "Received unknown filter directive: gtx", "param": "gtx",
		}, errorOf(r))
		assert.Equal(t, "is_invalid", errorOf(a.get("/candidates", "created_at[gt]", "yesterday"))["code"])
	})
}

func TestContractServiceQuestionSets(t *testing.T) {
	t.Parallel()
	right := map[string]string{
		"Which one of the following addresses is associated with you?":                      "309 Colver Rd",
		"Which one of the following area codes is associated with you?":                     "812",
		"Which one of the following counties is associated with you?":                       "Jasper",
		"Which one of the following zip codes is associated with you?":                      "49230",
		"What state was your SSN issued in?":                                                "None Of The Above",
		"Which one of the following adult individuals is most closely associated with you?": "None Of The Above",
	}
	a := newAPI(t)
	p := a.post("/people", person()).id()
	orders, places, asked := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for range 40 {
		r := a.post("/question_sets", attrs{"person_id": p})
		requireStatus(t, 201, r)
		var answers []attrs
		order := ""
		for i, q := range r.json["questions"].([]any) {
			question := q.(attrs)
			text := question["question"].(string)
			asked[text], order = true, order+text
			assert.Equal(t, float64(i+1), question["id"])
			list := question["answers"].([]any)
			assert.Len(t, list, 5)
			assert.Equal(t, "None Of The Above", list[4].(attrs)["answer"])
			for _, answer := range list {
				if answer.(attrs)["answer"] == right[text] {
					places[fmt.Sprint(text, answer.(attrs)["id"])] = true
					answers = append(answers, attrs{"question_id": question["id"], "answer_id": answer.(attrs)["id"]})
				}
			}
		}
		assert.Len(t, answers, 5, "the right answer is among those of each of the five questions, once")
		orders[order] = true
		scored := a.post("/question_sets/"+r.id()+"/score", attrs{"answers": answers})
		assert.Contains(t, string(scored.body), `"score":100.0,`)
	}

	t.Run("R32 questions and answers are in random order", func(t *testing.T) {
		assert.Len(t, asked, 6)
		assert.Greater(t, len(orders), 20)
		assert.Greater(t, len(places), 6)
	})

	t.Run("R32 each right answer of five is worth twenty", func(t *testing.T) {
		set := a.post("/question_sets", attrs{"person_id": p})
		var answers []attrs
		for range 5 {
			answers = append(answers, attrs{"question_id": len(answers) + 1, "answer_id": 99})
		}
		assert.Contains(t, string(a.post("/question_sets/"+set.id()+"/score", attrs{"answers": answers}).body), `"score":0.0,`)
		first := set.json["questions"].([]any)[0].(attrs)
		for _, answer := range first["answers"].([]any) {
			if answer.(attrs)["answer"] == right[first["question"].(string)] {
				answers[0]["answer_id"] = answer.(attrs)["id"]
			}
		}
		scored := a.post("/question_sets/"+set.id()+"/score", attrs{"answers": answers})
		assert.Contains(t, string(scored.body), `"score":20.0,`)
	})
}
