package idvtest

import "slices"

var candidateKind = newKind("candidate", "Candidate",
	"object", "id", "created_at", "updated_at", "livemode", "note", "ssn", "passport", "date_of_birth",
	"name_first", "name_middle", "name_last", "address_street1", "address_street2", "address_city", "address_subdivision",
	"address_postal_code", "address_country_code", "deleted",
)

// candidateForm requires nothing: an empty candidate is one (observed, not in the written contract). The empty string clears an
// attribute, and stays the empty string.
var candidateForm = form{
	{"note", text, never},
	{"ssn", text, never},
	{"passport", text, never},
	{"date_of_birth", optional(date), never},
	{"name_first", text, never},
	{"name_middle", text, never},
	{"name_last", text, never},
	{"address_street1", text, never},
	{"address_street2", text, never},
	{"address_city", text, never},
	{"address_subdivision", text, never},
	{"address_postal_code", text, never},
	{"address_country_code", optional(countryCode), never},
}

func (a *rest) createCandidate(c *call) (any, error) {
	values, err := candidateForm.read(c.params)
	if err != nil {
		return nil, err
	}
	candidate := a.newObject(candidateKind, c.live)
	candidate.putAll(values)
	candidate.listed = a.clock.Now().Add(max(a.config.indexDelay, a.config.indexDelayAll)).UnixMilli()
	a.candidates.add(candidate)
	return candidate, nil
}

// updateCandidate changes what is given and nothing else. Null counts as left out here too: whether it clears is not known.
func (a *rest) updateCandidate(c *call) (any, error) {
	candidate, err := a.candidates.find(c.id(), c.live)
	if err != nil {
		return nil, err
	}
	values, err := candidateForm.read(c.params)
	if err != nil {
		return nil, err
	}
	a.revisions[candidate.id] = append(a.revisions[candidate.id], candidate.clone())
	candidate.putAll(values)
	candidate.touch(a.clock.Now().Unix())
	return candidate, nil
}

// deleteCandidate marks it: it can still be found, listed, changed and deleted again (observed, not in the written contract).
func (a *rest) deleteCandidate(c *call) (any, error) {
	candidate, err := a.candidates.find(c.id(), c.live)
	if err != nil {
		return nil, err
	}
	candidate.put("deleted", true)
	return candidate, nil
}

// candidateHistory is a bare array, the newest revision first. Deleting makes no revision.
func (a *rest) candidateHistory(c *call) (any, error) {
	candidate, err := a.candidates.find(c.id(), c.live)
	if err != nil {
		return nil, err
	}
	history := append(slices.Clone(a.revisions[candidate.id]), candidate)
	slices.Reverse(history)
	return a.objects(history), nil
}
