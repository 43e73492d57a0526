// Package route makes paths out of routes, which are paths with placeholders such as {PERSON_ID}, and finds the route
// of a path.
package route

import (
	"net/url"
	"strings"
)

// Fill puts an id into the placeholder of a route, escaped, for an id is the service's and may hold anything. The ids
// that would change the path for a proxy on the way are refused: problem says why, and is empty otherwise.
func Fill(route, id string) (path, problem string) {
	before, rest, found := strings.Cut(route, "{")
	if !found {
		return route, ""
	}
	switch id {
	case "":
		return "", "is empty"
	case ".", "..":
		return "", "is a step in a path, not an id"
	}
	_, after, _ := strings.Cut(rest, "}")
	return before + url.PathEscape(id) + after, ""
}

// Of finds the route that an escaped path belongs to, so that an observer sees no id as a route of its own; "" if it is
// none of routes. Of several, the one that comes first.
func Of(path string, routes []string) string {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	for _, route := range routes {
		if matches(strings.Split(route[1:], "/"), parts) {
			return route
		}
	}
	return ""
}

func matches(route, parts []string) bool {
	if len(route) != len(parts) {
		return false
	}
	for i, want := range route {
		if want != parts[i] && want[0] != '{' {
			return false
		}
	}
	return true
}
