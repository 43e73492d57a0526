package idv

import (
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"example.com/idv/internal/route"
)

// routes are the paths of the contract (contract: endpoints). A placeholder stands for an id.
const (
	routePeople           = "/people"
	routePerson           = "/people/{PERSON_ID}"
	routeQuestionSets     = "/question_sets"
	routeQuestionSet      = "/question_sets/{QUESTION_SET_ID}"
	routeQuestionSetScore = "/question_sets/{QUESTION_SET_ID}/score"
	routeCompanies        = "/companies"
	routeCompany          = "/companies/{COMPANY_ID}"
	routeCandidates       = "/candidates"
	routeCandidate        = "/candidates/{CANDIDATE_ID}"
	routeCandidateHistory = "/candidates/{CANDIDATE_ID}/history"
	routeCandidateHits    = "/candidates/{CANDIDATE_ID}/hits"
	routeWatchlists       = "/watchlists"
)

func routes() []string {
	return []string{
		routePeople, routePerson, routeQuestionSets, routeQuestionSet, routeQuestionSetScore, routeCompanies,
		routeCompany, routeCandidates, routeCandidate, routeCandidateHistory, routeCandidateHits, routeWatchlists,
	}
}

// fill puts an id into the placeholder of a route.
func fill(pattern, id string) (string, error) {
	path, problem := route.Fill(pattern, id)
	if problem != "" {
		return "", &ParamError{Param: "id", Problem: problem}
	}
	return path, nil
}

// checkCall refuses what Call cannot send or could not decode into, before anything is paid for.
func checkCall(method, path string, in, out any) error {
	if err := checkMethod(method); err != nil {
		return err
	}
	if err := checkPath(path); err != nil {
		return err
	}
	if in != nil && (method == http.MethodGet || method == http.MethodHead || method == http.MethodDelete) {
		return &ParamError{Param: "in", Problem: "is given, but " + method + " carries no body"}
	}
	if out != nil && (reflect.TypeOf(out).Kind() != reflect.Pointer || isNil(out)) {
		return &ParamError{Param: "out", Problem: "is no pointer to decode into; pass nil itself to drop the answer"}
	}
	return nil
}

func checkMethod(method string) error {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions:
		return nil
	}
	return &ParamError{Param: "method", Problem: "is none of GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS, in upper case"}
}

// checkPath refuses what would leave the path of the base URL.
func checkPath(path string) error {
	problem := ""
	switch {
	case strings.Trim(path, "/") == "":
		problem = "is empty"
	case strings.ContainsAny(path, "?#"):
		problem = "holds ? or #; a query goes into query, and these characters are escaped in a path"
	case strings.Contains(path, "://"):
		problem = "is a whole URL; it is relative to the base URL"
	case strings.ContainsFunc(path, isBlankOrControl):
		problem = "holds a blank or a control character; escape it"
	}
	unescaped, err := url.PathUnescape(path)
	if err != nil {
		problem = "is not escaped correctly"
	}
	if problem == "" && (&url.URL{Path: unescaped, RawPath: path}).EscapedPath() != path {
		problem = "holds a character that must be escaped"
	}
	if hasStep(unescaped) {
		problem = "holds the step . or .."
	}
	if problem == "" {
		return nil
	}
	return &ParamError{Param: "path", Problem: problem}
}

// hasStep finds . and .., which servers and proxies resolve.
func hasStep(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		if part == "." || part == ".." {
			return true
		}
	}
	return false
}

func isBlankOrControl(r rune) bool { return r <= ' ' || r == 0x7f }

// isNil tells a nil pointer or map in an interface, which encoding would turn into null and decoding into a panic.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	rv := reflect.ValueOf(v)
	return (rv.Kind() == reflect.Pointer || rv.Kind() == reflect.Map) && rv.IsNil()
}
