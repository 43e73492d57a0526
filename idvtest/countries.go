package idvtest

import (
	"slices"
	"strings"
)

// country is a row of the contract's table of supported documents.
type country struct {
	postal    bool // a postal code is required
	documents []string
}

// countries reads countryTable once; nothing changes it.
var countries = parseCountries()

func parseCountries() map[string]country {
	table := make(map[string]country)
	for row := range strings.Lines(countryTable) {
		f := strings.Fields(row)
		table[f[0]] = country{postal: f[1] == "postal", documents: f[2:]}
	}
	return table
}

// postalRequired is the rule of the table. A country that is not in it can be that of a company or a candidate, but the table is all
// that is known, so its postal code is required like most.
func postalRequired(code string) bool {
	c, listed := countries[code]
	return !listed || c.postal
}

func (c country) supports(document string) bool { return slices.Contains(c.documents, document) }

// documentTypes are the contract's ten.
var documentTypes = []string{
	"ssn", "drivers_license", "personal_identification", "identity_card", "tax_id",
	"voter_id", "travel_document", "residence_permit", "identity_certificate", "passport",
}

// countryTable has the country's code, whether a postal code is required, and the supported documents (contract: supported documents
// by country).
const countryTable = `US postal ssn drivers_license
AL postal passport personal_identification
AO - passport personal_identification
AR postal passport personal_identification drivers_license
AU postal passport
AT postal passport drivers_license identity_card
BS - passport drivers_license
BH postal passport personal_identification
BB postal passport drivers_license
BE postal passport drivers_license identity_card
BO postal passport drivers_license identity_card
BA postal passport personal_identification
BR postal passport drivers_license
BG postal passport personal_identification
CA postal passport identity_card drivers_license
KY postal passport drivers_license
CL postal passport personal_identification drivers_license
CN postal passport personal_identification
CO postal passport personal_identification drivers_license
CR postal passport drivers_license
HR postal passport personal_identification identity_card
CZ postal passport personal_identification drivers_license identity_card
CI - passport personal_identification
DK postal passport drivers_license
DO postal passport drivers_license
ER - passport personal_identification
EE postal passport personal_identification identity_card
FI postal passport personal_identification identity_card
FR postal passport personal_identification identity_card
GE postal passport personal_identification
DE postal passport personal_identification drivers_license identity_card
GR postal passport drivers_license identity_card
GT postal passport personal_identification
GY - passport drivers_license
HN postal passport personal_identification drivers_license
HK - passport drivers_license identity_card
HU postal passport drivers_license identity_card
IS postal passport personal_identification drivers_license
IN postal passport
ID postal passport personal_identification travel_document
IE - passport drivers_license
IL postal passport personal_identification drivers_license
IT postal passport identity_card
JP postal passport drivers_license
JO postal passport personal_identification
KE - passport identity_card
KR postal passport personal_identification drivers_license
KW postal passport drivers_license
LV postal passport personal_identification identity_card
LS postal passport personal_identification
LI postal passport identity_card
LT postal passport personal_identification
LU postal passport identity_card
MO - passport travel_document
MK postal passport personal_identification
MY postal passport personal_identification
MT postal passport personal_identification identity_card
MX postal passport personal_identification drivers_license tax_id voter_id
MD postal passport personal_identification identity_card
NL postal passport drivers_license identity_card residence_permit
AN - passport drivers_license
NZ postal passport drivers_license identity_certificate
NI postal passport personal_identification
NO postal passport personal_identification drivers_license
OM postal passport personal_identification
PK postal passport personal_identification
PA - passport personal_identification drivers_license
PE postal passport personal_identification
PH postal passport drivers_license
PL postal passport personal_identification drivers_license
PT postal passport personal_identification identity_card
QA - passport personal_identification
RO postal passport personal_identification drivers_license
RU postal passport drivers_license
KN - passport drivers_license
SM postal passport identity_card
SG postal passport drivers_license
SK postal passport drivers_license
SI postal passport personal_identification identity_card
ZA - passport personal_identification drivers_license
ES postal passport personal_identification drivers_license identity_card
LK postal passport personal_identification
SE postal passport personal_identification
CH postal passport drivers_license identity_card
TW postal passport personal_identification
TH postal passport personal_identification drivers_license
TT - passport drivers_license identity_card
TR postal passport drivers_license
GB postal passport drivers_license
UY postal passport personal_identification
VE postal passport personal_identification
VN postal passport personal_identification
ZM postal passport personal_identification identity_card
ZW - passport personal_identification
`
