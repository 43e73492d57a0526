package idv

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"net/http"
	"time"

	"example.com/idv/internal/scan"
)

// scanConfig is what the call options for All say.
type scanConfig struct {
	parallel    int
	maxRequests int
	progress    func(done, total int)
}

const maxParallel = 256

// Parallel lets All keep up to k requests in flight, each in a window of creation times of its own. The order of the
// objects is no longer that of the service then. The default is 1, the most 256.
// Other methods pay it no heed.
func Parallel(k int) CallOption {
	return func(c *callConfig) error {
		if k < 1 || k > maxParallel {
			return &ParamError{Param: "Parallel", Problem: "is not between 1 and 256"}
		}
		c.scan.parallel = k
		return nil
	}
}

// MaxRequests makes All end in a *LimitError before it sends more than n requests, retries not counted. The default is
// no limit. Other methods pay it no heed.
func MaxRequests(n int) CallOption {
	return func(c *callConfig) error {
		if n < 1 {
			return &ParamError{Param: "MaxRequests", Problem: "is below 1"}
		}
		c.scan.maxRequests = n
		return nil
	}
}

// OnProgress calls f as All goes on: done objects of total. Neither ever falls; without an error they end equal. f runs
// on the goroutine of the loop. Other methods pay it no heed.
func OnProgress(f func(done, total int)) CallOption {
	return func(c *callConfig) error {
		if f == nil {
			return &ParamError{Param: "OnProgress", Problem: "is given nil"}
		}
		c.scan.progress = f
		return nil
	}
}

// LimitError ends an enumeration that MaxRequests does not let go on. What was yielded is right, but not everything.
type LimitError struct{ MaxRequests int }

func (e *LimitError) Error() string {
	return "idv: the enumeration needs more requests than MaxRequests allows, and is not complete"
}

// keyed is a model that can be enumerated.
type keyed[T any] interface {
	*T
	key() (id string, created Time)
}

// all enumerates an index by windows of creation times; internal/scan knows how.
func all[T any, P keyed[T]](ctx context.Context, c *Client, route string, p *ListParams, opts []CallOption) iter.Seq2[*T, error] {
	return func(yield func(*T, error) bool) {
		s, err := newScan[T, P](ctx, c, route, p, opts)
		if err != nil {
			yield(nil, err)
			return
		}
		for item, err := range scan.All(ctx, s.config()) {
			if !yield(item, scanError(err)) || err != nil {
				return
			}
		}
	}
}

// enumeration is one run of All.
type enumeration[T any, P keyed[T]] struct {
	client *Client
	route  string
	params ListParams
	bounds scan.Window
	call   *callConfig
}

func newScan[T any, P keyed[T]](ctx context.Context, c *Client, route string, p *ListParams, opts []CallOption) (*enumeration[T, P], error) {
	if ctx == nil {
		return nil, &ParamError{Param: "ctx", Problem: "is nil"}
	}
	s := &enumeration[T, P]{client: c, route: route}
	if p != nil {
		s.params = *p
		s.params.Filter, s.params.Ranges = maps.Clone(p.Filter), maps.Clone(p.Ranges)
	}
	if err := s.params.Validate(); err != nil {
		return nil, err
	}
	switch {
	case s.params.Search != "":
		return nil, &ParamError{Param: "Search", Problem: "cannot be enumerated: its order is by relevance, and All goes by creation times; use List"}
	case s.params.Offset != 0:
		return nil, &ParamError{Param: "Offset", Problem: "cannot start an enumeration; narrow CreatedAt instead"}
	}
	s.bounds = window(s.params.CreatedAt)
	var err error
	if s.call, err = c.callConfig(opts); err != nil {
		return nil, err
	}
	if s.call.capture != nil && s.call.scan.parallel > 1 {
		return nil, &ParamError{Param: "CaptureResponse", Problem: "is given beside Parallel, where no answer is the latest"}
	}
	return s, nil
}

func (s *enumeration[T, P]) config() scan.Config[*T] {
	return scan.Config[*T]{
		List:        s.list,
		ID:          func(v *T) string { id, _ := P(v).key(); return id },
		Created:     func(v *T) int64 { _, created := P(v).key(); return created.Unix() },
		Bounds:      s.bounds,
		Parallel:    s.call.scan.parallel,
		MaxRequests: s.call.scan.maxRequests,
		Progress:    s.call.scan.progress,
		// An offset is no part of the contract: only who set a Count relies on what was observed already.
		Offset: s.params.Count > 0,
	}
}

// list reads the page of one window.
func (s *enumeration[T, P]) list(ctx context.Context, w scan.Window, offset int) (scan.Page[*T], error) {
	params := s.params
	params.CreatedAt = timeRange(w)
	params.Offset = offset
	query, err := params.Values()
	if err != nil {
		return scan.Page[*T]{}, err
	}
	var answer Response
	call := *s.call
	call.capture = &answer
	var page List[T]
	err = s.client.exchange(ctx, operation{method: http.MethodGet, route: s.route, path: s.route, query: query, out: &page}, &call)
	if s.call.capture != nil {
		*s.call.capture = answer
	}
	if err != nil {
		return scan.Page[*T]{}, err
	}
	if !page.isWhole() {
		return scan.Page[*T]{}, &DecodeError{Method: http.MethodGet, Path: s.route, StatusCode: answer.StatusCode, Body: answer.Body, Err: errNoEnvelope}
	}
	date, _ := http.ParseTime(answer.Header.Get("Date"))
	return scan.Page[*T]{Items: page.Data, Total: page.TotalCount, HasMore: page.HasMore, Date: date}, nil
}

// window turns the caller's range into whole seconds, both ends included.
func window(r TimeRange) scan.Window {
	w := scan.Window{From: scan.Past, To: scan.Future}
	if !r.After.IsZero() {
		w.From = r.After.Unix() + 1
	}
	if !r.NotBefore.IsZero() {
		w.From = max(w.From, ceil(r.NotBefore))
	}
	if !r.Before.IsZero() {
		w.To = ceil(r.Before) - 1
	}
	if !r.NotAfter.IsZero() {
		w.To = min(w.To, r.NotAfter.Unix())
	}
	return w
}

func timeRange(w scan.Window) TimeRange {
	return TimeRange{NotBefore: moment(w.From), NotAfter: moment(w.To)}
}

// moment is the zero time for an open end.
func moment(second int64) time.Time {
	if second == math.MinInt64 || second == math.MaxInt64 {
		return time.Time{}
	}
	return time.Unix(second, 0).UTC()
}

// scanError gives the errors of internal/scan their public types.
func scanError(err error) error {
	var incomplete *scan.Incomplete
	var limit *scan.LimitError
	switch {
	case errors.As(err, &incomplete):
		gaps := make([]Gap, len(incomplete.Gaps))
		for i, g := range incomplete.Gaps {
			gaps[i] = Gap{From: moment(g.From), To: moment(g.To), TotalCount: g.Count, Seen: g.Seen, Reason: g.Reason}
		}
		return &IncompleteError{Gaps: gaps}
	case errors.As(err, &limit):
		return &LimitError{MaxRequests: limit.MaxRequests}
	}
	return err
}
