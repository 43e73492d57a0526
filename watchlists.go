package idv

import (
	"context"
	"encoding/json"
	"net/http"

	"example.com/idv/internal/wire"
)

// WatchlistSearch is what a search found. Its members are observed, not in the written contract.
type WatchlistSearch struct {
	model    `json:"-"`
	Livemode bool `json:"livemode"`
	// SearchedLists are the codes of the watchlists, such as US_SDN.
	SearchedLists []string `json:"searched_lists"`
	Count         int      `json:"count"`
	// Matches come by falling confidence.
	Matches []*WatchlistMatch `json:"matches"`
}

// WatchlistEntry is the entry of a watchlist: what a search match and a stored hit have in common.
type WatchlistEntry struct {
	private   `json:"-"`
	ID        string    `json:"id"`
	EntryType EntryType `json:"entry_type"`
	// MatchingInfo names what matched, name for example.
	MatchingInfo []string `json:"matching_info"`
	// Confidence is between 0 and 1.
	Confidence float64 `json:"confidence"`
	URL        *string `json:"url"`
	Notes      *string `json:"notes"`
	Title      *string `json:"title"`
	NameFull   *string `json:"name_full"`
	// AlternateNames are joined by "; ".
	AlternateNames *string `json:"alternate_names"`
	// DateOfBirth is free text, such as 1940-8-11 or 1953--: it is no date. See Births.
	DateOfBirth        *string `json:"date_of_birth"`
	AddressStreet1     *string `json:"address_street1"`
	AddressStreet2     *string `json:"address_street2"`
	AddressCity        *string `json:"address_city"`
	AddressState       *string `json:"address_state"`
	AddressPostalCode  *string `json:"address_postal_code"`
	AddressCountryCode *string `json:"address_country_code"`
	AddressRaw         *string `json:"address_raw"`

	Names     []EntryName     `json:"names"`
	Births    []EntryBirth    `json:"births"`
	Documents []EntryDocument `json:"documents"`
	Addresses []EntryAddress  `json:"addresses"`
}

// EntryType is the kind of an entry. Any value survives.
type EntryType string

// The kinds that were observed.
const (
	EntryIndividual EntryType = "individual"
	EntryEntity     EntryType = "entity"
)

// EntryName is a name of an entry.
type EntryName struct {
	private     `json:"-"`
	NamePrimary bool   `json:"name_primary"`
	NameFull    string `json:"name_full"`
	// NameStrength is low, medium or high; any value survives.
	NameStrength string `json:"name_strength"`
}

// EntryBirth is a date of birth, or the range from the first to the second; unknown parts are nil.
type EntryBirth struct {
	private       `json:"-"`
	BirthDay      *int `json:"birth_day"`
	BirthMonth    *int `json:"birth_month"`
	BirthYear     *int `json:"birth_year"`
	BirthDayEnd   *int `json:"birth_day_end"`
	BirthMonthEnd *int `json:"birth_month_end"`
	BirthYearEnd  *int `json:"birth_year_end"`
}

// EntryDocument is an identity document of an entry.
type EntryDocument struct {
	private             `json:"-"`
	DocumentType        *string `json:"document_type"`
	DocumentValue       *string `json:"document_value"`
	DocumentCountryCode *string `json:"document_country_code"`
}

// EntryAddress is an address of an entry.
type EntryAddress struct {
	private            `json:"-"`
	AddressStreet1     *string `json:"address_street1"`
	AddressStreet2     *string `json:"address_street2"`
	AddressCity        *string `json:"address_city"`
	AddressState       *string `json:"address_state"`
	AddressPostalCode  *string `json:"address_postal_code"`
	AddressCountryCode *string `json:"address_country_code"`
	AddressFull        *string `json:"address_full"`
}

// WatchlistMatch is a match in the answer to a search.
type WatchlistMatch struct {
	model `json:"-"`
	WatchlistEntry
	// WatchlistName is the code of the list. A stored Hit calls it List.
	WatchlistName string `json:"watchlist_name"`
	// Passport and SSN may hold several numbers, joined by "; ". A stored Hit has IDType and IDValue instead.
	Passport *string `json:"passport"`
	SSN      *string `json:"ssn"`
}

// Extra returns the members of the answer that WatchlistMatch has no field for, nil if there are none.
func (m *WatchlistMatch) Extra() map[string]json.RawMessage { return wire.Unknown(m.raw, m) }

// Hit is a match that was stored for a candidate.
type Hit struct {
	model `json:"-"`
	WatchlistEntry
	Livemode bool `json:"livemode"`
	// List is the code of the list. A WatchlistMatch calls it WatchlistName.
	List    string  `json:"list"`
	IDType  *string `json:"id_type"`
	IDValue *string `json:"id_value"`
}

// Extra returns the members of the answer that Hit has no field for, nil if there are none.
func (h *Hit) Extra() map[string]json.RawMessage { return wire.Unknown(h.raw, h) }

// Extra returns the members of the answer that WatchlistSearch has no field for, nil if there are none.
func (s *WatchlistSearch) Extra() map[string]json.RawMessage { return wire.Unknown(s.raw, s) }

func (s *WatchlistSearch) self() any { return s }

func (s *WatchlistSearch) decode(body []byte) error {
	*s = WatchlistSearch{model: model{body}}
	if err := wire.Envelope(body, "matches", s.member, newItem[WatchlistMatch], s.add); err != nil {
		return err
	}
	if wire.Foreign(body, s) {
		return errForeign
	}
	return nil
}

func (s *WatchlistSearch) member(name string) any {
	switch name {
	case "livemode":
		return &s.Livemode
	case "searched_lists":
		return &s.SearchedLists
	case "count":
		return &s.Count
	}
	return nil
}

func (s *WatchlistSearch) add(item any, raw []byte) error {
	s.Matches = append(s.Matches, item.(*WatchlistMatch))
	return received(item, raw)
}

// MatchType says which entries a search looks at.
type MatchType string

// The match types that were observed. Both are looked at where none is given.
const (
	MatchTypePerson  MatchType = "person"
	MatchTypeCompany MatchType = "company"
)

// WatchlistSearchParams says whom to look for, and how closely. Observed, not in the written contract.
type WatchlistSearchParams struct {
	private     `json:"-"`
	CandidateID string    `json:"candidate_id,omitzero"` // required
	MatchType   MatchType `json:"match_type,omitzero"`   // optional
	// SimilarityThreshold is between 0 and 1, optional: matches have at least this confidence.
	SimilarityThreshold *float64 `json:"similarity_threshold,omitzero"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// WatchlistsService searches the watchlists.
type WatchlistsService struct{ client *Client }

// Search looks for a candidate on all watchlists. An unknown candidate is ErrNotFound. It is sent at most once.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *WatchlistsService) Search(ctx context.Context, params *WatchlistSearchParams, opts ...CallOption) (*WatchlistSearch, error) {
	return send[WatchlistSearch](ctx, s.client, http.MethodPost, routeWatchlists, "", params, opts)
}
