package main

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"time"

	"example.com/idv"
)

// object is what an export needs to know of a person or a candidate.
type object struct {
	mark
	raw []byte
}

// source is what people and candidates have in common.
type source struct {
	// count says how many objects were created in [from, to], and what time it is for the service.
	count func(ctx context.Context, p *idv.ListParams, opts ...idv.CallOption) (int, error)
	all   func(ctx context.Context, p *idv.ListParams, opts ...idv.CallOption) iter.Seq2[object, error]
}

func newSource(client *idv.Client, what string) (source, error) {
	switch what {
	case "people":
		return source{
			count: counted(client.People.List),
			all: objects(client.People.All, func(p *idv.Person) object {
				return object{mark{p.CreatedAt.Unix(), p.ID}, p.RawJSON()}
			}),
		}, nil
	case "candidates":
		return source{
			count: counted(client.Candidates.List),
			all: objects(client.Candidates.All, func(c *idv.Candidate) object {
				return object{mark{c.CreatedAt.Unix(), c.ID}, c.RawJSON()}
			}),
		}, nil
	}
	return source{}, fmt.Errorf("-what %q: it is people or candidates", what)
}

func counted[T any](list func(context.Context, *idv.ListParams, ...idv.CallOption) (*idv.List[T], error)) func(context.Context, *idv.ListParams, ...idv.CallOption) (int, error) {
	return func(ctx context.Context, p *idv.ListParams, opts ...idv.CallOption) (int, error) {
		page, err := list(ctx, p, opts...)
		if err != nil {
			return 0, err
		}
		return page.TotalCount, nil
	}
}

func objects[T any](all func(context.Context, *idv.ListParams, ...idv.CallOption) iter.Seq2[*T, error], of func(*T) object) func(context.Context, *idv.ListParams, ...idv.CallOption) iter.Seq2[object, error] {
	return func(ctx context.Context, p *idv.ListParams, opts ...idv.CallOption) iter.Seq2[object, error] {
		return func(yield func(object, error) bool) {
			for v, err := range all(ctx, p, opts...) {
				if err != nil {
					yield(object{}, err)
					return
				}
				if !yield(of(v), nil) {
					return
				}
			}
		}
	}
}

// now is the service's time, which created_at follows, by the answer to a small request.
func (s source) now(ctx context.Context) (int64, error) {
	var answer idv.Response
	never := &idv.ListParams{CreatedAt: between(0, 0)}
	if _, err := s.count(ctx, never, idv.CaptureResponse(&answer)); err != nil {
		return 0, err
	}
	date, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		date = time.Now() // RFC 9110 has every server with a clock send it
	}
	return date.Unix(), nil
}

// between bounds created_at in Unix seconds, both included.
func between(from, to int64) idv.TimeRange {
	return idv.TimeRange{NotBefore: time.Unix(from, 0), NotAfter: time.Unix(to, 0)}
}
