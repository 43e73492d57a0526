package idvtest

import (
	"cmp"
	"time"
)

// Person is a person to add to a service. What is left empty is null on the wire or, where the API requires it, invented.
type Person struct {
	// ID is made up when empty. An object that already has the id is replaced.
	ID string

	// CreatedAt is the service's present when zero, UpdatedAt is CreatedAt. The wire has whole seconds.
	CreatedAt, UpdatedAt time.Time

	// Live makes it an object of live mode.
	Live bool

	// Status is valid when empty.
	Status string

	NameFirst, NameMiddle, NameLast string
	BirthDay, BirthMonth, BirthYear int
	DocumentType, DocumentValue     string
	PhoneNumber, IPAddress, Note    string
	Address                         Address

	// Details replaces results of test mode, by key: "ofac": "match".
	Details map[string]string

	// QuestionSets is how many question sets without a time limit the person has, created when it was.
	QuestionSets int
}

// Address is the address of an object to add.
type Address struct{ Street1, Street2, City, Subdivision, PostalCode, CountryCode string }

// Company is a company to add to a service. What is left empty is null on the wire or, where the API requires it, invented.
type Company struct {
	// ID, CreatedAt, UpdatedAt, Live and Status are as in [Person].
	ID                   string
	CreatedAt, UpdatedAt time.Time
	Live                 bool
	Status               string

	EntityName, TaxID                                       string
	IncorporationDay, IncorporationMonth, IncorporationYear int
	IncorporationState, IncorporationCountryCode            string
	IncorporationType, DBAs, RegistrationNumber             string
	Email, URL, PhoneNumber, IPAddress, Note                string
	Address                                                 Address

	// Details replaces results, by key: "tax_id": "mismatch".
	Details map[string]string
}

// Candidate is a candidate to add to a service. What is left empty is null on the wire.
type Candidate struct {
	// ID, CreatedAt, UpdatedAt and Live are as in [Person].
	ID                   string
	CreatedAt, UpdatedAt time.Time
	Live                 bool

	// Deleted makes it one that was deleted, which lists still show.
	Deleted bool

	NameFirst, NameMiddle, NameLast string
	DateOfBirth                     string // YYYY-MM-DD
	SSN, Passport, Note             string
	Address                         Address
}

// AddPerson adds a person as if it had been created through the API, and returns its id. Nothing is checked or billed.
func (s *Server) AddPerson(p Person) string { return s.rest.seed(p) }

// AddPeople adds n people, each(i) for every i below n, and returns their ids.
func (s *Server) AddPeople(n int, each func(i int) Person) []string { return seedAll(s.rest, n, each) }

// AddCompany adds a company, as AddPerson does a person.
func (s *Server) AddCompany(c Company) string { return s.rest.seed(c) }

// AddCompanies adds n companies, as AddPeople does people.
func (s *Server) AddCompanies(n int, each func(i int) Company) []string {
	return seedAll(s.rest, n, each)
}

// AddCandidate adds a candidate, as AddPerson does a person. Lists show it at once.
func (s *Server) AddCandidate(c Candidate) string { return s.rest.seed(c) }

// AddCandidates adds n candidates, as AddPeople does people.
func (s *Server) AddCandidates(n int, each func(i int) Candidate) []string {
	return seedAll(s.rest, n, each)
}

// seed is an object to add.
type seed interface{ addTo(a *rest) *record }

func (a *rest) seed(o seed) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return o.addTo(a).id
}

// seedAll calls each without the lock: it is the caller's code.
func seedAll[T seed](a *rest, n int, each func(i int) T) []string {
	ids := make([]string, 0, max(n, 0))
	for i := range n {
		ids = append(ids, a.seed(each(i)))
	}
	return ids
}

// seededRecord makes the frame of an object to add.
func (a *rest) seededRecord(k *kind, id string, live bool, created, updated time.Time) *record {
	if created.IsZero() {
		created = a.clock.Now()
	}
	if updated.IsZero() {
		updated = created
	}
	r := newRecord(k, cmp.Or(id, a.dice.id()), live, created.Unix())
	r.touch(updated.Unix())
	return r
}
