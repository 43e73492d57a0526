package trust_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const gib = 1 << 30

// flood is a server that would send a gibibyte, and counts what it got rid of.
type flood struct {
	sent  atomic.Int64
	write func(http.ResponseWriter) // before the flood: status and headers
	part  []byte
	total int64
}

func (f *flood) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	f.write(w)
	for f.sent.Load() < f.total {
		n, err := w.Write(f.part)
		f.sent.Add(int64(n))
		if err != nil {
			return
		}
	}
}

func start(t *testing.T, h http.Handler) string {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.Start()
	t.Cleanup(server.Close)
	return server.URL
}

// TestAnAnswerOfAGibibyte: no more is read than the limit, and the connection is given up rather than drained.
func TestAnAnswerOfAGibibyte(t *testing.T) {
	t.Parallel()
	const limit = 1 << 20
	member := zipped(t, 16<<20)
	for name, c := range map[string]struct {
		flood *flood
		kept  int
	}{
		"a success":         {&flood{write: func(w http.ResponseWriter) { w.WriteHeader(200) }, part: make([]byte, 64<<10), total: gib}, limit},
		"announced as such": {&flood{write: func(w http.ResponseWriter) { w.Header().Set("Content-Length", fmt.Sprint(gib)) }, part: make([]byte, 64<<10), total: gib}, limit},
		"an error":          {&flood{write: func(w http.ResponseWriter) { w.WriteHeader(404) }, part: make([]byte, 64<<10), total: gib}, 64 << 10},
		"a gzip bomb": {&flood{write: func(w http.ResponseWriter) { w.Header().Set("Content-Encoding", "gzip") }, part: member,
			total: int64(len(member)) * gib / (16 << 20)}, limit},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := connect(t, start(t, c.flood), nil, idv.WithMaxAnswer(limit))
			_, err := client.People.Create(t.Context(), person())
			var decode *idv.DecodeError
			var answer *idv.Error
			switch {
			case errors.As(err, &decode):
				assert.Len(t, decode.Body, c.kept)
				assert.ErrorContains(t, err, "longer than the limit")
			case errors.As(err, &answer):
				assert.Len(t, answer.Body, c.kept)
			default:
				assert.Fail(t, "another error", "%v", err)
			}
			assert.Less(t, c.flood.sent.Load(), int64(gib/8), "the rest was not read")
		})
	}
}

// zipped is one member of a gzip file; several after each other are a file as well.
func zipped(t *testing.T, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	require.NoError(t, err)
	_, err = z.Write(make([]byte, n))
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return b.Bytes()
}

// TestAnAnswerWithoutEnd is sent by servers that never come to the point. The client does, by a limit or by its time.
func TestAnAnswerWithoutEnd(t *testing.T) {
	t.Parallel()
	endless := func(head, again string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			defer func() { _ = conn.Close() }()
			for _, err = io.WriteString(conn, head); err == nil; {
				_, err = io.WriteString(conn, again)
			}
		}
	}
	dripping := func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			fmt.Fprint(w, " ")
			_ = http.NewResponseController(w).Flush()
			time.Sleep(5 * time.Millisecond)
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		is      error
	}{
		"headers":             {endless("HTTP/1.1 200 OK\r\n", strings.Repeat("X-A: "+strings.Repeat("a", 4000)+"\r\n", 64)), nil},
		"one header":          {endless("HTTP/1.1 200 OK\r\nX-A: ", strings.Repeat("a", 256<<10)), nil},
		"the status line":     {endless("HTTP/1.1 200 ", strings.Repeat("a", 256<<10)), nil},
		"answers before it":   {endless("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), nil},
		"a chunk's extension": {endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;", strings.Repeat("a", 64<<10)), nil},
		"tiny chunks":         {endless("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", "1;"+strings.Repeat("a", 2000)+"\r\n \r\n"), nil},
		"a body by drops":     {dripping, context.DeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			patience := time.Minute
			if c.is != nil {
				patience = 200 * time.Millisecond
			}
			client := connect(t, start(t, c.handler), nil, idv.WithTimeout(patience))
			_, err := client.People.Create(t.Context(), person())
			var uncertain *idv.UncertainError
			require.ErrorAs(t, err, &uncertain)
			if c.is != nil {
				assert.ErrorIs(t, err, c.is)
			} else {
				assert.NotErrorIs(t, err, context.DeadlineExceeded, "a limit ended it, and not the clock")
			}
			assert.Less(t, len(err.Error()), 1000)
		})
	}
}
