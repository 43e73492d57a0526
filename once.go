package idv

import (
	"context"
	"errors"
	"strings"
	"time"
)

// The settling time is how long an index is given to show what was made: a candidate can be missing from a list for
// some seconds after its creation (observed, not in the written contract).
const (
	defaultSettling = 30 * time.Second
	firstLook       = 500 * time.Millisecond
	maxSends        = 3
)

// onceConfig is what the call options for CreateOnce say.
type onceConfig struct {
	settling  time.Duration
	lookFirst bool
}

// Settling sets how long CreateOnce keeps looking for what an uncertain request may have made before it sends another.
// The default is 30 s. Other methods pay it no heed.
func Settling(d time.Duration) CallOption {
	return func(c *callConfig) error {
		c.once.settling = d
		return notNegative("Settling", d)
	}
}

// LookFirst makes CreateOnce look for the reference before the first request too: for a run that may repeat what an
// earlier one, which did not get to write down its result, has done. Other methods pay it no heed.
func LookFirst() CallOption {
	return func(c *callConfig) error {
		c.once.lookFirst = true
		return nil
	}
}

// CreateOnce is Create for callers who cannot leave an outcome open. reference is a text of the caller's own, unique to
// this person, that is put into note. When the outcome of a request is unknown, the person is looked for by
// filter[note]; it is sent again only after the look-ups of the settling time (Settling, 30 s) found nothing, and three
// times at most. Of several people with the reference, the oldest is returned.
//
// Its limit: the service offers no idempotency key. An index that lags longer than the settling time, or a request that
// arrives after it, can still yield two. Choose the settling time by what a second verification costs you.
//
// Errors: those of Create; *ParamError for an empty reference or a params.Note that differs from it; *UncertainError
// where the look-ups failed, found nothing after the last request, or the context ended.
func (s *PeopleService) CreateOnce(ctx context.Context, params *PersonParams, reference string, opts ...CallOption) (*Person, error) {
	if params == nil {
		return nil, &ParamError{Param: "params", Problem: "is nil"}
	}
	p := *params
	o := once[Person, *Person]{client: s.client, reference: reference, note: p.Note, list: s.List}
	o.create = func() (*Person, error) { p.Note = reference; return s.Create(ctx, &p, opts...) }
	return o.run(ctx, opts)
}

// CreateOnce is Create for callers who cannot leave an outcome open, as PeopleService.CreateOnce is.
func (s *CompaniesService) CreateOnce(ctx context.Context, params *CompanyParams, reference string, opts ...CallOption) (*Company, error) {
	if params == nil {
		return nil, &ParamError{Param: "params", Problem: "is nil"}
	}
	p := *params
	o := once[Company, *Company]{client: s.client, reference: reference, note: p.Note, list: s.List}
	o.create = func() (*Company, error) { p.Note = reference; return s.Create(ctx, &p, opts...) }
	return o.run(ctx, opts)
}

// CreateOnce is Create for callers who cannot leave an outcome open, as PeopleService.CreateOnce is.
func (s *CandidatesService) CreateOnce(ctx context.Context, params *CandidateParams, reference string, opts ...CallOption) (*Candidate, error) {
	if params == nil {
		return nil, &ParamError{Param: "params", Problem: "is nil"}
	}
	p := *params
	o := once[Candidate, *Candidate]{client: s.client, reference: reference, list: s.List}
	if p.Note != nil {
		o.note = *p.Note
	}
	o.create = func() (*Candidate, error) { p.Note = &reference; return s.Create(ctx, &p, opts...) }
	return o.run(ctx, opts)
}

// noted is a model that carries a note.
type noted[T any] interface {
	keyed[T]
	noted() string
}

// once makes one object, whatever happens to the requests.
type once[T any, P noted[T]] struct {
	client          *Client
	reference, note string
	create          func() (*T, error)
	list            func(context.Context, *ListParams, ...CallOption) (*List[T], error)
}

func (o *once[T, P]) run(ctx context.Context, opts []CallOption) (*T, error) {
	call, err := o.check(ctx, opts)
	if err != nil {
		return nil, err
	}
	if call.once.lookFirst {
		if found, err := o.find(ctx); found != nil || err != nil {
			return found, err
		}
	}
	var open error
	for range maxSends {
		made, err := o.create()
		if !isOpen(err) {
			return made, err
		}
		open = err
		found, err := o.settle(ctx, call.once.settling)
		if found != nil {
			return found, nil
		}
		if err != nil || isPaid(open) {
			return nil, withLookUp(open, err)
		}
	}
	return nil, open
}

func (o *once[T, P]) check(ctx context.Context, opts []CallOption) (*callConfig, error) {
	switch {
	case ctx == nil:
		return nil, &ParamError{Param: "ctx", Problem: "is nil"}
	case o.reference == "" || o.reference != strings.TrimSpace(o.reference):
		return nil, &ParamError{Param: "reference", Problem: "is empty, or begins or ends with a blank"}
	case o.note != "" && o.note != o.reference:
		return nil, &ParamError{Param: "note", Problem: "is set; CreateOnce puts its reference there"}
	}
	return o.client.callConfig(opts)
}

// settle looks until the settling time is over, at growing intervals, the last time at its very end. Only that last look
// must succeed for the absence of an object to be a finding.
func (o *once[T, P]) settle(ctx context.Context, settling time.Duration) (*T, error) {
	end := time.Now().Add(settling)
	for wait := firstLook; ; wait *= 2 {
		found, err := o.find(ctx)
		left := time.Until(end)
		if found != nil || left <= 0 || !mayPass(ctx, err) {
			return found, err
		}
		if err := sleep(ctx, min(wait, left)); err != nil {
			return nil, err
		}
	}
}

// mayPass says of the error of a look-up that the next one may go better.
func mayPass(ctx context.Context, err error) bool {
	var transport *TransportError
	return err == nil || ctx.Err() == nil && (errors.As(err, &transport) || errors.Is(err, ErrServer) || errors.Is(err, ErrRateLimited))
}

var errNoAbsence = errors.New("the list is not whole, or holds objects without the reference that it was asked for")

// find returns the oldest object with the reference, nil if there is none. Only a list that is empty by its own counts
// shows that there is none.
func (o *once[T, P]) find(ctx context.Context) (*T, error) {
	page, err := o.list(ctx, &ListParams{Filter: Filter{"note": o.reference}})
	if err != nil {
		return nil, err
	}
	var oldest *T
	for _, object := range page.Data {
		if P(object).noted() == o.reference && (oldest == nil || created[T, P](object) < created[T, P](oldest)) {
			oldest = object
		}
	}
	empty := page.isWhole() && page.TotalCount == 0 && !page.HasMore && len(page.Data) == 0
	if oldest == nil && !empty {
		return nil, errNoAbsence
	}
	return oldest, nil
}

func created[T any, P keyed[T]](object *T) int64 {
	_, at := P(object).key()
	return at.Unix()
}

func (p *Person) noted() string    { return deref(p.Note) }
func (c *Company) noted() string   { return deref(c.Note) }
func (c *Candidate) noted() string { return deref(c.Note) }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// isOpen says that an object may have been made and is not at hand.
func isOpen(err error) bool {
	var uncertain *UncertainError
	return errors.As(err, &uncertain) || isPaid(err)
}

// isPaid says that it has been made for certain: there is nothing to send again.
func isPaid(err error) bool {
	var decode *DecodeError
	var uncertain *UncertainError
	return errors.As(err, &decode) && !errors.As(err, &uncertain)
}

// withLookUp adds to an open outcome why looking did not settle it.
func withLookUp(open, why error) error {
	var uncertain *UncertainError
	if why == nil || !errors.As(open, &uncertain) {
		return open
	}
	return &UncertainError{Method: uncertain.Method, Path: uncertain.Path, Started: uncertain.Started, Err: joined(uncertain.Err, why)}
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
