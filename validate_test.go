package idv_test

import (
	"math"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPersonParamsValidate(t *testing.T) {
	t.Parallel()
	require.NoError(t, validPerson().Validate())
	for name, c := range map[string]struct {
		change func(*idv.PersonParams)
		want   string
	}{
		"nothing but blanks":    {func(p *idv.PersonParams) { p.NameFirst = "  " }, "idv: name_first can't be blank"},
		"the first is named":    {func(p *idv.PersonParams) { *p = idv.PersonParams{NameFirst: "x"} }, "idv: name_last can't be blank"},
		"no day":                {func(p *idv.PersonParams) { p.BirthDay = 0 }, "idv: birth_day can't be blank"},
		"no month":              {func(p *idv.PersonParams) { p.BirthMonth = 0 }, "idv: birth_month can't be blank"},
		"no year":               {func(p *idv.PersonParams) { p.BirthYear = 0 }, "idv: birth_year can't be blank"},
		"month 13":              {func(p *idv.PersonParams) { p.BirthMonth = 13 }, "idv: birth_month is not between 1 and 12"},
		"two digits of a year":  {func(p *idv.PersonParams) { p.BirthYear = 80 }, "idv: birth_year does not have four digits"},
		"30 February":           {func(p *idv.PersonParams) { p.BirthDay, p.BirthMonth = 30, 2 }, "idv: birth_day is no day of that month"},
		"29 February 1981":      {func(p *idv.PersonParams) { p.BirthDay, p.BirthMonth, p.BirthYear = 29, 2, 1981 }, "idv: birth_day is no day of that month"},
		"a negative day":        {func(p *idv.PersonParams) { p.BirthDay = -1 }, "idv: birth_day is no day of that month"},
		"no document type":      {func(p *idv.PersonParams) { p.DocumentType = "" }, "idv: document_type can't be blank"},
		"no document value":     {func(p *idv.PersonParams) { p.DocumentValue = "" }, "idv: document_value can't be blank"},
		"no street":             {func(p *idv.PersonParams) { p.AddressStreet1 = "" }, "idv: address_street1 can't be blank"},
		"no city":               {func(p *idv.PersonParams) { p.AddressCity = "" }, "idv: address_city can't be blank"},
		"no subdivision":        {func(p *idv.PersonParams) { p.AddressSubdivision = "" }, "idv: address_subdivision can't be blank"},
		"a postal code needed":  {func(p *idv.PersonParams) { p.AddressPostalCode = "" }, "idv: address_postal_code can't be blank"},
		"no country":            {func(p *idv.PersonParams) { p.AddressCountryCode = "" }, "idv: address_country_code can't be blank"},
		"an unknown country":    {func(p *idv.PersonParams) { p.AddressCountryCode = "XX" }, "idv: address_country_code is none of the supported countries; it is an ISO code in upper case"},
		"a document not had":    {func(p *idv.PersonParams) { p.DocumentType = idv.DocumentPassport }, "idv: document_type is not supported for that country; SupportedDocuments lists what is"},
		"an SSN of 5 digits":    {func(p *idv.PersonParams) { p.DocumentValue = "12345" }, "idv: document_value has neither the 9 digits of an SSN nor the last 4"},
		"an SSN of dashes":      {func(p *idv.PersonParams) { p.DocumentValue = "0-0-0-0" }, "idv: document_value has neither the 9 digits of an SSN nor the last 4"},
		"a birth in the future": {func(p *idv.PersonParams) { p.BirthYear = 9000 }, "idv: birth_year makes a date in the future"},
		"an SSN with letters":   {func(p *idv.PersonParams) { p.DocumentValue = "12a4" }, "idv: document_value has neither the 9 digits of an SSN nor the last 4"},
		"an address of no kind": {func(p *idv.PersonParams) { p.IPAddress = "1.2.3" }, "idv: ip_address is no IPv4 or IPv6 address"},
	} {
		p := validPerson()
		c.change(p)
		assert.EqualError(t, p.Validate(), c.want, name)
	}
	for name, change := range map[string]func(*idv.PersonParams){
		"all nine digits":         func(p *idv.PersonParams) { p.DocumentValue = "078051120" },
		"nine digits with dashes": func(p *idv.PersonParams) { p.DocumentValue = "078-05-1120" },
		"29 February 1980":        func(p *idv.PersonParams) { p.BirthDay, p.BirthMonth = 29, 2 },
		"IPv6":                    func(p *idv.PersonParams) { p.IPAddress = "2001:db8::1" },
		"no postal code in Ireland": func(p *idv.PersonParams) {
			p.AddressCountryCode, p.AddressPostalCode, p.DocumentType = "IE", "", idv.DocumentPassport
		},
	} {
		p := validPerson()
		change(p)
		assert.NoError(t, p.Validate(), name)
	}
}

func TestValidateOfTheOtherParams(t *testing.T) {
	t.Parallel()
	require.NoError(t, validCompany().Validate())
	company := func(change func(*idv.CompanyParams)) *idv.CompanyParams {
		p := validCompany()
		change(p)
		return p
	}
	for want, params := range map[string]interface{ Validate() error }{
		"idv: entity_name can't be blank":                      company(func(p *idv.CompanyParams) { *p = idv.CompanyParams{} }),
		"idv: tax_id can't be blank":                           company(func(p *idv.CompanyParams) { p.TaxID = "" }),
		"idv: tax_id holds something that is no digit":         company(func(p *idv.CompanyParams) { p.TaxID = "00-1" }),
		"idv: incorporation_country_code can't be blank":       company(func(p *idv.CompanyParams) { p.IncorporationCountryCode = "" }),
		"idv: incorporation_type can't be blank":               company(func(p *idv.CompanyParams) { p.IncorporationType = "" }),
		"idv: address_street1 can't be blank":                  company(func(p *idv.CompanyParams) { p.AddressStreet1 = "" }),
		"idv: address_city can't be blank":                     company(func(p *idv.CompanyParams) { p.AddressCity = "" }),
		"idv: address_subdivision can't be blank":              company(func(p *idv.CompanyParams) { p.AddressSubdivision = "" }),
		"idv: address_postal_code can't be blank":              company(func(p *idv.CompanyParams) { p.AddressPostalCode = "" }),
		"idv: address_country_code can't be blank":             company(func(p *idv.CompanyParams) { p.AddressCountryCode = "" }),
		"idv: incorporation_month can't be blank":              company(func(p *idv.CompanyParams) { p.IncorporationMonth = 0 }),
		"idv: ip_address is no IPv4 or IPv6 address":           company(func(p *idv.CompanyParams) { p.IPAddress = "x" }),
		"idv: person_id can't be blank":                        &idv.QuestionSetParams{},
		"idv: time_limit is negative; it is in seconds":        &idv.QuestionSetParams{PersonID: "1", TimeLimit: -1},
		"idv: candidate_id can't be blank":                     &idv.WatchlistSearchParams{},
		"idv: similarity_threshold is not between 0 and 1":     &idv.WatchlistSearchParams{CandidateID: "1", SimilarityThreshold: idv.Ptr(math.NaN())},
		"idv: date_of_birth is no date of the form YYYY-MM-DD": &idv.CandidateParams{DateOfBirth: idv.Ptr("11.8.1940")},
	} {
		assert.EqualError(t, params.Validate(), want)
	}
	assert.NoError(t, company(func(p *idv.CompanyParams) { p.IncorporationDay, p.IncorporationMonth, p.IncorporationYear = 0, 0, 0 }).Validate())
	assert.NoError(t, company(func(p *idv.CompanyParams) { p.AddressCountryCode, p.AddressPostalCode = "HK", "" }).Validate(), "no postal code is required there")
	assert.NoError(t, (&idv.CandidateParams{DateOfBirth: idv.Ptr("")}).Validate(), "cleared")
	assert.Error(t, (&idv.WatchlistSearchParams{CandidateID: "1", SimilarityThreshold: idv.Ptr(1.01)}).Validate())
	for _, params := range []interface{ Validate() error }{
		(*idv.PersonParams)(nil), (*idv.CompanyParams)(nil), (*idv.CandidateParams)(nil), (*idv.QuestionSetParams)(nil), (*idv.WatchlistSearchParams)(nil),
	} {
		assert.EqualError(t, params.Validate(), "idv: params is nil")
	}
}

func TestCreateValidatesUnlessToldNotTo(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 201, fixture(t, "person"))
	p := validPerson()
	p.AddressCountryCode = "XX"
	_, err := c.People.Create(bg(), p)
	require.Error(t, err)
	assert.Empty(t, *requests)
	_, err = c.People.Create(bg(), p, idv.WithoutValidation())
	require.NoError(t, err)
	assert.Contains(t, (*requests)[0].Body, `"address_country_code":"XX"`)
}
