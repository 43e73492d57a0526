package flow

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"example.com/idv/internal/scheme"
	"example.com/idv/internal/signature"
)

// ServiceVersion is the version of the Flow API that this module is written for; every request names it (observed, not in
// the written contract).
const ServiceVersion = "2020-08-14"

const mediaType = "application/vnd.api+json"

const (
	routeSessions = "/flow_sessions"
	routeRetry    = "/flow_sessions/retry"
	routeSession  = "/flow_sessions/{FLOW_SESSION_ID}"
)

// newScheme is how the requests of this API differ from those of the REST API.
func newScheme(key *signature.Key) *scheme.Scheme {
	media, version := []string{mediaType}, []string{ServiceVersion}
	return &scheme.Scheme{
		Header: func() http.Header {
			return http.Header{"Accept": media, "Content-Type": media, "Service-Version": version}
		},
		Sign:       func(r *http.Request, body []byte, now time.Time) { sign(key, r, body, now) },
		Repeatable: repeatable,
		Routes:     []string{routeSessions, routeRetry, routeSession},
	}
}

// sign dates and signs a request over path and query as they stand on the request line.
func sign(key *signature.Key, r *http.Request, body []byte, now time.Time) {
	date, digest := now.UTC().Format(http.TimeFormat), signature.Digest(body)
	r.Header.Set("Date", date)
	r.Header.Set("Digest", digest)
	r.Header.Set("Authorization", key.Authorization(signature.Request{
		Method: r.Method, Target: r.URL.RequestURI(), Date: date, Digest: digest,
	}))
}

// repeatable goes by what is sent: where an option of the call has added a second idempotent, which of them the service
// obeys is unknown.
func repeatable(method, path string, query url.Values) bool {
	return method == http.MethodPost && path == routeSessions && slices.Equal(query["idempotent"], []string{"true"})
}

// SignCustomerReference signs a customer reference for the client-side integration: the web page hands the signature over
// beside customerReference, so that nobody can start a Flow for somebody else's (observed, not in the written contract).
// It is the standard Base64 of HMAC-SHA256 over the reference, keyed with the secret as it is written. The secret stays on
// the server; the page gets the signature only.
//
// A reference with control characters gets no signature: the result is empty. One key signs references, requests and
// webhooks alike, and a signing string is nothing but text of three lines: who may choose a reference with newlines in
// it, as the name of his account perhaps, would get a webhook of his own making signed, such as his approval.
func SignCustomerReference(secret, reference string) string {
	if strings.ContainsFunc(reference, unicode.IsControl) {
		return ""
	}
	return signature.NewKey("", secret).SignText(reference)
}
