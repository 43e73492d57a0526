package webhook_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

func serve(h http.Handler, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestMiddlewareStatus(t *testing.T) {
	t.Parallel()
	writing := func(status int) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) })
	}
	tests := []struct {
		name string
		next http.Handler
		want int
	}{
		{"G73 handler writes 201", writing(201), 200},
		{"G73 handler writes 202", writing(202), 200},
		{"G73 handler writes 204", writing(204), 200},
		{"G73 handler writes 299", writing(299), 200},
		{"G73 handler writes 303", writing(303), 303},
		{"G73 handler writes 400", writing(400), 400},
		{"G73 handler writes 503", writing(503), 503},
		{"G74 handler writes nothing", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), 200},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := serve(sampleVerifier(t).Middleware(tt.next), delivery(sampleBody)())
			assert.Equal(t, tt.want, w.Code)
			assert.Empty(t, w.Body.String())
		})
	}
	t.Run("G73 early hints are passed on", func(t *testing.T) {
		t.Parallel()
		var sent []int
		hints := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusAccepted)
		})
		sampleVerifier(t).Middleware(hints).ServeHTTP(statusWriter{httptest.NewRecorder(), &sent}, delivery(sampleBody)())
		assert.Equal(t, []int{103, 200}, sent)
	})
	t.Run("G73 Flusher is reached through the controller", func(t *testing.T) {
		t.Parallel()
		flushes := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusAccepted)
			assert.NoError(t, http.NewResponseController(w).Flush())
		})
		w := serve(sampleVerifier(t).Middleware(flushes), delivery(sampleBody)())
		assert.True(t, w.Flushed)
		assert.Equal(t, http.StatusOK, w.Code)
	})
	t.Run("a nil handler is found when it is mounted", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t)
		assert.PanicsWithValue(t, "webhook: Middleware(nil): it needs a handler for what is verified", func() { v.Middleware(nil) })
	})
}

type statusWriter struct {
	http.ResponseWriter
	sent *[]int
}

func (w statusWriter) WriteHeader(status int) { *w.sent = append(*w.sent, status) }

// TestMiddlewareBody is "G82 next handler reads r.Body": whole and raw, twice through GetBody, ContentLength right.
func TestMiddlewareBody(t *testing.T) {
	t.Parallel()
	reads := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		for range 2 {
			again, err := r.GetBody()
			assert.NoError(t, err)
			for _, body := range []io.ReadCloser{r.Body, again} {
				got, err := io.ReadAll(body)
				assert.NoError(t, err)
				assert.Equal(t, sampleBody, string(got))
				assert.NoError(t, body.Close())
			}
			r.Body, _ = r.GetBody()
		}
		assert.EqualValues(t, len(sampleBody), r.ContentLength)
		d, ok := webhook.FromContext(r.Context())
		assert.True(t, ok)
		assert.Equal(t, sampleBody, string(d.Body))
		assert.Equal(t, "2020-08-14", d.ServiceVersion)
	})
	for _, length := range []int64{int64(len(sampleBody)), -1} {
		r := delivery(sampleBody)()
		r.ContentLength = length
		original := r.Body
		assert.Equal(t, http.StatusOK, serve(sampleVerifier(t).Middleware(reads), r).Code)
		assert.Equal(t, original, r.Body, "G82 the caller's request is left as it was")
	}
	t.Run("G82 Verify leaves the same bytes in r.Body", func(t *testing.T) {
		t.Parallel()
		r := delivery(sampleBody)()
		r.ContentLength, r.TransferEncoding = -1, []string{"chunked"}
		_, err := sampleVerifier(t).Verify(r)
		require.NoError(t, err)
		got, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		assert.Equal(t, sampleBody, string(got))
		assert.EqualValues(t, len(sampleBody), r.ContentLength)
		assert.Empty(t, r.TransferEncoding)
		again, err := r.GetBody()
		require.NoError(t, err)
		got, err = io.ReadAll(again)
		require.NoError(t, err)
		assert.Equal(t, sampleBody, string(got))
	})
	t.Run("G82 VerifyHeader reads nothing", func(t *testing.T) {
		t.Parallel()
		r := delivery(sampleBody)()
		r.Body = io.NopCloser(untouchable{t})
		d, err := sampleVerifier(t).VerifyHeader(r)
		require.NoError(t, err)
		assert.Nil(t, d.Body)
	})
}

func TestMiddlewareMounting(t *testing.T) {
	t.Parallel()
	t.Run("G83 mounted twice", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t)
		reached := false
		once := v.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
		assert.Equal(t, http.StatusOK, serve(v.Middleware(once), delivery(sampleBody)()).Code)
		assert.True(t, reached)
	})
	t.Run("G84 a mux redirects a path that is not clean before anything is verified", func(t *testing.T) {
		t.Parallel()
		mux := http.NewServeMux()
		mux.Handle("POST /hook", sampleVerifier(t).Middleware(http.NotFoundHandler()))
		w := serve(mux, sentOver("//hook"))
		assert.Equal(t, 3, w.Code/100, "a redirect is an error to the service, which sends again")
		assert.Equal(t, "/hook", w.Header().Get("Location"))
	})
	t.Run("G84 an exact pattern takes no path below it", func(t *testing.T) {
		t.Parallel()
		mux := http.NewServeMux()
		mux.Handle("POST /hook", sampleVerifier(t).Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
		assert.Equal(t, http.StatusOK, serve(mux, sentOver("/hook")).Code)
		assert.Equal(t, http.StatusNotFound, serve(mux, sentOver("/hook/below")).Code)
	})
	t.Run("no delivery in a context that nobody verified", func(t *testing.T) {
		t.Parallel()
		_, ok := webhook.FromContext(t.Context())
		assert.False(t, ok)
	})
	t.Run("the hook learns why", func(t *testing.T) {
		t.Parallel()
		var refused error
		v := sampleVerifier(t, webhook.WithRefusalHook(func(_ context.Context, err error) { refused = err }))
		serve(v.Middleware(http.NotFoundHandler()), requestOf(forgedSample()))
		require.ErrorIs(t, refused, webhook.ErrSignatureMismatch)
	})
}

// sentOver is a delivery to another path than the sample's.
func sentOver(path string) *http.Request {
	m := signedMessage([]byte(sampleBody))
	m.Path = path
	return requestOf(resign(m))
}

// TestConcurrency is group F as far as it is the verifier's.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	t.Run("F66 64 goroutines, one Verifier, mixed good and bad", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t)
		var group sync.WaitGroup
		for i := range 64 {
			group.Go(func() {
				for range 20 {
					m, want := signedMessage([]byte(strings.Repeat("x", 100*i))), error(nil)
					switch i % 4 {
					case 1:
						m.Authorization, want = forgedSample().Authorization, webhook.ErrSignatureMismatch
					case 2:
						m.Body, want = []byte("another"), webhook.ErrDigestMismatch
					case 3:
						m.Date = "Sat, 23 Jan 2010 21:43:14 GMT"
						m, want = resign(m), webhook.ErrTimestamp
					}
					assert.ErrorIs(t, v.VerifyMessage(t.Context(), m), want)
					_, err := v.Verify(requestOf(m))
					assert.ErrorIs(t, err, want)
				}
			})
		}
		group.Wait()
	})
	t.Run("F67 the body belongs to the handler for good", func(t *testing.T) {
		t.Parallel()
		rec := newReceiver(t)
		var sent [][]byte
		for i := range 20 {
			body := bytes.Repeat([]byte{'a' + byte(i)}, 1000)
			sent = append(sent, body)
			res, err := rec.Client().Do(clientRequest(t, rec.URL, signedMessage(body)))
			require.NoError(t, err)
			_ = res.Body.Close()
		}
		for _, body := range sent {
			assert.Equal(t, string(body), string((<-rec.delivered).Body))
		}
	})
}
