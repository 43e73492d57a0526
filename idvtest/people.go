package idvtest

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

var personKind = newKind("person", "Person",
	"object", "id", "created_at", "updated_at", "status", "livemode", "phone_number", "ip_address",
	"birth_day", "birth_month", "birth_year", "name_first", "name_middle", "name_last",
	"address_street1", "address_street2", "address_city", "address_subdivision", "address_postal_code", "address_country_code",
	"document_type", "document_value", "note", "details", "question_sets",
).withMembers("details", "address", "address_risk", "identification", "date_of_birth", "ofac", "pep")

// personForm has the required parameters in the documented order.
var personForm = form{
	{"name_first", text, always},
	{"name_last", text, always},
	{"birth_day", between(1, 31), always},
	{"birth_month", between(1, 12), always},
	{"birth_year", between(1800, 9999), always},
	{"document_type", oneOf(documentTypes...), always},
	{"document_value", text, always},
	{"address_street1", text, always},
	{"address_city", text, always},
	{"address_subdivision", text, always},
	{"address_postal_code", text, byCountry},
	{"address_country_code", matching(isListedCountry), always},
	{"name_middle", text, never},
	{"address_street2", text, never},
	{"phone_number", text, never},
	{"ip_address", optional(ipAddress), never},
	{"note", text, never},
}

// personDetails are those of test mode, where they do not depend on the outcome (observed, not in the written contract).
var personDetails = object{
	{"address", "no_match"}, {"address_risk", "low"}, {"identification", "no_match"},
	{"date_of_birth", "not_found"}, {"ofac", "no_match"}, {"pep", "no_match"},
}

func isListedCountry(code string) bool {
	_, listed := countries[code]
	return listed
}

func (a *rest) createPerson(c *call) (any, error) {
	values, err := personForm.read(c.params)
	if err != nil {
		return nil, err
	}
	if err := checkPerson(values, a.clock.Now()); err != nil {
		return nil, err
	}
	p := a.newObject(personKind, c.live)
	p.putAll(values)
	p.put("status", statusOf(p.text("document_value"), "0001"))
	p.put("details", personDetails)
	p.put("question_sets", []string{})
	a.people.add(p)
	return p, nil
}

// checkPerson looks at what no field shows alone: the day of the calendar, and the document against the country's table row.
func checkPerson(values map[string]any, now time.Time) error {
	day, month, year := values["birth_day"].(int64), values["birth_month"].(int64), values["birth_year"].(int64)
	born, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", year, month, day))
	kind, number := values["document_type"].(string), values["document_value"].(string)
	switch {
	case err != nil:
		return invalid("birth_day")
	case born.After(now):
		return invalid("birth_year")
	case !countries[values["address_country_code"].(string)].supports(kind):
		return invalid("document_type")
	case kind == "ssn" && (!isDigits(number) || len(number) != 4 && len(number) != 9):
		return invalid("document_value")
	}
	return nil
}

// statusOf is the outcome of a verification. The contract has 0000 always valid and 0001 always invalid, and nothing on other
// values; here they are valid, in live mode too, which has no real data to look at.
func statusOf(value, invalidEnding string) string {
	if strings.HasSuffix(value, invalidEnding) {
		return "invalid"
	}
	return "valid"
}

// errInvalidPerson refuses a question set for someone whose verification failed (observed, not in the written contract).
var errInvalidPerson = &refusal{status: http.StatusBadRequest, message: "Id verification can't be invalid"}
