package idv

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"example.com/idv/internal/wire"
)

// Candidate is somebody to look for on watchlists (contract: candidate). Every attribute can be null in an answer
// (observed), so all of them are pointers.
type Candidate struct {
	model     `json:"-"`
	Object    string `json:"object"`
	ID        string `json:"id"`
	CreatedAt Time   `json:"created_at"`
	UpdatedAt Time   `json:"updated_at"`
	Livemode  bool   `json:"livemode"`
	// Deleted is true after a Delete, which is soft: the candidate can still be read and stays in the list (observed).
	Deleted bool `json:"deleted,omitzero"`

	// Note is free text that the client set.
	Note     *string `json:"note"`
	SSN      *string `json:"ssn"`
	Passport *string `json:"passport"`
	// DateOfBirth has the form YYYY-MM-DD.
	DateOfBirth        *string `json:"date_of_birth"`
	NameFirst          *string `json:"name_first"`
	NameMiddle         *string `json:"name_middle"`
	NameLast           *string `json:"name_last"`
	AddressStreet1     *string `json:"address_street1"`
	AddressStreet2     *string `json:"address_street2"`
	AddressCity        *string `json:"address_city"`
	AddressSubdivision *string `json:"address_subdivision"`
	AddressPostalCode  *string `json:"address_postal_code"`
	AddressCountryCode *string `json:"address_country_code"`
}

// Extra returns the members of the answer that Candidate has no field for, nil if there are none.
func (c *Candidate) Extra() map[string]json.RawMessage { return wire.Unknown(c.raw, c) }

// CandidateParams sets attributes of a candidate, all of them optional. In an update nil leaves an attribute alone and
// the empty string clears it (observed, not in the written contract); Ptr makes the pointers.
type CandidateParams struct {
	private  `json:"-"`
	Note     *string `json:"note,omitzero"`
	SSN      *string `json:"ssn,omitzero"`
	Passport *string `json:"passport,omitzero"`
	// DateOfBirth has the form YYYY-MM-DD.
	DateOfBirth        *string `json:"date_of_birth,omitzero"`
	NameFirst          *string `json:"name_first,omitzero"`
	NameMiddle         *string `json:"name_middle,omitzero"`
	NameLast           *string `json:"name_last,omitzero"`
	AddressStreet1     *string `json:"address_street1,omitzero"`
	AddressStreet2     *string `json:"address_street2,omitzero"`
	AddressCity        *string `json:"address_city,omitzero"`
	AddressSubdivision *string `json:"address_subdivision,omitzero"`
	AddressPostalCode  *string `json:"address_postal_code,omitzero"`
	AddressCountryCode *string `json:"address_country_code,omitzero"`
	// Extra holds members that this version of the module does not know, by their JSON names.
	Extra map[string]any `json:",unknown"`
}

// CandidatesService keeps the people that watchlists are searched for.
type CandidatesService struct{ client *Client }

// Create makes a candidate. It is sent at most once. The candidate can be missing from lists for some seconds (observed).
//
// Observed, not in the written contract, which shows the list only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *CandidatesService) Create(ctx context.Context, params *CandidateParams, opts ...CallOption) (*Candidate, error) {
	return send[Candidate](ctx, s.client, http.MethodPost, routeCandidates, "", params, opts)
}

// Get reads a candidate, a deleted one too. An unknown id is ErrNotFound. Observed, not in the written contract, which
// names the path only. Errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *CandidatesService) Get(ctx context.Context, id string, opts ...CallOption) (*Candidate, error) {
	return get[Candidate](ctx, s.client, routeCandidate, id, opts)
}

// List reads one page of candidates (contract: list queries), deleted ones included. params may be nil. Errors:
// *ParamError, *Error, *TransportError, *DecodeError.
func (s *CandidatesService) List(ctx context.Context, params *ListParams, opts ...CallOption) (*List[Candidate], error) {
	return list[Candidate](ctx, s.client, routeCandidates, params, opts)
}

// All reads every candidate that params select, as PeopleService.All does.
func (s *CandidatesService) All(ctx context.Context, params *ListParams, opts ...CallOption) iter.Seq2[*Candidate, error] {
	return all[Candidate](ctx, s.client, routeCandidates, params, opts)
}

// Update changes the attributes that params set and answers the whole candidate. It is sent at most once; after an
// *UncertainError the same update can be sent again.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *CandidatesService) Update(ctx context.Context, id string, params *CandidateParams, opts ...CallOption) (*Candidate, error) {
	return send[Candidate](ctx, s.client, http.MethodPatch, routeCandidate, id, params, opts)
}

// Delete marks a candidate as deleted and answers it with Deleted true. It is sent at most once; after an
// *UncertainError it can be sent again.
//
// Observed, not in the written contract, which names the path only. Errors: *ParamError, *Error, *UncertainError,
// *TransportError, *DecodeError.
func (s *CandidatesService) Delete(ctx context.Context, id string, opts ...CallOption) (*Candidate, error) {
	return fetch[Candidate](ctx, s.client, http.MethodDelete, routeCandidate, id, nil, opts)
}

// History reads every revision of a candidate, the newest first and the original last. Observed, not in the written
// contract, which names the path only. Errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *CandidatesService) History(ctx context.Context, id string, opts ...CallOption) ([]*Candidate, error) {
	revisions, err := get[array[Candidate]](ctx, s.client, routeCandidateHistory, id, opts)
	if err != nil {
		return nil, err
	}
	return *revisions, nil
}

// Hits reads what searches for a candidate found. It is filled some time after a search: an empty result right after
// one is normal. Should the service say that there are more, they come with an *IncompleteError. Observed, not in the
// written contract, which names the path only. Other errors: *ParamError, *Error, *TransportError, *DecodeError.
func (s *CandidatesService) Hits(ctx context.Context, id string, opts ...CallOption) ([]*Hit, error) {
	hits, err := get[List[Hit]](ctx, s.client, routeCandidateHits, id, opts)
	if err != nil {
		return nil, err
	}
	if hits.HasMore {
		return hits.Data, &IncompleteError{Gaps: []Gap{{TotalCount: hits.TotalCount, Seen: len(hits.Data), Reason: "the service has more hits and shows no way to them"}}}
	}
	return hits.Data, nil
}

func (c *Candidate) key() (string, Time) { return c.ID, c.CreatedAt }
