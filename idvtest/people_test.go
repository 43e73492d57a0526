package idvtest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestPersonIsAnsweredWhole(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	created := a.post("/people", person("ip_address", "", "note", nil, "name_middle", "King"))
	requireStatus(t, 201, created)
	assert.Regexp(t, "^[0-9a-f]{24}$", created.id())
	assert.Equal(t, attrs{
		"object": "person", "id": created.id(), "created_at": 1735689600.0, "updated_at": 1735689600.0, "status": "valid",
		"livemode": false, "phone_number": nil, "ip_address": "", "birth_day": 10.0, "birth_month": 12.0, "birth_year": 1985.0,
		"name_first": "Ada", "name_middle": "King", "name_last": "Lovelace", "address_street1": "1 Analytical Way",
		"address_street2": nil, "address_city": "Springfield", "address_subdivision": "IL", "address_postal_code": "62701",
		"address_country_code": "US", "document_type": "ssn", "document_value": "0000", "note": nil, "question_sets": []any{},
		"details": attrs{
			"address": "no_match", "address_risk": "low", "identification": "no_match", "date_of_birth": "not_found",
			"ofac": "no_match", "pep": "no_match",
		},
	}, created.json)
	assert.Equal(t, created.json, a.get("/people/"+created.id()).json)
	assert.Equal(t, []attrs{created.json}, a.get("/people").data())
}
