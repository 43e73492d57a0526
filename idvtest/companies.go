package idvtest

import (
	"fmt"
	"time"
)

var companyKind = newKind("company", "Company",
	"object", "id", "created_at", "updated_at", "status", "livemode",
	"entity_name", "tax_id", "incorporation_day", "incorporation_month", "incorporation_year", "incorporation_state",
	"incorporation_country_code", "incorporation_type", "dbas", "registration_number", "email", "url", "phone_number", "ip_address",
	"note", "address_street1", "address_street2", "address_city", "address_subdivision", "address_postal_code",
	"address_country_code", "details",
).withMembers("details", "entity_name", "tax_id", "state", "address", "country_code", "incorp_date", "ofac")

// companyForm has the required parameters in the documented order (observed, not in the written contract).
var companyForm = form{
	{"entity_name", text, always},
	{"tax_id", digits, always},
	{"incorporation_country_code", countryCode, always},
	{"incorporation_type", oneOf("corporation", "llc", "partnership", "sp", "other"), always},
	{"address_street1", text, always},
	{"address_city", text, always},
	{"address_subdivision", text, always},
	{"address_postal_code", text, byCountry},
	{"address_country_code", countryCode, always},
	{"address_street2", text, never},
	{"incorporation_day", unset(between(1, 31)), never},
	{"incorporation_month", unset(between(1, 12)), never},
	{"incorporation_year", unset(between(1000, 9999)), never},
	{"incorporation_state", text, never},
	{"dbas", text, never},
	{"registration_number", text, never},
	{"email", text, never},
	{"url", text, never},
	{"phone_number", text, never},
	{"ip_address", optional(ipAddress), never},
	{"note", text, never},
}

func (a *rest) createCompany(c *call) (any, error) {
	values, err := companyForm.read(c.params)
	if err != nil {
		return nil, err
	}
	if !isIncorporationDate(values) {
		return nil, invalid("incorporation_day")
	}
	company := a.newObject(companyKind, c.live)
	company.putAll(values)
	status := companyStatus(company.text("tax_id"))
	company.put("status", status)
	company.put("details", companyDetails(status))
	a.companies.add(company)
	return company, nil
}

// isIncorporationDate reports whether a date that is given in full is a day of the calendar.
func isIncorporationDate(values map[string]any) bool {
	day, month, year := values["incorporation_day"], values["incorporation_month"], values["incorporation_year"]
	if day == nil || month == nil || year == nil {
		return true
	}
	_, err := time.Parse(time.DateOnly, fmt.Sprintf("%04d-%02d-%02d", year, month, day))
	return err == nil
}

// companyStatus is the outcome of a verification: invalid for the contract's one tax id, valid for its other one and for all else.
func companyStatus(taxID string) string {
	if taxID == "000000001" {
		return "invalid"
	}
	return "valid"
}

// companyDetails follow the status; only the set of values is known.
func companyDetails(status string) object {
	match := "match"
	if status == "invalid" {
		match = "mismatch"
	}
	return object{
		{"entity_name", match}, {"tax_id", match}, {"state", match}, {"address", match}, {"country_code", match},
		{"incorp_date", match}, {"ofac", "no_match"},
	}
}
