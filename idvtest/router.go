package idvtest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// pattern is a path with placeholders, cut into segments: /people/{id}.
type pattern []string

func newPattern(path string) pattern { return strings.Split(strings.TrimPrefix(path, "/"), "/") }

// match reports whether an escaped path fits, and the values of the placeholders, unescaped. An empty segment fits nothing.
func (p pattern) match(escaped string) (map[string]string, bool) {
	rest, rooted := strings.CutPrefix(escaped, "/")
	segments := strings.Split(rest, "/")
	if !rooted || len(segments) != len(p) {
		return nil, false
	}
	values := make(map[string]string, 1)
	for i, want := range p {
		got, err := url.PathUnescape(segments[i])
		if err != nil || got == "" {
			return nil, false
		}
		if name, ok := placeholder(want); ok {
			values[name] = got
		} else if got != want {
			return nil, false
		}
	}
	return values, true
}

func placeholder(segment string) (name string, ok bool) {
	name, ok = strings.CutPrefix(segment, "{")
	return strings.TrimSuffix(name, "}"), ok
}

type route struct {
	method  string
	pattern pattern
	handler http.Handler
}

// router finds the handler of a request. net/http's ServeMux would answer 405 and redirect unclean paths; this service answers
// both with 404 (observed, not in the written contract).
type router struct{ routes []*route }

// handle adds a route; the handler finds the placeholders' values in [http.Request.PathValue]. Routes are added by NewServer only,
// before the first request.
func (r *router) handle(method, path string, h http.HandlerFunc) {
	r.routes = append(r.routes, &route{method: method, pattern: newPattern(path), handler: h})
}

// find returns the route of a request and sets its path values, or nil.
func (r *router) find(req *http.Request, path string) *route {
	i := slices.IndexFunc(r.routes, func(route *route) bool {
		values, ok := route.pattern.match(path)
		ok = ok && route.method == req.Method
		if ok {
			setPathValues(req, values)
		}
		return ok
	})
	if i < 0 {
		return nil
	}
	return r.routes[i]
}

func setPathValues(req *http.Request, values map[string]string) {
	for name, value := range values {
		req.SetPathValue(name, value)
	}
}
