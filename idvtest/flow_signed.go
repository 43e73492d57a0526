package idvtest

import (
	"io"
	"net/http"
	"time"

	"example.com/idv/internal/signature"
)

const (
	// signedWithin is how far the Date of a signed request may be off; the limit itself is too far (contract: Authentication).
	signedWithin = 15 * time.Minute

	jsonAPI = "application/vnd.api+json"
)

// signed admits requests with a valid signature and the headers of the Flow API, and writes what the handler answers.
func (f *flow) signed(handle flowHandler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		status, o, refused := f.admit(r, handle)
		if refused != nil {
			status, o = refused.status, refused.object()
		}
		w.Header().Set("Content-Type", jsonAPI)
		w.WriteHeader(status)
		_, _ = w.Write(appendJSON(nil, o))
	}
}

func (f *flow) admit(r *http.Request, handle flowHandler) (int, object, *flowError) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return 0, nil, badFlowRequest("The body could not be read.", "")
	}
	if refused := f.authenticate(r, body); refused != nil {
		return 0, nil, refused
	}
	if refused := negotiated(r); refused != nil {
		return 0, nil, refused
	}
	return handle(r, body)
}

// authenticate verifies a request like a webhook, but for the target: here it is path and query (observed).
func (f *flow) authenticate(r *http.Request, body []byte) *flowError {
	h := r.Header
	if h.Get("Authorization") == "" || h.Get("Date") == "" || h.Get("Digest") == "" {
		return unsigned("Date, Digest and Authorization are required.")
	}
	req := signature.Request{Method: r.Method, Target: r.RequestURI, Date: h.Get("Date"), Digest: h.Get("Digest")}
	if !f.hooks.key.Matches(h.Get("Authorization"), req) {
		return unsigned("The signature does not match.")
	}
	date, err := http.ParseTime(h.Get("Date"))
	if err != nil || f.clock.Now().Sub(date).Abs() >= signedWithin {
		return unsigned("The Date is not within 15 minutes of the service's time.")
	}
	if !signature.DigestMatches(h.Get("Digest"), body) {
		return unsigned("The Digest is not that of the body.")
	}
	return nil
}

// negotiated wants the media type and the version that every request carries (observed).
func negotiated(r *http.Request) *flowError {
	if r.Header.Get("Accept") != jsonAPI {
		return &flowError{http.StatusNotAcceptable, "Not acceptable", "Accept is " + jsonAPI + ".", ""}
	}
	if r.Method == http.MethodPost && r.Header.Get("Content-Type") != jsonAPI {
		return &flowError{http.StatusUnsupportedMediaType, "Unsupported media type", "Content-Type is " + jsonAPI + ".", ""}
	}
	if r.Header.Get("Service-Version") != serviceVersion {
		return badFlowRequest("Service-Version is "+serviceVersion+".", "")
	}
	return nil
}

// flowError is a refusal of the Flow API; pointer names the member of the body that is at fault, "" the body or the
// request as a whole.
type flowError struct {
	status                 int
	title, detail, pointer string
}

func badFlowRequest(detail, pointer string) *flowError {
	return &flowError{http.StatusBadRequest, "Invalid request", detail, pointer}
}

func unsigned(detail string) *flowError {
	return &flowError{http.StatusUnauthorized, "Unauthorized", detail, ""}
}

func noSuchSession(detail, pointer string) *flowError {
	return &flowError{http.StatusNotFound, "Not found", detail, pointer}
}

func (e *flowError) object() object {
	return object{{"errors", []object{{
		{"title", e.title}, {"detail", e.detail}, {"source", object{{"pointer", e.pointer}}},
	}}}}
}
