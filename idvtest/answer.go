package idvtest

import (
	"crypto/md5"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// answer is a response before it goes out: handlers write into it, and faults may change it on the way. It implements
// http.ResponseWriter.
type answer struct {
	status int
	header http.Header
	body   []byte
	why    string // of a refusal, in words for the log of a failed test
}

func newAnswer() *answer { return &answer{status: http.StatusOK, header: http.Header{}} }

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) { a.status = status }

func (a *answer) Write(p []byte) (int, error) {
	a.body = append(a.body, p...)
	return len(p), nil
}

func (a *answer) json(status int, body []byte) {
	a.status, a.body = status, body
	a.header.Set("Content-Type", "application/json; charset=utf-8")
}

func (a *answer) success() bool { return a.status >= 200 && a.status <= 299 }

// stamp adds the headers that every answer carries (observed, not in the written contract). Date is the service's own time, which is
// what a client measures skew and lag against.
func (a *answer) stamp(requestID string, now time.Time, took time.Duration) {
	a.header.Set("Date", now.Format(http.TimeFormat))
	a.header.Set("X-Request-Id", requestID)
	a.header.Set("X-Runtime", strconv.FormatFloat(took.Seconds(), 'f', 6, 64))
	if a.success() {
		a.header.Set("Etag", fmt.Sprintf(`W/"%x"`, md5.Sum(a.body)))
	}
}
