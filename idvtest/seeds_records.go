package idvtest

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

func (p Person) addTo(a *rest) *record {
	r := a.seededRecord(personKind, p.ID, p.Live, p.CreatedAt, p.UpdatedAt)
	r.put("status", cmp.Or(p.Status, "valid"))
	r.put("name_first", cmp.Or(p.NameFirst, "Ada"))
	r.putText("name_middle", p.NameMiddle)
	r.put("name_last", cmp.Or(p.NameLast, "Example"))
	r.put("birth_day", int64(cmp.Or(p.BirthDay, 10)))
	r.put("birth_month", int64(cmp.Or(p.BirthMonth, 12)))
	r.put("birth_year", int64(cmp.Or(p.BirthYear, 1985)))
	r.put("document_type", cmp.Or(p.DocumentType, "ssn"))
	r.put("document_value", cmp.Or(p.DocumentValue, "0000"))
	r.putText("phone_number", p.PhoneNumber)
	r.putText("ip_address", p.IPAddress)
	r.putText("note", p.Note)
	r.putAddress(p.Address.completed())
	r.put("details", personDetails.replaced(p.Details))
	r.put("question_sets", []string{})
	a.people.add(r)
	for range p.QuestionSets {
		created := time.Unix(r.created, 0)
		set := a.seededRecord(questionSetKind, "", p.Live, created, created)
		a.fillQuestionSet(set, r, 0, created)
	}
	return r
}

func (c Company) addTo(a *rest) *record {
	r := a.seededRecord(companyKind, c.ID, c.Live, c.CreatedAt, c.UpdatedAt)
	status := cmp.Or(c.Status, "valid")
	r.put("status", status)
	r.put("entity_name", cmp.Or(c.EntityName, "Example Engines Inc"))
	r.put("tax_id", cmp.Or(c.TaxID, "000000000"))
	r.putNumber("incorporation_day", c.IncorporationDay)
	r.putNumber("incorporation_month", c.IncorporationMonth)
	r.putNumber("incorporation_year", c.IncorporationYear)
	r.putText("incorporation_state", c.IncorporationState)
	r.put("incorporation_country_code", cmp.Or(c.IncorporationCountryCode, "US"))
	r.put("incorporation_type", cmp.Or(c.IncorporationType, "corporation"))
	r.putText("dbas", c.DBAs)
	r.putText("registration_number", c.RegistrationNumber)
	r.putText("email", c.Email)
	r.putText("url", c.URL)
	r.putText("phone_number", c.PhoneNumber)
	r.putText("ip_address", c.IPAddress)
	r.putText("note", c.Note)
	r.putAddress(c.Address.completed())
	r.put("details", companyDetails(status).replaced(c.Details))
	a.companies.add(r)
	return r
}

func (c Candidate) addTo(a *rest) *record {
	r := a.seededRecord(candidateKind, c.ID, c.Live, c.CreatedAt, c.UpdatedAt)
	if c.Deleted {
		r.put("deleted", true)
	}
	r.putText("note", c.Note)
	r.putText("ssn", c.SSN)
	r.putText("passport", c.Passport)
	r.putText("date_of_birth", c.DateOfBirth)
	r.putText("name_first", c.NameFirst)
	r.putText("name_middle", c.NameMiddle)
	r.putText("name_last", c.NameLast)
	r.putAddress(c.Address)
	a.candidates.add(r)
	return r
}

// completed fills in what the API requires of people and companies.
func (a Address) completed() Address {
	a.Street1 = cmp.Or(a.Street1, "1 Analytical Way")
	a.City = cmp.Or(a.City, "Springfield")
	a.Subdivision = cmp.Or(a.Subdivision, "IL")
	a.PostalCode = cmp.Or(a.PostalCode, "62701")
	a.CountryCode = cmp.Or(a.CountryCode, "US")
	return a
}

func (r *record) putAddress(a Address) {
	r.putText("address_street1", a.Street1)
	r.putText("address_street2", a.Street2)
	r.putText("address_city", a.City)
	r.putText("address_subdivision", a.Subdivision)
	r.putText("address_postal_code", a.PostalCode)
	r.putText("address_country_code", a.CountryCode)
}

// putText sets a text, or null for an empty one.
func (r *record) putText(name, text string) { r.put(name, orNull(text)) }

// putNumber sets a number, or null for 0.
func (r *record) putNumber(name string, n int) {
	if n != 0 {
		r.put(name, int64(n))
	}
}

// replaced is the object with other values for some of its members; names it does not have are added.
func (o object) replaced(values map[string]string) object {
	o = slices.Clone(o)
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.IndexFunc(o, func(m member) bool { return m.name == name })
		if i < 0 {
			o = o.with(name, values[name])
		} else {
			o[i].value = values[name]
		}
	}
	return o
}
