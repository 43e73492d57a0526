package idvtest

import (
	"net/http"
	"strings"
)

// The texts of recorded errors (observed, not in the written contract).
const (
	textInvalidParameters = "One or more required parameters are invalid"
	textInvalidKey        = "The supplied API key is invalid."
	textNoCredentials     = "HTTP Basic: Access denied."
)

// refusal is an error of the API: a status and the error object of the body, whose empty members are left out. It takes
// three of the five recorded shapes: A with param and code, B with param, C with neither.
type refusal struct {
	status               int
	param, code, message string
}

func (r *refusal) Error() string { return r.message }

func badRequest(message string) *refusal {
	return &refusal{status: http.StatusBadRequest, message: message}
}

func blank(param string) *refusal {
	return &refusal{status: http.StatusBadRequest, param: param, code: "cant_be_blank", message: textInvalidParameters}
}

func invalid(param string) *refusal {
	return &refusal{status: http.StatusBadRequest, param: param, code: "is_invalid", message: textInvalidParameters}
}

func unauthorized(message string) *refusal {
	return &refusal{status: http.StatusUnauthorized, message: message}
}

// notFound words what the service says of an id it does not know. Recorded for Person and Candidate; the others follow.
func notFound(title, id string) *refusal {
	return &refusal{status: http.StatusNotFound, message: title + " with id " + id + " could not be found"}
}

// refuse writes shape A, B or C. The type was the same in every recorded error, 401 and 404 included.
func (a *answer) refuse(r *refusal) {
	a.why = strings.TrimSpace(r.message + " " + r.param + " " + r.code)
	e := object{{"type", "invalid_request_error"}}
	if r.code == "" {
		e = e.with("message", r.message).withText("param", r.param)
	} else {
		e = e.with("param", r.param).with("code", r.code).with("message", r.message)
	}
	a.json(r.status, appendJSON(nil, object{{"error", e}}))
}

// notRouted writes shape D: a path or a method that does not exist, where error is a string and status too.
func (a *answer) notRouted() {
	a.why = "no such path or method"
	a.json(http.StatusNotFound, appendJSON(nil, object{{"status", "404"}, {"error", "Not Found"}}))
}

// noCredentials writes shape E: HTML that is no HTML, with the challenge.
func (a *answer) noCredentials() {
	a.why = "no credentials"
	a.status, a.body = http.StatusUnauthorized, []byte(textNoCredentials)
	a.header.Set("Content-Type", "text/html")
	a.header.Set("Www-Authenticate", `Basic realm="Application"`)
}
