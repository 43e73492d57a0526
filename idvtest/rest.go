package idvtest

import (
	"errors"
	"net/http"
	"net/url"
	"sync"
)

// rest is the REST half of the service: people, question sets, companies, candidates and watchlists.
type rest struct {
	config config
	clock  *Clock
	dice   *dice
	keys   map[string]bool // API key to live mode

	mu           sync.Mutex // guards all below
	people       *collection
	companies    *collection
	questionSets *collection
	candidates   *collection
	solutions    map[string][]int        // question set id to the right answer of each question
	revisions    map[string][]*record    // candidate id to its earlier revisions, oldest first
	hits         map[string][]*storedHit // candidate id to what its searches found
	watchlist    []SanctionedEntry
	executions   map[string]int
	billed       int
}

// call is an authenticated REST request.
type call struct {
	request *http.Request
	live    bool
	version int
	query   url.Values
	params  params
}

func (c *call) id() string { return c.request.PathValue("id") }

func newREST(s *Server) *rest {
	return &rest{
		config: s.config, clock: s.Clock, dice: s.dice,
		keys:         map[string]bool{s.TestKey: false, s.LiveKey: true},
		people:       newCollection(personKind),
		companies:    newCollection(companyKind),
		questionSets: newCollection(questionSetKind),
		candidates:   newCollection(candidateKind),
		solutions:    map[string][]int{},
		revisions:    map[string][]*record{},
		hits:         map[string][]*storedHit{},
		watchlist:    append(Sanctioned(), s.config.sanctioned...),
		executions:   map[string]int{},
	}
}

// routes adds every path and method of the contract and of what was observed beyond it.
func (a *rest) routes(r *router) {
	for _, endpoint := range []struct {
		method, path string
		status       int
		handle       func(*call) (any, error)
	}{
		{"POST", "/people", 201, a.createPerson},
		{"GET", "/people", 200, a.list(a.people)},
		{"GET", "/people/{id}", 200, a.retrieve(a.people)},
		{"POST", "/question_sets", 201, a.createQuestionSet},
		{"GET", "/question_sets", 200, a.list(a.questionSets)},
		{"GET", "/question_sets/{id}", 200, a.retrieve(a.questionSets)},
		{"POST", "/question_sets/{id}/score", 201, a.scoreQuestionSet},
		{"POST", "/companies", 201, a.createCompany},
		{"GET", "/companies", 200, a.list(a.companies)},
		{"GET", "/companies/{id}", 200, a.retrieve(a.companies)},
		{"POST", "/candidates", 201, a.createCandidate},
		{"GET", "/candidates", 200, a.list(a.candidates)},
		{"GET", "/candidates/{id}", 200, a.retrieve(a.candidates)},
		{"PATCH", "/candidates/{id}", 200, a.updateCandidate},
		{"DELETE", "/candidates/{id}", 200, a.deleteCandidate},
		{"GET", "/candidates/{id}/history", 200, a.candidateHistory},
		{"GET", "/candidates/{id}/hits", 200, a.candidateHits},
		{"POST", "/watchlists", 200, a.searchWatchlists},
	} {
		name := endpoint.method + " " + endpoint.path
		r.handle(endpoint.method, endpoint.path, func(w http.ResponseWriter, r *http.Request) {
			a.answer(w.(*answer), r, name, endpoint.status, endpoint.handle)
		})
	}
}

// answer takes a REST request through authentication, version and parameters to its handler.
func (a *rest) answer(w *answer, r *http.Request, name string, status int, handle func(*call) (any, error)) {
	live, err := a.authenticate(r)
	if errors.Is(err, errNoCredentials) {
		w.noCredentials()
		return
	}
	var call *call
	if err == nil {
		call, err = newCall(r, live, a.config.latest)
	}
	if err != nil {
		w.refuse(asRefusal(err))
		return
	}
	a.perform(w, call, name, status, handle)
}

func (a *rest) perform(w *answer, c *call, name string, status int, handle func(*call) (any, error)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	result, err := handle(c)
	if err != nil {
		w.refuse(asRefusal(err))
		return
	}
	a.executions[name]++
	if c.live && (name == "POST /people" || name == "POST /companies") {
		a.billed++
	}
	if r, ok := result.(*record); ok {
		result = r.object(a.clock.Now().UnixMilli())
	}
	w.json(status, appendJSON(nil, versioned(result, c.version)))
}

func newCall(r *http.Request, live bool, latest int) (*call, error) {
	version, err := requestedVersion(r.Header, latest)
	if err != nil {
		return nil, err
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, errors.New("the query of the URL is malformed")
	}
	if (r.Method == http.MethodGet || r.Method == http.MethodDelete) && r.ContentLength != 0 {
		return nil, errors.New("a " + r.Method + " request carries no body")
	}
	p, err := readParams(r, query)
	return &call{request: r, live: live, version: version, query: query, params: p}, err
}

func (a *rest) retrieve(c *collection) func(*call) (any, error) {
	return func(call *call) (any, error) { return c.find(call.id(), call.live) }
}

// asRefusal gives an error that is not one of the API's the status of a request that was not understood.
func asRefusal(err error) *refusal {
	var r *refusal
	if errors.As(err, &r) {
		return r
	}
	return badRequest("The request was not understood: " + err.Error())
}

// newObject makes a record with an id of its own, created now and listed when the index has caught up.
func (a *rest) newObject(k *kind, live bool) *record {
	now := a.clock.Now()
	r := newRecord(k, a.dice.id(), live, now.Unix())
	r.listed = now.Add(a.config.indexDelayAll).UnixMilli()
	return r
}
