// Package scheme describes an API of the service beside the REST API: other credentials, other headers, the same
// transport, options, errors and promises. A client for one is made with idv.NewFor; package flow is the first.
package scheme

import (
	"net/http"
	"net/url"
	"time"
)

// Scheme is what sets an API apart. Its functions are called from many goroutines at once.
type Scheme struct {
	// Header makes what every request carries, but for the User-Agent. The values may be shared between requests.
	Header func() http.Header
	// Sign completes the header of one attempt: a retry after a wait must not carry the date of the attempt before. The
	// header is the attempt's own; body is nil where there is none.
	Sign func(r *http.Request, body []byte, now time.Time)
	// Repeatable says of a request other than a GET that sending it twice does what sending it once does. The query is
	// the one that is sent.
	Repeatable func(method, path string, query url.Values) bool
	// Routes are the paths with placeholders for ids, for observers.
	Routes []string
}

// Decoder is a value that reads an answer by itself, its header included.
type Decoder interface {
	DecodeAnswer(header http.Header, body []byte) error
}
