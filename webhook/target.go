package webhook

import (
	"net/http"
	"strings"
)

// maxTarget bounds what is hashed for a forged request.
const maxTarget = 8 << 10

// target is what may stand in the signing string after the method: the path as on the request line and, only where the request
// has a query, path plus query. The contract says path; public receivers sign both (observed, not in the written contract).
type target struct {
	path      string
	withQuery string // "" when the request has no query
}

// requestTarget takes the target from the request line as it was sent: routers change r.URL, never r.RequestURI. A proxy that
// rewrites the path is answered by the fixed path.
func requestTarget(r *http.Request, fixed string) (target, error) {
	sent := r.RequestURI
	if sent == "" && r.URL != nil { // a request made by hand
		sent = r.URL.EscapedPath()
		if r.URL.RawQuery != "" || r.URL.ForceQuery {
			sent += "?" + r.URL.RawQuery
		}
	}
	return parseTarget(sent, fixed)
}

func parseTarget(sent, fixed string) (target, error) {
	if !strings.HasPrefix(sent, "/") {
		sent = originForm(sent)
	}
	if sent == "" || len(sent) > maxTarget {
		return target{}, errTarget
	}
	path, query, hasQuery := strings.Cut(sent, "?")
	switch {
	case fixed == "" && hasQuery:
		return target{path: path, withQuery: sent}, nil
	case hasQuery:
		return target{path: fixed, withQuery: fixed + "?" + query}, nil
	case fixed != "":
		return target{path: fixed}, nil
	}
	return target{path: path}, nil
}

var errTarget error = &refusal{kind: ErrMalformed, detail: "the request target is not a path"}

// originForm returns the path and query of a target in absolute form ("http://host/path?query"), which servers must accept, and
// nothing for the two other forms, "*" and "host:port".
func originForm(absolute string) string {
	_, rest, ok := strings.Cut(absolute, "://")
	if !ok {
		return ""
	}
	switch i := strings.IndexAny(rest, "/?"); {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	default:
		return rest[i:]
	}
}
