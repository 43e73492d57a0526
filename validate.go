package idv

import (
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// check collects the first problem, as the service does: a validation error names one field only (contract: errors).
type check struct{ err error }

func (c *check) that(ok bool, param, problem string) {
	if c.err == nil && !ok {
		c.err = &ParamError{Param: param, Problem: problem}
	}
}

func (c *check) present(param, value string) {
	c.that(strings.TrimSpace(value) != "", param, "can't be blank")
}

func (c *check) address(param, value string) {
	_, err := netip.ParseAddr(value)
	c.that(value == "" || err == nil, param, "is no IPv4 or IPv6 address")
}

// date checks a date in three numbers; where it is optional, three zeros are none.
func (c *check) date(prefix string, day, month, year int, required bool) {
	if !required && day == 0 && month == 0 && year == 0 {
		return
	}
	c.that(day != 0, prefix+"_day", "can't be blank")
	c.that(month != 0, prefix+"_month", "can't be blank")
	c.that(year != 0, prefix+"_year", "can't be blank")
	c.that(month >= 1 && month <= 12, prefix+"_month", "is not between 1 and 12")
	c.that(year >= 1000 && year <= 9999, prefix+"_year", "does not have four digits")
	// time.Date turns 30 February into a day of March.
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	c.that(day >= 1 && day <= 31 && date.Day() == day, prefix+"_day", "is no day of that month")
	c.that(date.Before(time.Now().AddDate(0, 0, 1)), prefix+"_year", "makes a date in the future")
}

// Validate checks the params as far as this side can know: what is required, in the order in which the service names
// it, a date that exists, a document that the country has, a postal code where the country needs one (contract:
// supported documents by country). Create calls it, so that a mistake costs no verification. It returns a *ParamError
// that names the first parameter, never its value.
func (p *PersonParams) Validate() error {
	if p == nil {
		return &ParamError{Param: "params", Problem: "is nil"}
	}
	var c check
	c.present("name_first", p.NameFirst)
	c.present("name_last", p.NameLast)
	c.date("birth", p.BirthDay, p.BirthMonth, p.BirthYear, true)
	c.present("document_type", string(p.DocumentType))
	c.present("document_value", p.DocumentValue)
	c.present("address_street1", p.AddressStreet1)
	c.present("address_city", p.AddressCity)
	c.present("address_subdivision", p.AddressSubdivision)
	if PostalCodeRequired(p.AddressCountryCode) {
		c.present("address_postal_code", p.AddressPostalCode)
	}
	c.present("address_country_code", p.AddressCountryCode)
	c.document(p)
	c.address("ip_address", p.IPAddress)
	return c.err
}

func (c *check) document(p *PersonParams) {
	row, listed := countries[p.AddressCountryCode]
	c.that(listed, "address_country_code", "is none of the supported countries; it is an ISO code in upper case")
	c.that(slices.Contains(row.documents, p.DocumentType), "document_type", "is not supported for that country; SupportedDocuments lists what is")
	if p.DocumentType == DocumentSSN {
		c.that(isSSN(p.DocumentValue), "document_value", "has neither the 9 digits of an SSN nor the last 4")
	}
}

// Validate checks what is required, in the order in which the service names it (observed), and the form of dates,
// numbers and addresses. It returns a *ParamError that names the first parameter, never its value.
func (p *CompanyParams) Validate() error {
	if p == nil {
		return &ParamError{Param: "params", Problem: "is nil"}
	}
	var c check
	c.present("entity_name", p.EntityName)
	c.present("tax_id", p.TaxID)
	c.that(isDigits(p.TaxID), "tax_id", "holds something that is no digit")
	c.present("incorporation_country_code", p.IncorporationCountryCode)
	c.present("incorporation_type", string(p.IncorporationType))
	c.present("address_street1", p.AddressStreet1)
	c.present("address_city", p.AddressCity)
	c.present("address_subdivision", p.AddressSubdivision)
	if row, listed := countries[p.AddressCountryCode]; row.postal || !listed {
		c.present("address_postal_code", p.AddressPostalCode)
	}
	c.present("address_country_code", p.AddressCountryCode)
	c.date("incorporation", p.IncorporationDay, p.IncorporationMonth, p.IncorporationYear, false)
	c.address("ip_address", p.IPAddress)
	return c.err
}

// Validate checks that the date of birth, if it is set and not cleared, is a date of the form YYYY-MM-DD. It returns a
// *ParamError that names the parameter.
func (p *CandidateParams) Validate() error {
	if p == nil {
		return &ParamError{Param: "params", Problem: "is nil"}
	}
	if p.DateOfBirth == nil || *p.DateOfBirth == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, *p.DateOfBirth); err != nil {
		return &ParamError{Param: "date_of_birth", Problem: "is no date of the form YYYY-MM-DD"}
	}
	return nil
}

// Validate checks that there is a person, and a time limit that is not negative. It returns a *ParamError.
func (p *QuestionSetParams) Validate() error {
	if p == nil {
		return &ParamError{Param: "params", Problem: "is nil"}
	}
	var c check
	c.present("person_id", p.PersonID)
	c.that(p.TimeLimit >= 0, "time_limit", "is negative; it is in seconds")
	return c.err
}

// Validate refuses a score without answers, as the service does (observed).
func (p *scoreParams) Validate() error {
	if len(p.Answers) == 0 {
		return &ParamError{Param: "answers", Problem: "is empty"}
	}
	return nil
}

// Validate checks that there is a candidate, and a threshold between 0 and 1. It returns a *ParamError.
func (p *WatchlistSearchParams) Validate() error {
	if p == nil {
		return &ParamError{Param: "params", Problem: "is nil"}
	}
	var c check
	c.present("candidate_id", p.CandidateID)
	if t := p.SimilarityThreshold; t != nil {
		c.that(!math.IsNaN(*t) && *t >= 0 && *t <= 1, "similarity_threshold", "is not between 0 and 1")
	}
	return c.err
}

// isSSN takes 123456789, 123-45-6789 and 6789.
func isSSN(s string) bool {
	if len(s) == 11 && s[3] == '-' && s[6] == '-' {
		s = s[:3] + s[4:6] + s[7:]
	}
	return (len(s) == 9 || len(s) == 4) && isDigits(s)
}

func isDigits(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}
