package idvtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/idv/idvtest"
)

func TestSeeds(t *testing.T) {
	t.Parallel()

	t.Run("a person that is not described looks like any other", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		seeded := a.get("/people/" + a.s.AddPerson(idvtest.Person{})).json
		created := a.post("/people", person("name_last", "Example")).json
		delete(seeded, "id")
		delete(created, "id")
		assert.Equal(t, created, seeded)
	})

	t.Run("a company that is not described looks like any other", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		seeded := a.get("/companies/" + a.s.AddCompany(idvtest.Company{Address: idvtest.Address{Street1: "2 Cogwheel Sq"}})).json
		created := a.post("/companies", company("entity_name", "Example Engines Inc")).json
		delete(seeded, "id")
		delete(created, "id")
		assert.Equal(t, created, seeded)
	})

	t.Run("a candidate that is not described is empty", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		seeded := a.get("/candidates/" + a.s.AddCandidate(idvtest.Candidate{})).json
		created := a.post("/candidates", attrs{}).json
		delete(seeded, "id")
		delete(created, "id")
		assert.Equal(t, created, seeded)
	})

	t.Run("a person as described", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		a.s.AddPerson(idvtest.Person{
			ID: "p1", CreatedAt: at(1), UpdatedAt: at(2), Status: "invalid", NameMiddle: "King", Note: "n",
			Address: idvtest.Address{Street2: "2nd floor"}, Details: map[string]string{"pep": "match", "moon_phase": "full"}, QuestionSets: 2,
		})
		p := a.get("/people/p1").json
		assert.Equal(t, []any{"p1", float64(at(1).Unix()), float64(at(2).Unix()), "invalid", "King", "n", "2nd floor"}, []any{
			p["id"], p["created_at"], p["updated_at"], p["status"], p["name_middle"], p["note"], p["address_street2"],
		})
		assert.Equal(t, attrs{
			"address": "no_match", "address_risk": "low", "identification": "no_match", "date_of_birth": "not_found",
			"ofac": "no_match", "pep": "match", "moon_phase": "full",
		}, p["details"])
		assert.Len(t, p["question_sets"], 2)
		requireData(t, a.get("/question_sets", "filter[person_id]", "p1"), "created_at", p["created_at"], p["created_at"])
	})

	t.Run("an id that is taken is replaced", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		a.s.AddCandidate(idvtest.Candidate{ID: "c", Note: "old"})
		a.s.AddCandidate(idvtest.Candidate{ID: "c", Note: "new", Deleted: true})
		requireData(t, a.get("/candidates"), "note", "new")
		assert.Equal(t, true, a.get("/candidates/c").json["deleted"])
	})

	t.Run("live objects are live, and cost nothing", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t, idvtest.WithTLS())
		a.s.AddPeople(2, func(int) idvtest.Person { return idvtest.Person{Live: true} })
		a.s.AddCompanies(3, func(int) idvtest.Company { return idvtest.Company{Live: true} })
		assert.Equal(t, []int{2, 3}, []int{a.live().get("/people").total(), a.live().get("/companies").total()})
		assert.Zero(t, a.get("/people").total())
		assert.Zero(t, a.s.Billed())
		assert.Empty(t, a.s.Executions()["POST /people"])
	})

	t.Run("many, with their ids", func(t *testing.T) {
		t.Parallel()
		a := newAPI(t)
		ids := a.s.AddCandidates(3, func(i int) idvtest.Candidate { return idvtest.Candidate{CreatedAt: at(i)} })
		requireData(t, a.get("/candidates"), "id", ids[2], ids[1], ids[0])
		assert.Empty(t, a.s.AddCandidates(-1, nil))
	})
}
