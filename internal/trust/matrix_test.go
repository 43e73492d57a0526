package trust_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the tables of docs/reliability.md anew")

// fault is a row of the matrix: what happens to a request, and what may come of it.
type fault struct {
	what  string
	world func(*testing.T) *world
	done  string // how often the work was done: a number, or "0 or 1" where nobody can say
	error string // what the caller gets
	is    error  // and what else is known, by errors.Is
}

var matrix = []fault{
	{"500, the work not done", answers(500, "", false), "0", "UncertainError around Error", idv.ErrServer},
	{"500 after the work", answers(500, "<h1>Oops</h1>", true), "1", "UncertainError around Error", idv.ErrServer},
	{"502 after the work", answers(502, "", true), "1", "UncertainError around Error", idv.ErrServer},
	{"503 after the work", answers(503, `{"error":{"type":"api_error","message":"busy"}}`, true), "1", "UncertainError around Error", idv.ErrServer},
	{"504 after the work", answers(504, "", true), "1", "UncertainError around Error", idv.ErrServer},
	{"501, a method the service does not know", answers(501, "", false), "0", "Error", idv.ErrServer},
	{"429", answers(429, "", false), "0", "Error", idv.ErrRateLimited},
	{"400", answers(400, `{"error":{"param":"note","code":"is_invalid"}}`, false), "0", "Error", idv.ErrValidation},
	{"connection dropped before the request is read", neverRead, "0", "UncertainError", nil},
	{"connection dropped after the work", with(hangUp), "1", "UncertainError", nil},
	{"answer truncated", with(breakOff), "1", "UncertainError around DecodeError", nil},
	{"answer is garbage under 201", answers(201, "<h1>Welcome to the hotel</h1>", true), "1", "DecodeError", nil},
	{"answer is no HTTP", with(notHTTP), "1", "UncertainError", nil},
	{"the attempt's time runs out", slow, "0 or 1", "UncertainError", context.DeadlineExceeded},
	{"context cancelled before", cancelledBefore, "0", "TransportError", context.Canceled},
	{"context cancelled during the work", cancelledDuring, "1", "UncertainError", context.Canceled},
	{"context's deadline during the work", deadlineDuring, "0 or 1", "UncertainError", context.DeadlineExceeded},
	{"context cancelled after the answer", cancelledAfter, "1", "none", nil},
	{"redirect 307 to another host", elsewhere(307), "0", "Error", nil},
	{"redirect 308 to another host", elsewhere(308), "0", "Error", nil},
	{"certificate of nobody's", stranger, "0", "TransportError", nil},
	{"no TLS where TLS is wanted", plainForTLS, "0", "TransportError", nil},
	{"dialling refused, then accepted", unreachable(1), "1", "none", nil},
	{"dialling refused always", unreachable(-1), "0", "TransportError", nil},
	{"HTTP/2 GOAWAY, the request not taken", goneAway(0), "1", "none", nil},
	{"HTTP/2 GOAWAY after the work", goneAway(1), "1", "UncertainError", nil},
	{"kept connection dies after the work", dyingConnection(true), "1", "UncertainError", nil},
	{"kept connection dies while idle", dyingConnection(false), "0 or 1", "none or UncertainError", nil},
}

func with(h handle) func(*testing.T) *world {
	return func(t *testing.T) *world { return served(t, h) }
}

// goneAway has the first connection end with a GOAWAY that says that streams up to last were taken: 0 is none, and the request
// is on stream 1. Only a request that was not taken may be sent on another connection.
func goneAway(last uint32) func(*testing.T) *world {
	return func(t *testing.T) *world {
		w := &world{ctx: t.Context()}
		s := &http2Service{requests: new(atomic.Int32), executed: &w.executed}
		s.goAway = func(n int32) (uint32, bool, bool) { return last, n > 1 || last > 0, n == 1 }
		s.start(t)
		overHTTP2(t, w, s)
		return w
	}
}

// TestAtMostOnce is the first promise: a request that is not a GET runs at most once, and the error says what is known.
func TestAtMostOnce(t *testing.T) {
	t.Parallel()
	for _, f := range matrix {
		for _, m := range writes {
			t.Run(f.what+"/"+m.name, func(t *testing.T) {
				t.Parallel()
				w := f.world(t)
				err := m.call(w.ctx, w.client)
				if w.after != nil {
					w.after()
				}
				assert.Contains(t, strings.Split(f.error, " or "), kind(err), "%v", err)
				if f.is != nil {
					assert.ErrorIs(t, err, f.is)
				}
				assert.Contains(t, strings.Split(f.done, " or "), fmt.Sprint(w.executed.Load()))
				checkPaid(t, err)
			})
		}
	}
}

// kind names an error as the table does.
func kind(err error) string {
	if err == nil {
		return "none"
	}
	name := strings.TrimPrefix(fmt.Sprintf("%T", err), "*idv.")
	var uncertain *idv.UncertainError
	var answer *idv.Error
	var decode *idv.DecodeError
	switch {
	case !errors.As(err, &uncertain):
		return name
	case errors.As(uncertain.Err, &answer):
		return name + " around Error"
	case errors.As(uncertain.Err, &decode):
		return name + " around DecodeError"
	}
	return name
}

// checkPaid: what was paid for is in the error.
func checkPaid(t *testing.T, err error) {
	var decode *idv.DecodeError
	if errors.As(err, &decode) {
		assert.Equal(t, 201, decode.StatusCode)
		assert.NotEmpty(t, decode.Body)
	}
	var uncertain *idv.UncertainError
	if errors.As(err, &uncertain) {
		assert.False(t, uncertain.Started.IsZero())
	}
}

// TestTheTableOfTheMatrix keeps docs/reliability.md what the tests say.
func TestTheTableOfTheMatrix(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("| what happens to a request that is not a GET | work done | error | `errors.Is` |\n|---|---|---|---|\n")
	for _, f := range matrix {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.what, f.done, f.error, sentinel(f.is))
	}
	fmt.Fprintf(&b, "\n%d faults, each with %d methods:", len(matrix), len(writes))
	for i, m := range writes {
		b.WriteString(map[bool]string{true: " ", false: ", "}[i == 0] + m.name)
	}
	b.WriteString(".\n")
	inDocument(t, "matrix", b.String())
}

func sentinel(err error) string {
	switch err {
	case nil:
		return ""
	case idv.ErrServer:
		return "`ErrServer`"
	case idv.ErrRateLimited:
		return "`ErrRateLimited`"
	case idv.ErrValidation:
		return "`ErrValidation`"
	case context.Canceled:
		return "`context.Canceled`"
	}
	return "`context.DeadlineExceeded`"
}

// inDocument compares a table with the one between the marks of docs/reliability.md; -update writes it there.
func inDocument(t *testing.T, mark, want string) {
	t.Helper()
	const file = "../../docs/reliability.md"
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	before, rest, ok := strings.Cut(string(text), "<!-- "+mark+" -->\n")
	require.True(t, ok, "no mark %q", mark)
	have, after, ok := strings.Cut(rest, "<!-- end -->")
	require.True(t, ok)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(before+"<!-- "+mark+" -->\n"+want+"<!-- end -->"+after), 0o644))
		return
	}
	assert.Equal(t, want, have, "go test ./internal/trust -run Table -update writes it anew")
}
