package trust_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
)

// FuzzAnswer has every method of the client read an answer with any status, header and body.
func FuzzAnswer(f *testing.F) {
	for _, body := range nonsense {
		f.Add(200, "X-Request-Id", "1", []byte(body))
	}
	f.Add(201, "Content-Type", "application/json", []byte(`{"id":"1","data":[{"id":"1","created_at":1}],"total_count":1,"matches":[{"names":[{}]}]}`))
	f.Add(200, "Date", "Mon, 01 Jan 2024 00:00:00 GMT", []byte(`{"total_count":2,"has_more":true,"data":[{"id":"a","created_at":9},{"id":"b","created_at":5}]}`))
	f.Add(429, "Retry-After", "9999999999", []byte(`{"error":{"type":"a\nb","param":[]}}`))
	f.Add(500, "Retry-After", "Mon, 01 Jan 2024 00:00:00 GMT", []byte(`{"error":"Not Found"}`))
	f.Fuzz(func(t *testing.T, status int, name, value string, body []byte) {
		c := answering(t, status, http.Header{http.CanonicalHeaderKey(name): {value}}, string(body))
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		for _, call := range calls {
			understood(t, call.name, call.call(ctx, c))
		}
		requests := 0
		for p, err := range c.People.All(ctx, nil, idv.MaxRequests(20)) {
			if requests++; err != nil || requests > 1000 {
				understood(t, "People.All", err)
				break
			}
			_, _ = p.Extra(), p.RawJSON()
		}
	})
}

// FuzzBytes has the client read anything at all where an answer over HTTP should come. A second argument says where the bytes of
// a right answer are changed, as a server does that is broken.
func FuzzBytes(f *testing.F) {
	right := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Request-Id: 1\r\nContent-Length: 27\r\n\r\n" + answerOf
	f.Add([]byte(right), uint64(0), 0)
	f.Add([]byte(right), uint64(7), 5)
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n1B\r\n"+answerOf+"\r\n0\r\nX: 1\r\n\r\n"), uint64(3), 2)
	f.Add([]byte("HTTP/1.0 307 Moved\r\nLocation: //x\r\n\r\n"), uint64(1), 1)
	f.Add([]byte("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n"), uint64(1), 1)
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b"), uint64(1), 0)
	f.Fuzz(func(t *testing.T, answer []byte, seed uint64, changes int) {
		mutate(answer, rand.New(rand.NewPCG(seed, 1)), min(changes, 64))
		sent := 0
		base := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
			here, there := net.Pipe()
			sent++
			go speak(there, answer)
			return here, nil
		}}
		c := connect(t, "http://api.example", base, idv.WithTimeout(2*time.Second))
		understood(t, "Create", second(c.People.Create(t.Context(), secretPerson(), idv.WithoutValidation())))
		assert.Equal(t, 1, sent, "at most once")
	})
}

func mutate(b []byte, random *rand.Rand, changes int) {
	for range changes {
		if len(b) > 0 {
			b[random.IntN(len(b))] = byte(random.Uint32())
		}
	}
}

// speak reads one request and says its bytes, whatever it was.
func speak(conn net.Conn, answer []byte) {
	defer func() { _ = conn.Close() }()
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	_, _ = conn.Write(answer)
}

// understood says that an outcome is one that callers can tell apart, in a text that is short, on one line and without a canary.
func understood(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var answer *idv.Error
	var uncertain *idv.UncertainError
	var transport *idv.TransportError
	var decode *idv.DecodeError
	var param *idv.ParamError
	var incomplete *idv.IncompleteError
	var limit *idv.LimitError
	known := errors.As(err, &answer) || errors.As(err, &uncertain) || errors.As(err, &transport) || errors.As(err, &decode) ||
		errors.As(err, &param) || errors.As(err, &incomplete) || errors.As(err, &limit)
	assert.True(t, known, "%s: %T %v", what, err, err)
	text := err.Error()
	assert.Less(t, len(text), 10_000, what)
	if !errors.As(err, &answer) { // errors.Join puts a line end between two of them
		assert.False(t, strings.ContainsAny(text, "\r\x00"), "%s: %q", what, text)
		assertClean(t, fmt.Sprintf("%v %+v %#v", err, err, err), what)
	}
}
