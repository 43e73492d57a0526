package transport

import (
	"bytes"
	"io"
	"net/http"
)

// A length that a server merely claims reserves no more than this.
const trusted = 1 << 20

// read takes the whole body up to limit bytes and closes it. The bytes belong to the caller: models keep parts of them
// as their raw JSON. A body longer than limit gives its first limit bytes and ErrTooLarge.
func read(resp *http.Response, limit int64) ([]byte, error) {
	defer resp.Body.Close()
	if n := resp.ContentLength; n >= 0 && n <= min(limit, trusted) {
		return readExactly(resp.Body, n)
	}
	var b bytes.Buffer
	_, err := b.ReadFrom(io.LimitReader(resp.Body, limit+1))
	if int64(b.Len()) > limit {
		b.Truncate(int(limit))
		return b.Bytes(), ErrTooLarge
	}
	return b.Bytes(), err
}

// readExactly needs one allocation and no growing. An early end is io.ErrUnexpectedEOF whoever counts the bytes.
func readExactly(r io.Reader, n int64) ([]byte, error) {
	b := make([]byte, n)
	got, err := io.ReadFull(r, b)
	if err == io.EOF && n > 0 {
		err = io.ErrUnexpectedEOF
	}
	return b[:got], err
}
