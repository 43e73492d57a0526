package webhooktest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/idv/internal/signature"
)

// Signer signs requests as the service does.
type Signer struct {
	KeyID  string           // the account's API key
	Secret string           // the account's API secret
	Path   string           // path of the receiver URL, escaped; "" means "/". A query is sent, and not signed (contract: authentication, 2)
	Now    func() time.Time // the clock of the Date header; nil means time.Now. Give the verifier the same with WithClock

	Environment string // of events that name none; "" means sandbox
}

// serviceVersion is the version of the webhook format in the published sample.
const serviceVersion = "2020-08-14"

// Header returns the headers of a delivery of body (contract: receiver).
func (s Signer) Header(body []byte) http.Header {
	return s.header(body, s.sent(0))
}

// Request returns a delivery of body, as an http.Handler gets it from a server.
func (s Signer) Request(body []byte) *http.Request {
	return s.request(body, s.Header(body))
}

// Event returns a delivery of e, as an http.Handler gets it from a server.
func (s Signer) Event(e Event) *http.Request {
	setDefault(&e.Environment, s.Environment)
	return s.Request(e.Body())
}

// sent returns the Date of a request that is sent after the clock's time by d.
func (s Signer) sent(d time.Duration) string {
	now := s.Now
	if now == nil {
		now = time.Now
	}
	return now().Add(d).UTC().Format(http.TimeFormat)
}

func (s Signer) header(body []byte, date string) http.Header {
	digest := signature.Digest(body)
	return http.Header{
		"Accept":          {"application/json"},
		"Authorization":   {s.authorization(s.path(), date, digest)},
		"Content-Length":  {strconv.Itoa(len(body))},
		"Content-Type":    {"application/json"},
		"Date":            {date},
		"Digest":          {digest},
		"Service-Version": {serviceVersion},
	}
}

func (s Signer) authorization(target, date, digest string) string {
	return signature.NewKey(s.KeyID, s.Secret).Authorization(signature.Request{
		Method: http.MethodPost, Target: target, Date: date, Digest: digest,
	})
}

// path is what is signed.
func (s Signer) path() string {
	path, _, _ := strings.Cut(s.target(), "?")
	return path
}

// target is what stands on the request line.
func (s Signer) target() string {
	if s.Path == "" {
		return "/"
	}
	return s.Path
}

func (s Signer) request(body []byte, header http.Header) *http.Request {
	return s.requestTo(s.target(), body, header)
}

func (s Signer) requestTo(target string, body []byte, header http.Header) *http.Request {
	u, err := url.ParseRequestURI(target)
	if err != nil {
		u = &url.URL{Path: target}
	}
	return &http.Request{
		Method: http.MethodPost, URL: u, RequestURI: target, Host: "receiver.example",
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, RemoteAddr: "192.0.2.1:1234",
		Header: header, ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body)),
	}
}
