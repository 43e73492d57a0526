package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// sentFor is a request for one target with a signature for another.
func sentFor(sent, signed string) func() *http.Request {
	return func() *http.Request {
		m := signedMessage([]byte(sampleBody))
		m.Path = signed
		m = resign(m)
		r := requestOf(signedMessage(m.Body))
		r.Header.Set("Authorization", m.Authorization)
		r.RequestURI = sent
		r.URL = &url.URL{Path: "/whatever/a/router/made/of/it"}
		return r
	}
}

func TestHostileTargets(t *testing.T) {
	t.Parallel()
	runRequestCases(t, []requestCase{
		{"E52 other path", sentFor("/hook", "/other"), webhook.ErrSignatureMismatch},
		{"E52 other case", sentFor("/hook", "/Hook"), webhook.ErrSignatureMismatch},
		{"E52 trailing slash added", sentFor("/hook/", "/hook"), webhook.ErrSignatureMismatch},
		{"E53 query present, path-only signed", sentFor("/hook?tenant=7", "/hook"), nil},
		{"E53 query present, path+query signed", sentFor("/hook?tenant=7", "/hook?tenant=7"), nil},
		{"E53 another query than the one signed", sentFor("/hook?tenant=7", "/hook?tenant=8"), webhook.ErrSignatureMismatch},
		{"E53 query dropped", sentFor("/hook", "/hook?tenant=7"), webhook.ErrSignatureMismatch},
		{"E54 bare ?", sentFor("/hook?", "/hook"), nil},
		{"E55 //a//b signed as sent", sentFor("//a//b", "//a//b"), nil},
		{"E55 //a//b signed cleaned", sentFor("//a//b", "/a/b"), webhook.ErrSignatureMismatch},
		{"E55 /a/../b signed as sent", sentFor("/a/../b", "/a/../b"), nil},
		{"E55 /a/../b signed cleaned", sentFor("/a/../b", "/b"), webhook.ErrSignatureMismatch},
		{"E55 lower-case escape signed as sent", sentFor("/%e2%82%ac", "/%e2%82%ac"), nil},
		{"E55 lower-case escape signed in upper case", sentFor("/%e2%82%ac", "/%E2%82%AC"), webhook.ErrSignatureMismatch},
		{"E55 escape signed decoded", sentFor("/%e2%82%ac", "/\u20ac"), webhook.ErrSignatureMismatch},
		{"E55 /a%2Fb signed as sent", sentFor("/a%2Fb", "/a%2Fb"), nil},
		{"E55 /a%2Fb signed decoded", sentFor("/a%2Fb", "/a/b"), webhook.ErrSignatureMismatch},
		{"E55 /caf%C3%A9 signed as sent", sentFor("/caf%C3%A9", "/caf%C3%A9"), nil},
		{"E56 escaped newline signed as sent", sentFor("/x%0Adate:%20y", "/x%0Adate:%20y"), nil},
		{"E56 escaped newline signed as a line", sentFor("/x%0Adate:%20y", "/x\ndate: y"), webhook.ErrSignatureMismatch},
		{"E57 absolute form", sentFor("http://receiver.example/hook", "/hook"), nil},
		{"E57 absolute form with a query", sentFor("https://receiver.example/hook?a=b", "/hook"), nil},
		{"E57 absolute form without a path", sentFor("http://receiver.example", "/"), nil},
		{"E57 absolute form with a query alone", sentFor("http://receiver.example?a=/b", "/?a=/b"), nil},
		{"E57 asterisk form", sentFor("*", "*"), webhook.ErrMalformed},
		{"E57 authority form", sentFor("receiver.example:443", "receiver.example:443"), webhook.ErrMalformed},
		{"E57 of absurd length", sentFor("/"+strings.Repeat("a", 9000), "/hook"), webhook.ErrMalformed},
		{"E65 valid message for /a replayed to /b", sentFor("/b", "/a"), webhook.ErrSignatureMismatch},
	})
}

// TestHostileUnsignedParts documents what no signature covers: it may be anything, and must not be trusted.
func TestHostileUnsignedParts(t *testing.T) {
	t.Parallel()
	header := func(name, value string) func() *http.Request {
		return tampered(func(r *http.Request) { r.Header.Set(name, value) })
	}
	runRequestCases(t, []requestCase{
		{"E64 Host", tampered(func(r *http.Request) { r.Host = "another.example" }), nil},
		{"E64 Content-Type", header("Content-Type", "text/html"), nil},
		{"E64 Service-Version", header("Service-Version", "1999-12-31"), nil},
		{"E64 User-Agent", header("User-Agent", "somebody"), nil},
		{"E65 the same path of another host: a seen-set and the environment are the answer", tampered(func(r *http.Request) { r.Host = "staging.example" }), nil},
		{"E63 HTTP/1.0", tampered(func(r *http.Request) { r.Proto, r.ProtoMinor = "HTTP/1.0", 0 }), nil},
	})
}

func TestHostileForwardedHeaders(t *testing.T) {
	t.Parallel()
	var tests []requestCase
	for _, name := range []string{"X-Forwarded-Prefix", "X-Forwarded-Uri", "X-Original-URL", "X-Rewrite-URL", "Forwarded"} {
		tests = append(tests, requestCase{"E61 " + name, func() *http.Request {
			r := sentFor("/internal/hook", "/hook")()
			r.Header.Set(name, "/hook")
			return r
		}, webhook.ErrSignatureMismatch})
	}
	runRequestCases(t, tests)
}

// TestHostileRewrittenPath: the fixed path stands for the one on the request line, which the proxy has changed.
func TestHostileRewrittenPath(t *testing.T) {
	t.Parallel()
	runRequestCases(t, []requestCase{
		{"E60 without the fixed path", sentFor("/internal/hook", "/hook"), webhook.ErrSignatureMismatch},
	})
	runRequestCases(t, []requestCase{
		{"E60 with the fixed path", sentFor("/internal/hook", "/hook"), nil},
		{"E60 with the fixed path, query of the request signed", sentFor("/internal/hook?a=b", "/hook?a=b"), nil},
		{"E60 with the fixed path, query not signed", sentFor("/internal/hook?a=b", "/hook"), nil},
		{"E60 the internal path is then not the signed one", sentFor("/internal/hook", "/internal/hook"), webhook.ErrSignatureMismatch},
	}, webhook.WithPath("/hook"))
}

// TestHostileRouters: what a router does to r.URL does not reach the signing string.
func TestHostileRouters(t *testing.T) {
	t.Parallel()
	m := signedMessage([]byte(sampleBody))
	m.Path = "/api/hooks/flow"
	m = resign(m)
	reached := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	hook := sampleVerifier(t).Middleware(reached)

	mux, sub := http.NewServeMux(), http.NewServeMux()
	sub.Handle("POST /flow", hook)
	mux.Handle("/api/hooks/", http.StripPrefix("/api/hooks", sub))
	pattern := http.NewServeMux()
	pattern.Handle("POST /api/{area}/flow", hook)

	for name, h := range map[string]http.Handler{
		"E58 StripPrefix": http.StripPrefix("/api", hook), "E58 nested ServeMux": mux, "E58 ServeMux pattern": pattern,
		"E58 a mount that rewrites r.URL, as groups of other routers do": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r.URL = &url.URL{Path: "/flow"}
			hook.ServeHTTP(w, r)
		}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			h.ServeHTTP(w, requestOf(m))
			assert.Equal(t, http.StatusOK, w.Code)
		})
	}
	t.Run("E59 RequestURI empty", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t)
		for _, sent := range []string{"/a%2Fb/caf%C3%A9", "/hook?tenant=7", "/hook?"} {
			path, _, _ := strings.Cut(sent, "?")
			m := signedMessage(nil)
			m.Path = path
			r := requestOf(resign(m))
			u, err := url.Parse("https://receiver.example" + sent)
			require.NoError(t, err)
			r.URL, r.RequestURI = u, ""
			_, err = v.Verify(r)
			require.NoError(t, err, sent)
		}
	})
}

func TestHostileMethods(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "post", ""} {
		t.Run("E62 method "+method, func(t *testing.T) {
			t.Parallel()
			v := sampleVerifier(t)
			m := signedMessage(nil)
			m.Method = method
			require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrMethod)
			m.Authorization = authorization(sampleKeyID, sampleSecret, strings.ToLower(method), m.Path, m.Date, m.Digest)
			require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrMethod, "signed for it")

			r := requestOf(signedMessage(nil))
			r.Method = method
			r.Header.Set("X-Http-Method-Override", "POST")
			w := httptest.NewRecorder()
			v.Middleware(http.NotFoundHandler()).ServeHTTP(w, r)
			assert.Equal(t, http.StatusMethodNotAllowed, w.Code)
			assert.Equal(t, "POST", w.Header().Get("Allow"))
		})
	}
}
