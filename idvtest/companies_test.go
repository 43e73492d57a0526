package idvtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"example.com/idv/idvtest"
)

func TestCompanyIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	sent := company("incorporation_day", 25, "incorporation_month", "8", "incorporation_year", 1980, "incorporation_state", "DE",
		"dbas", "Engines, Gears", "registration_number", "R1", "email", "a@b.example", "url", "https://b.example",
		"phone_number", "+1 555 0100", "ip_address", "2001:db8::1", "note", "n", "address_street2", "Suite 4")
	created := a.post("/companies", sent)
	requireStatus(t, 201, created)
	want := attrs{
		"object": "company", "id": created.id(), "created_at": 1735689600.0, "updated_at": 1735689600.0, "status": "valid", "livemode": false,
		"details": attrs{
			"entity_name": "match", "tax_id": "match", "state": "match", "address": "match", "country_code": "match",
			"incorp_date": "match", "ofac": "no_match",
		},
	}
	for name, value := range sent {
		want[name] = value
	}
	want["incorporation_day"], want["incorporation_month"], want["incorporation_year"] = 25.0, 8.0, 1980.0
	assert.Equal(t, want, created.json)
	assert.Equal(t, created.json, a.get("/companies/"+created.id()).json)
}

func TestCompanyWithoutADate(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := a.post("/companies", company("incorporation_day", "", "incorporation_year", "1980", "ip_address", ""))
	requireStatus(t, 201, r)
	assert.Equal(t, []any{nil, nil, 1980.0, ""}, []any{
		r.json["incorporation_day"], r.json["incorporation_month"], r.json["incorporation_year"], r.json["ip_address"],
	})
}

func TestSeededCompany(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id := a.s.AddCompany(idvtest.Company{
		Status: "invalid", IncorporationYear: 1980, DBAs: "Gears", Details: map[string]string{"ofac": "match"},
	})
	c := a.get("/companies/" + id).json
	assert.Equal(t, []any{"invalid", 1980.0, nil, "Gears"}, []any{c["status"], c["incorporation_year"], c["incorporation_day"], c["dbas"]})
	assert.Equal(t, []any{"match", "mismatch"}, []any{c["details"].(attrs)["ofac"], c["details"].(attrs)["tax_id"]})
}
