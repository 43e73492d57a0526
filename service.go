package idv

import (
	"context"
	"net/http"
)

// params is what a request body is made of.
type params interface{ Validate() error }

// fetch calls one method of the contract that answers a T. An id goes into the placeholder of the route.
func fetch[T any](ctx context.Context, c *Client, method, route, id string, in params, opts []CallOption) (*T, error) {
	path, err := fill(route, id)
	if err != nil {
		return nil, err
	}
	call, err := c.callConfig(opts)
	if err != nil {
		return nil, err
	}
	op := operation{method: method, route: route, path: path}
	if in != nil {
		op.in = in
		if err := in.Validate(); err != nil && !call.unvalidated {
			return nil, err
		}
	}
	out := new(T)
	op.out = out
	if err := c.exchange(ctx, op, call); err != nil {
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
	return fetch[T](ctx, c, method, route, id, in, opts)
}

// list reads one page of an index; p may be nil.
func list[T any](ctx context.Context, c *Client, route string, p *ListParams, opts []CallOption) (*List[T], error) {
	query, err := p.Values()
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
