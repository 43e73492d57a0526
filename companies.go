package idv

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"example.com/idv/internal/wire"
)

// Company is a verified company. Its members are observed, not in the written contract. Companies are written once:
// there is no update and no delete.
type Company struct {
	model     `json:"-"`
	Object    string `json:"object"`
	ID        string `json:"id"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	// Status is the outcome. It never changes the HTTP status.
	Status   Status `json:"status"`
	Livemode bool   `json:"livemode"`

	EntityName               string            `json:"entity_name"`
	TaxID                    string            `json:"tax_id"`
	IncorporationDay         *int              `json:"incorporation_day"`
	IncorporationMonth       *int              `json:"incorporation_month"`
	IncorporationYear        *int              `json:"incorporation_year"`
	IncorporationState       *string           `json:"incorporation_state"`
	IncorporationCountryCode string            `json:"incorporation_country_code"`
	IncorporationType        IncorporationType `json:"incorporation_type"`
	// DBAs are the names it does business as, in one string.
	DBAs               *string `json:"dbas"`
	RegistrationNumber *string `json:"registration_number"`
	Email              *string `json:"email"`
	URL                *string `json:"url"`
	PhoneNumber        *string `json:"phone_number"`
	// IPAddress is nil or empty where none was sent; both were recorded.
	IPAddress          *string `json:"ip_address"`
	AddressStreet1     string  `json:"address_street1"`
	AddressStreet2     *string `json:"address_street2"`
	AddressCity        string  `json:"address_city"`
	AddressSubdivision string  `json:"address_subdivision"`
	AddressPostalCode  string  `json:"address_postal_code"`
	AddressCountryCode string  `json:"address_country_code"`
	// Note is free text that the client set.
	Note    *string        `json:"note"`
	Details CompanyDetails `json:"details"`
}

// CompanyDetails says what each part of a verification came to.
type CompanyDetails struct {
	EntityName  Match `json:"entity_name"`
	TaxID       Match `json:"tax_id"`
	State       Match `json:"state"`
	Address     Match `json:"address"`
	CountryCode Match `json:"country_code"`
	IncorpDate  Match `json:"incorp_date"`
	OFAC        Match `json:"ofac"`
}

// IncorporationType is the legal form of a company. Any value survives.
type IncorporationType string

// The forms that were observed.
const (
	IncorporationCorporation IncorporationType = "corporation"
	IncorporationLLC         IncorporationType = "llc"
	IncorporationPartnership IncorporationType = "partnership"
	IncorporationSP          IncorporationType = "sp"
	IncorporationOther       IncorporationType = "other"
)

// Extra returns the members of the answer that Company has no field for, nil if there are none.
func (c *Company) Extra() map[string]json.RawMessage { return wire.Unknown(c.raw, c) }

// CompanyParams is what the verification of a company takes. Empty fields are left out. Observed, not in the written
// contract.
type CompanyParams struct {
	private                  `json:"-"`
	EntityName               string            `json:"entity_name,omitzero"`                // required
	TaxID                    string            `json:"tax_id,omitzero"`                     // required, digits
	IncorporationDay         int               `json:"incorporation_day,omitzero"`          // optional, 1 to 31
	IncorporationMonth       int               `json:"incorporation_month,omitzero"`        // optional, 1 to 12
	IncorporationYear        int               `json:"incorporation_year,omitzero"`         // optional, four digits
	IncorporationState       string            `json:"incorporation_state,omitzero"`        // optional
	IncorporationCountryCode string            `json:"incorporation_country_code,omitzero"` // required, ISO code
	IncorporationType        IncorporationType `json:"incorporation_type,omitzero"`         // required
	DBAs                     string            `json:"dbas,omitzero"`                       // optional
	RegistrationNumber       string            `json:"registration_number,omitzero"`        // optional
	Email                    string            `json:"email,omitzero"`                      // optional
	URL                      string            `json:"url,omitzero"`                        // optional
	PhoneNumber              string            `json:"phone_number,omitzero"`               // optional, free format
	IPAddress                string            `json:"ip_address,omitzero"`                 // optional, IPv4 or IPv6
	AddressStreet1           string            `json:"address_street1,omitzero"`            // required
	AddressStreet2           string            `json:"address_street2,omitzero"`            // optional
	AddressCity              string            `json:"address_city,omitzero"`               // required
	AddressSubdivision       string            `json:"address_subdivision,omitzero"`        // required
	AddressPostalCode        string            `json:"address_postal_code,omitzero"`        // required
	AddressCountryCode       string            `json:"address_country_code,omitzero"`       // required, ISO code
	// Note is free text, optional. It can be filtered: a reference of your own here finds the company again.
	Note string `json:"note,omitzero"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// CompaniesService verifies companies and reads what came of it.
type CompaniesService struct{ client *Client }

// Create verifies a company, in live mode for money, and answers the company with status and details. It is sent at
// most once. Params are validated first unless WithoutValidation is given.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *CompaniesService) Create(ctx context.Context, params *CompanyParams, opts ...CallOption) (*Company, error) {
	return send[Company](ctx, s.client, http.MethodPost, routeCompanies, "", params, opts)
}

// Get reads a company. An unknown id is ErrNotFound. Observed, not in the written contract, which names the path only.
// Errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *CompaniesService) Get(ctx context.Context, id string, opts ...CallOption) (*Company, error) {
	return get[Company](ctx, s.client, routeCompany, id, opts)
}

// List reads one page of companies (contract: list queries). params may be nil. Errors: *ParamError, *Error,
// *TransportError, *DecodeError.
func (s *CompaniesService) List(ctx context.Context, params *ListParams, opts ...CallOption) (*List[Company], error) {
	return list[Company](ctx, s.client, routeCompanies, params, opts)
}

// All reads every company that params select, as PeopleService.All does.
func (s *CompaniesService) All(ctx context.Context, params *ListParams, opts ...CallOption) iter.Seq2[*Company, error] {
	return all[Company](ctx, s.client, routeCompanies, params, opts)
}

func (c *Company) key() (string, Time) { return c.ID, c.CreatedAt }
