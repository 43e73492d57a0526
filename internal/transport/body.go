package transport

import (
	"io"
	"net/http"
)

// A length that a server merely claims reserves no more than this.
const trusted = 1 << 20

// read takes the whole body up to limit bytes, to its very end, and closes it: HTTP/2 resets a stream that is closed
// before its end. The bytes belong to the caller: models keep parts of them as their raw JSON. A body longer than limit
// gives its first limit bytes and ErrTooLarge, one shorter than announced io.ErrUnexpectedEOF whoever counts.
func read(resp *http.Response, method string, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	announced := resp.ContentLength
	size := int64(512)
	if announced >= 0 {
		size = min(announced+1, trusted) // one more than it has, so that its end is seen without growing
	}
	b, err := readUpTo(resp.Body, make([]byte, 0, size), limit)
	if err == nil && int64(len(b)) < announced && method != http.MethodHead {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

func readUpTo(r io.Reader, b []byte, limit int64) ([]byte, error) {
	for {
		if len(b) == cap(b) {
			b = append(b, 0)[:len(b)]
		}
		n, err := r.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return b[:limit], ErrTooLarge
		case err == io.EOF:
			return b, nil
		case err != nil:
			return b, err
		}
	}
}
