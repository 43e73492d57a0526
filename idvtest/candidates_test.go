package idvtest_test

import (
	"encoding/json"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestCandidateNeedsNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := a.post("/candidates", attrs{})
	requireStatus(t, 201, r)
	assert.Equal(t, attrs{
		"object": "candidate", "id": r.id(), "created_at": 1735689600.0, "updated_at": 1735689600.0, "livemode": false,
		"note": nil, "ssn": nil, "passport": nil, "date_of_birth": nil, "name_first": nil, "name_middle": nil, "name_last": nil,
		"address_street1": nil, "address_street2": nil, "address_city": nil, "address_subdivision": nil,
		"address_postal_code": nil, "address_country_code": nil,
	}, r.json)
}

func TestCandidateUpdate(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	created := a.post("/candidates", attrs{"name_first": "Grace", "name_last": "Hopper", "date_of_birth": "1906-12-09"})
	path := "/candidates/" + created.id()
	a.s.Clock.Advance(time.Minute)

	t.Run("changes what is given, and updated_at", func(t *testing.T) {
		r := a.patch(path, attrs{"name_last": "Murray"})
		requireStatus(t, 200, r)
		want := maps.Clone(created.json)
		want["name_last"], want["updated_at"] = "Murray", 1735689660.0
		assert.Equal(t, want, r.json)
		assert.Equal(t, want, a.get(path).json)
	})

	t.Run("the empty string clears, null does not", func(t *testing.T) {
		r := a.patch(path, attrs{"date_of_birth": "", "name_first": nil})
		assert.Equal(t, []any{"", "Grace"}, []any{r.json["date_of_birth"], r.json["name_first"]})
	})

	t.Run("what cannot be written is ignored", func(t *testing.T) {
		r := a.patch(path, attrs{"id": "x", "object": "person", "livemode": true, "created_at": 1, "deleted": true, "shoe_size": 40})
		requireStatus(t, 200, r)
		assert.Equal(t, []any{created.id(), "candidate", false, 1735689600.0, nil},
			[]any{r.json["id"], r.json["object"], r.json["livemode"], r.json["created_at"], r.json["deleted"]})
	})

	t.Run("a refused change changes nothing", func(t *testing.T) {
		before := a.get(path).json
		requireStatus(t, 400, a.patch(path, attrs{"note": "new", "date_of_birth": "yesterday"}))
		assert.Equal(t, before, a.get(path).json)
	})
}

func TestCandidateHistory(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	created := a.post("/candidates", attrs{"note": "1"})
	path := "/candidates/" + created.id()
	history := func() (list []attrs) {
		require.NoError(t, json.Unmarshal(a.get(path+"/history").body, &list), "a bare array")
		return list
	}
	assert.Equal(t, []attrs{created.json}, history())
	second := a.patch(path, attrs{"note": "2"})
	third := a.patch(path, attrs{"note": "3"})
	assert.Equal(t, []attrs{third.json, second.json, created.json}, history())
	requireStatus(t, 404, a.get("/candidates/nobody/history"))
}

func TestCandidateDeleteIsSoft(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	c := a.post("/candidates", attrs{"note": "x"})
	path := "/candidates/" + c.id()
	deleted := maps.Clone(c.json)
	deleted["deleted"] = true
	for range 2 {
		r := a.delete(path)
		requireStatus(t, 200, r)
		assert.Equal(t, deleted, r.json)
	}
	assert.Equal(t, deleted, a.get(path).json)
	assert.Equal(t, true, a.patch(path, attrs{"note": "y"}).json["deleted"])
	requireData(t, a.get("/candidates"), "deleted", true)
	requireData(t, a.get("/candidates", "filter[deleted]", "true"), "id", c.id())
}

func TestWatchlistSearch(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	quill := a.post("/candidates", attrs{"name_first": "Zoltan", "name_last": "Quillfeather", "date_of_birth": "1940-08-11"}).id()
	search := func(pairs ...any) reply {
		return a.post("/watchlists", changed(attrs{"candidate_id": quill}, pairs))
	}
	names := func(r reply) (list []any) {
		for _, m := range r.json["matches"].([]any) {
			list = append(list, m.(attrs)["name_full"])
		}
		return list
	}

	t.Run("the envelope", func(t *testing.T) {
		r := search()
		requireStatus(t, 200, r)
		assert.ElementsMatch(t, []string{"livemode", "searched_lists", "count", "matches"}, memberNames(r.json))
		assert.Equal(t, []any{"US_SDN", "EU_CON", "UN_CON"}, r.json["searched_lists"])
		assert.Equal(t, []any{"Zoltan Quillfeather", "Zoltana Quillfeather"}, names(r))
		assert.Equal(t, 2.0, r.json["count"])
	})

	t.Run("a match, whole", func(t *testing.T) {
		match := search().json["matches"].([]any)[0].(attrs)
		assert.Regexp(t, "^ent_[0-9a-f]{24}$", match["id"])
		delete(match, "id")
		assert.Equal(t, attrs{
			"watchlist_name": "US_SDN", "entry_type": "individual", "matching_info": []any{"name", "date_of_birth"},
			"confidence": 1.0, "url": "https://watchlists.example/us-sdn/quillfeather", "notes": "Invented for tests.",
			"title": "Minister of Blots", "name_full": "Zoltan Quillfeather", "alternate_names": "Zoltan Kwilfeder; Z. Quillfeather",
			"date_of_birth": "1940-8-11", "passport": "QF0000777", "ssn": nil, "address_street1": "1 Inkwell Row",
			"address_street2": nil, "address_city": "Port Vellum", "address_state": nil, "address_postal_code": "00001",
			"address_country_code": "CU", "address_raw": "1 Inkwell Row, Port Vellum, 00001, CU",
			"names": []any{
				attrs{"name_primary": true, "name_full": "Zoltan Quillfeather", "name_strength": "high"},
				attrs{"name_primary": false, "name_full": "Zoltan Kwilfeder", "name_strength": "low"},
				attrs{"name_primary": false, "name_full": "Z. Quillfeather", "name_strength": "low"},
			},
			"births": []any{attrs{
				"birth_day": 11.0, "birth_month": 8.0, "birth_year": 1940.0,
				"birth_day_end": nil, "birth_month_end": nil, "birth_year_end": nil,
			}},
			"documents": []any{attrs{"document_type": "passport", "document_value": "QF0000777", "document_country_code": "CU"}},
			"addresses": []any{attrs{
				"address_street1": "1 Inkwell Row", "address_street2": nil, "address_city": "Port Vellum", "address_state": nil,
				"address_postal_code": "00001", "address_country_code": "CU", "address_full": "1 Inkwell Row, Port Vellum, 00001, CU",
			}},
		}, match)
	})

	t.Run("the threshold", func(t *testing.T) {
		confidence := search().json["matches"].([]any)[1].(attrs)["confidence"].(float64)
		assert.Less(t, confidence, 1.0)
		assert.Len(t, names(search("similarity_threshold", confidence)), 2, "a match may be exactly as similar")
		assert.Len(t, names(search("similarity_threshold", confidence+0.001)), 1)
		assert.Len(t, names(search("similarity_threshold", "1")), 1)
	})

	t.Run("the type of entry", func(t *testing.T) {
		firm := a.post("/candidates", attrs{"name_last": "Umbrella Turnip Trading Company"}).id()
		for _, row := range []struct {
			matchType         string
			people, companies int
		}{{"person", 2, 0}, {"company", 0, 1}, {"", 2, 1}} {
			assert.Len(t, names(search("match_type", row.matchType)), row.people, row.matchType)
			assert.Len(t, names(search("match_type", row.matchType, "candidate_id", firm)), row.companies, row.matchType)
		}
	})

	t.Run("candidates", func(t *testing.T) {
		requireStatus(t, 404, search("candidate_id", "nobody"))
		r := search("candidate_id", nil)
		requireStatus(t, 400, r)
		assert.Equal(t, []any{"candidate_id", "cant_be_blank"}, []any{errorOf(r)["param"], errorOf(r)["code"]})
		empty := search("candidate_id", a.post("/candidates", attrs{}).id(), "similarity_threshold", 0)
		assert.Equal(t, 0.0, empty.json["count"])
		assert.Equal(t, []any{}, empty.json["matches"])
	})

	t.Run("an identity number settles it", func(t *testing.T) {
		c := a.post("/candidates", attrs{"name_last": "Nobody", "ssn": "000556666"}).id()
		match := search("candidate_id", c).json["matches"].([]any)[0].(attrs)
		assert.Equal(t, []any{"Mirabel Oxenstaff", 1.0, []any{"ssn"}}, []any{match["name_full"], match["confidence"], match["matching_info"]})
	})
}

// Searches and hits spell identity numbers differently.
func TestIdentityNumbersOfHits(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithHitDelay(0))
	for _, row := range []struct{ kind, number, name string }{
		{"passport", "NG1234567", "Balthasar Nightingoat"}, {"ssn", "000556666", "Mirabel Oxenstaff"},
	} {
		c := a.post("/candidates", attrs{row.kind: row.number}).id()
		match := a.post("/watchlists", attrs{"candidate_id": c}).json["matches"].([]any)[0].(attrs)
		hit := a.get("/candidates/" + c + "/hits").data()[0]
		assert.Equal(t, []any{row.name, row.number}, []any{match["name_full"], match[row.kind]})
		assert.Equal(t, []any{row.name, row.kind, row.number}, []any{hit["name_full"], hit["id_type"], hit["id_value"]})
	}
}

func TestCandidateThatDoesNotExist(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithTLS())
	of := a.live().post("/candidates", attrs{}).id() // of the other mode
	for _, r := range []reply{
		a.get("/candidates/" + of), a.patch("/candidates/"+of, attrs{}), a.delete("/candidates/" + of),
		a.get("/candidates/" + of + "/history"), a.get("/candidates/" + of + "/hits"), a.post("/watchlists", attrs{"candidate_id": of}),
	} {
		requireStatus(t, 404, r)
		assert.Equal(t, "Candidate with id "+of+" could not be found", errorOf(r)["message"])
	}
}

func TestHitsComeLater(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithHitDelay(5*time.Second), idvtest.WithSanctioned(idvtest.SanctionedEntry{Name: "Custom Villain"}))
	c := a.post("/candidates", attrs{"name_first": "Custom", "name_last": "Vilain"}).id()
	match := a.post("/watchlists", attrs{"candidate_id": c}).json["matches"].([]any)[0].(attrs)
	hits := func() reply { return a.get("/candidates/" + c + "/hits") }
	assert.JSONEq(t, `{"object":"list","data":[]}`, string(hits().body))
	a.s.Clock.Advance(5 * time.Second)
	hit := hits().data()[0]
	for shared := range match {
		if shared != "watchlist_name" && shared != "passport" && shared != "ssn" {
			assert.Equal(t, match[shared], hit[shared], shared)
		}
	}
	assert.Equal(t, []any{"US_SDN", nil, nil, false}, []any{hit["list"], hit["id_type"], hit["id_value"], hit["livemode"]})
	assert.Len(t, hit, len(match)+1)

	a.post("/watchlists", attrs{"candidate_id": c})
	a.s.Clock.Advance(time.Minute)
	assert.Len(t, hits().data(), 1, "a second search finds nothing new")
}
