package idv

import (
	"context"
	"net/http"
)

// params is what a request body is made of.
type params interface{ Validate() error }

// fetch calls one method of the contract that answers a T. An id goes into the placeholder of the route.
func fetch[T any](ctx context.Context, c *Client, method, route, id string, in any, opts []CallOption) (*T, error) {
	path, err := fill(route, id)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := c.do(ctx, operation{method: method, route: route, path: path, in: in, out: out}, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// get reads one object.
func get[T any](ctx context.Context, c *Client, route, id string, opts []CallOption) (*T, error) {
	return fetch[T](ctx, c, http.MethodGet, route, id, nil, opts)
}

// send validates in before money is spent on it, and sends it.
func send[T any](ctx context.Context, c *Client, method, route, id string, in params, opts []CallOption) (*T, error) {
	if isNil(in) {
		return nil, &ParamError{Param: "params", Problem: "is nil"}
	}
	call, err := c.callConfig(opts)
	if err != nil {
		return nil, err
	}
	if !call.unvalidated {
		if err := in.Validate(); err != nil {
			return nil, err
		}
	}
	return fetch[T](ctx, c, method, route, id, in, opts)
}

// list reads one page of an index; p may be nil.
func list[T any](ctx context.Context, c *Client, route string, p *ListParams, opts []CallOption) (*List[T], error) {
	query, err := p.values()
	if err != nil {
		return nil, err
	}
	out := new(List[T])
	op := operation{method: http.MethodGet, route: route, path: route, query: query, out: out}
	if err := c.do(ctx, op, opts); err != nil {
		return nil, err
	}
	return out, nil
}
