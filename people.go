package idv

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"example.com/idv/internal/wire"
)

// Person is a verified person (contract: person). People are written once: there is no update and no delete (observed).
type Person struct {
	model     `json:"-"`
	Object    string `json:"object"`
	ID        string `json:"id"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	// Status is the outcome. It never changes the HTTP status.
	Status   Status `json:"status"`
	Livemode bool   `json:"livemode"`

	PhoneNumber *string `json:"phone_number"`
	// IPAddress is nil or empty where none was sent; both were recorded.
	IPAddress          *string      `json:"ip_address"`
	BirthDay           int          `json:"birth_day"`
	BirthMonth         int          `json:"birth_month"`
	BirthYear          int          `json:"birth_year"`
	NameFirst          string       `json:"name_first"`
	NameMiddle         *string      `json:"name_middle"`
	NameLast           string       `json:"name_last"`
	AddressStreet1     string       `json:"address_street1"`
	AddressStreet2     *string      `json:"address_street2"`
	AddressCity        string       `json:"address_city"`
	AddressSubdivision string       `json:"address_subdivision"`
	AddressPostalCode  string       `json:"address_postal_code"`
	AddressCountryCode string       `json:"address_country_code"`
	DocumentType       DocumentType `json:"document_type"`
	DocumentValue      string       `json:"document_value"`
	// Note is free text that the client set.
	Note    *string       `json:"note"`
	Details PersonDetails `json:"details"`
	// QuestionSets are ids, newest first (the order is observed, not in the written contract).
	QuestionSets []string `json:"question_sets"`
}

// PersonDetails says what each part of a verification came to (contract: person, details).
type PersonDetails struct {
	Address        Match `json:"address"`
	AddressRisk    Risk  `json:"address_risk"`
	Identification Match `json:"identification"`
	DateOfBirth    Match `json:"date_of_birth"`
	OFAC           Match `json:"ofac"`
	PEP            Match `json:"pep"`
}

// Extra returns the members of the answer that Person has no field for, nil if there are none.
func (p *Person) Extra() map[string]json.RawMessage { return wire.Unknown(p.raw, p) }

// PersonParams is what a verification takes. Empty fields are left out. Which are required, and in which order a
// missing one is named, is observed, not in the written contract.
type PersonParams struct {
	private    `json:"-"`
	NameFirst  string `json:"name_first,omitzero"`  // required
	NameMiddle string `json:"name_middle,omitzero"` // optional
	NameLast   string `json:"name_last,omitzero"`   // required
	BirthDay   int    `json:"birth_day,omitzero"`   // required, 1 to 31
	BirthMonth int    `json:"birth_month,omitzero"` // required, 1 to 12
	BirthYear  int    `json:"birth_year,omitzero"`  // required, four digits
	// DocumentType and DocumentValue are required. Which documents a country has is told by SupportedDocuments. The
	// value is the number, or its last digits; it is text, for it may begin with zeros.
	DocumentType       DocumentType `json:"document_type,omitzero"`
	DocumentValue      string       `json:"document_value,omitzero"`
	AddressStreet1     string       `json:"address_street1,omitzero"`      // required
	AddressStreet2     string       `json:"address_street2,omitzero"`      // optional
	AddressCity        string       `json:"address_city,omitzero"`         // required
	AddressSubdivision string       `json:"address_subdivision,omitzero"`  // required
	AddressPostalCode  string       `json:"address_postal_code,omitzero"`  // required where PostalCodeRequired says so
	AddressCountryCode string       `json:"address_country_code,omitzero"` // required, ISO code in upper case
	PhoneNumber        string       `json:"phone_number,omitzero"`         // optional, free format
	IPAddress          string       `json:"ip_address,omitzero"`           // optional, IPv4 or IPv6
	// Note is free text, optional. It can be filtered: a reference of your own here finds the person again.
	Note string `json:"note,omitzero"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// PeopleService verifies people and reads what came of it.
type PeopleService struct{ client *Client }

// Create verifies a person, in live mode for money, and answers the person with status and details. It is sent at most
// once. Params are validated first unless WithoutValidation is given.
//
// Observed, not in the written contract: the method and which params are required. Errors: *ParamError, *Error,
// *UncertainError, *TransportError, *DecodeError.
func (s *PeopleService) Create(ctx context.Context, params *PersonParams, opts ...CallOption) (*Person, error) {
	return send[Person](ctx, s.client, http.MethodPost, routePeople, "", params, opts)
}

// Get reads a person. An unknown id is ErrNotFound. Observed, not in the written contract, which names the path only.
// Errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *PeopleService) Get(ctx context.Context, id string, opts ...CallOption) (*Person, error) {
	return get[Person](ctx, s.client, routePerson, id, opts)
}

// List reads one page of people (contract: list queries). params may be nil. Errors: *ParamError, *Error,
// *TransportError, *DecodeError.
func (s *PeopleService) List(ctx context.Context, params *ListParams, opts ...CallOption) (*List[Person], error) {
	return list[Person](ctx, s.client, routePeople, params, opts)
}

// All reads every person that params select, in any order, each once. It ends with an error or is complete; an
// *IncompleteError names the windows of creation times that could not be seen whole. Search is refused. See MaxRequests,
// Parallel and OnProgress. Other errors: those of List.
func (s *PeopleService) All(ctx context.Context, params *ListParams, opts ...CallOption) iter.Seq2[*Person, error] {
	return all[Person](ctx, s.client, routePeople, params, opts)
}

func (p *Person) key() (string, Time) { return p.ID, p.CreatedAt }
