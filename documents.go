package idv

import "slices"

// DocumentType is a kind of identity document. Any value survives.
type DocumentType string

// The ten document types of the contract.
const (
	DocumentSSN                    DocumentType = "ssn" // Social Security Number: all 9 digits, or the last 4
	DocumentDriversLicense         DocumentType = "drivers_license"
	DocumentPersonalIdentification DocumentType = "personal_identification" // PIN
	DocumentIdentityCard           DocumentType = "identity_card"
	DocumentTaxID                  DocumentType = "tax_id"
	DocumentVoterID                DocumentType = "voter_id"
	DocumentTravelDocument         DocumentType = "travel_document"
	DocumentResidencePermit        DocumentType = "residence_permit"
	DocumentIdentityCertificate    DocumentType = "identity_certificate"
	DocumentPassport               DocumentType = "passport"
)

// SupportedDocuments returns the identity documents that can be verified for a country, given by its ISO code in upper
// case, in the order of the contract; nil for a country that the contract does not list. The slice is the caller's.
func SupportedDocuments(country string) []DocumentType {
	return slices.Clone(countries[country].documents)
}

// PostalCodeRequired reports whether an address in the country needs a postal code (contract: supported documents by
// country). It is false for a country that the contract does not list.
func PostalCodeRequired(country string) bool { return countries[country].postal }

// Countries returns the ISO codes of the countries that the contract lists, sorted.
func Countries() []string {
	codes := make([]string, 0, len(countries))
	for code := range countries {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return codes
}

// country is a row of the contract's table.
type country struct {
	postal    bool // a postal code is required
	documents []DocumentType
}

func row(postal bool, documents ...DocumentType) country { return country{postal, documents} }

// countries is the contract's table, in its order. It is only read.
var countries = map[string]country{
	"US": row(true, DocumentSSN, DocumentDriversLicense),
	"AL": row(true, DocumentPassport, DocumentPersonalIdentification),
	"AO": row(false, DocumentPassport, DocumentPersonalIdentification),
	"AR": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"AU": row(true, DocumentPassport),
	"AT": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"BS": row(false, DocumentPassport, DocumentDriversLicense),
	"BH": row(true, DocumentPassport, DocumentPersonalIdentification),
	"BB": row(true, DocumentPassport, DocumentDriversLicense),
	"BE": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"BO": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"BA": row(true, DocumentPassport, DocumentPersonalIdentification),
	"BR": row(true, DocumentPassport, DocumentDriversLicense),
	"BG": row(true, DocumentPassport, DocumentPersonalIdentification),
	"CA": row(true, DocumentPassport, DocumentIdentityCard, DocumentDriversLicense),
	"KY": row(true, DocumentPassport, DocumentDriversLicense),
	"CL": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"CN": row(true, DocumentPassport, DocumentPersonalIdentification),
	"CO": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"CR": row(true, DocumentPassport, DocumentDriversLicense),
	"HR": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"CZ": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense, DocumentIdentityCard),
	"CI": row(false, DocumentPassport, DocumentPersonalIdentification),
	"DK": row(true, DocumentPassport, DocumentDriversLicense),
	"DO": row(true, DocumentPassport, DocumentDriversLicense),
	"ER": row(false, DocumentPassport, DocumentPersonalIdentification),
	"EE": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"FI": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"FR": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"GE": row(true, DocumentPassport, DocumentPersonalIdentification),
	"DE": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense, DocumentIdentityCard),
	"GR": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"GT": row(true, DocumentPassport, DocumentPersonalIdentification),
	"GY": row(false, DocumentPassport, DocumentDriversLicense),
	"HN": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"HK": row(false, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"HU": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"IS": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"IN": row(true, DocumentPassport),
	"ID": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentTravelDocument),
	"IE": row(false, DocumentPassport, DocumentDriversLicense),
	"IL": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"IT": row(true, DocumentPassport, DocumentIdentityCard),
	"JP": row(true, DocumentPassport, DocumentDriversLicense),
	"JO": row(true, DocumentPassport, DocumentPersonalIdentification),
	"KE": row(false, DocumentPassport, DocumentIdentityCard),
	"KR": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"KW": row(true, DocumentPassport, DocumentDriversLicense),
	"LV": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"LS": row(true, DocumentPassport, DocumentPersonalIdentification),
	"LI": row(true, DocumentPassport, DocumentIdentityCard),
	"LT": row(true, DocumentPassport, DocumentPersonalIdentification),
	"LU": row(true, DocumentPassport, DocumentIdentityCard),
	"MO": row(false, DocumentPassport, DocumentTravelDocument),
	"MK": row(true, DocumentPassport, DocumentPersonalIdentification),
	"MY": row(true, DocumentPassport, DocumentPersonalIdentification),
	"MT": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"MX": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense, DocumentTaxID, DocumentVoterID),
	"MD": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"NL": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard, DocumentResidencePermit),
	"AN": row(false, DocumentPassport, DocumentDriversLicense),
	"NZ": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCertificate),
	"NI": row(true, DocumentPassport, DocumentPersonalIdentification),
	"NO": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"OM": row(true, DocumentPassport, DocumentPersonalIdentification),
	"PK": row(true, DocumentPassport, DocumentPersonalIdentification),
	"PA": row(false, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"PE": row(true, DocumentPassport, DocumentPersonalIdentification),
	"PH": row(true, DocumentPassport, DocumentDriversLicense),
	"PL": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"PT": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"QA": row(false, DocumentPassport, DocumentPersonalIdentification),
	"RO": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"RU": row(true, DocumentPassport, DocumentDriversLicense),
	"KN": row(false, DocumentPassport, DocumentDriversLicense),
	"SM": row(true, DocumentPassport, DocumentIdentityCard),
	"SG": row(true, DocumentPassport, DocumentDriversLicense),
	"SK": row(true, DocumentPassport, DocumentDriversLicense),
	"SI": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"ZA": row(false, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"ES": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense, DocumentIdentityCard),
	"LK": row(true, DocumentPassport, DocumentPersonalIdentification),
	"SE": row(true, DocumentPassport, DocumentPersonalIdentification),
	"CH": row(true, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"TW": row(true, DocumentPassport, DocumentPersonalIdentification),
	"TH": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentDriversLicense),
	"TT": row(false, DocumentPassport, DocumentDriversLicense, DocumentIdentityCard),
	"TR": row(true, DocumentPassport, DocumentDriversLicense),
	"GB": row(true, DocumentPassport, DocumentDriversLicense),
	"UY": row(true, DocumentPassport, DocumentPersonalIdentification),
	"VE": row(true, DocumentPassport, DocumentPersonalIdentification),
	"VN": row(true, DocumentPassport, DocumentPersonalIdentification),
	"ZM": row(true, DocumentPassport, DocumentPersonalIdentification, DocumentIdentityCard),
	"ZW": row(false, DocumentPassport, DocumentPersonalIdentification),
}
