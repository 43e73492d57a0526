package transport

import (
	"bytes"
	"io"
	"net/http"
)

// A length that a server merely claims reserves no more than this.
const trusted = 1 << 20

// read takes the whole body up to limit bytes, to its very end, and closes it: HTTP/2 resets a stream that is closed
// before its end. The bytes belong to the caller: models keep parts of them as their raw JSON. A body longer than limit
// gives its first limit bytes and ErrTooLarge, one shorter than announced io.ErrUnexpectedEOF whoever counts.
func (t *Transport) read(resp *http.Response, method string, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	announced := resp.ContentLength
	if announced < 0 {
		return t.readUnannounced(resp.Body, limit)
	}
	size := min(announced+1, trusted) // one more than it has, so that its end is seen without growing
	b, err := readUpTo(resp.Body, make([]byte, 0, size), limit)
	if err == nil && int64(len(b)) < announced && method != http.MethodHead {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

// readUnannounced grows a buffer that is used again, and gives away a copy of the right size.
func (t *Transport) readUnannounced(r io.Reader, limit int64) ([]byte, error) {
	scratch, ok := t.scratch.Get().(*[]byte)
	if !ok {
		scratch = new([]byte)
		*scratch = make([]byte, 0, 4096)
	}
	b, err := readUpTo(r, (*scratch)[:0], limit)
	if cap(b) <= trusted {
		*scratch = b
		t.scratch.Put(scratch)
		b = bytes.Clone(b)
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
