package webhook

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
)

// readInto reads the body of a request whose header is verified, and verifies it.
func (v *Verifier) readInto(d *Delivery, r *http.Request) error {
	if r.ContentLength > v.maxBody {
		return ErrBodyTooLarge
	}
	body, err := readBody(r.Body, r.ContentLength, v.maxBody)
	if err != nil {
		return err
	}
	if missing := r.ContentLength > int64(len(body)); missing && len(body) == 0 {
		return errConsumed
	} else if missing {
		return readError(io.ErrUnexpectedEOF)
	}
	if err := v.verifyBody(d.digest, body); err != nil {
		return err
	}
	d.Body = body
	return nil
}

var errConsumed error = &refusal{kind: ErrDigestMismatch,
	detail: "not one byte came though Content-Length announced some: was the body already consumed by a middleware before this one?"}

// maxTrusted is how much memory a Content-Length gets in advance: it is not signed, and a captured header can be sent again with any.
const maxTrusted = 64 << 10

// readBody reads all of r, but never more than limit+1 bytes of it.
func readBody(r io.Reader, contentLength, limit int64) ([]byte, error) {
	if r == nil || r == http.NoBody {
		return []byte{}, nil
	}
	// One byte more than announced, so that the end is seen without growing.
	body := make([]byte, 0, min(max(contentLength, 511), limit, maxTrusted)+1)
	for {
		room := min(int64(cap(body)-len(body)), limit+1-int64(len(body)))
		n, err := r.Read(body[len(body) : len(body)+int(room)])
		body = body[:len(body)+n]
		switch {
		case int64(len(body)) > limit:
			return nil, ErrBodyTooLarge
		case err == io.EOF:
			return body, nil
		case err != nil:
			return nil, readError(err)
		case len(body) == cap(body):
			// What was announced is believed once 64 KiB of it have come: doubling would reserve three times as much.
			missing := min(contentLength, limit) + 1 - int64(len(body))
			body = slices.Grow(body, max(len(body), int(missing)))
		}
	}
}

// readError says what happened in words of its own: the text of a network error has addresses in it.
func readError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return ErrBodyTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &refusal{kind: ErrBodyRead, detail: "it came too slowly", cause: err}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &refusal{kind: ErrBodyRead, detail: "it ended before its announced length", cause: err}
	case errors.Is(err, http.ErrBodyReadAfterClose):
		return &refusal{kind: ErrBodyRead, detail: "a middleware before this one has closed it", cause: err}
	}
	return &refusal{kind: ErrBodyRead, detail: "the connection failed", cause: err}
}

// setBody lets a request's body be read again: from r.Body, and anew from every r.GetBody().
func setBody(r *http.Request, body []byte) {
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
	r.ContentLength = int64(len(body))
	r.TransferEncoding = nil
}
