package frameworks_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/idv/examples/frameworks"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/gin-gonic/gin"
	"github.com/gofiber/fiber/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func init() { gin.SetMode(gin.TestMode) }

var routers = map[string]func(http.Handler) http.Handler{"chi": frameworks.Chi, "gin": frameworks.Gin, "echo": frameworks.Echo}

func TestHostileRequests(t *testing.T) {
	t.Parallel()
	for name, mount := range routers {
		t.Run(name, func(t *testing.T) {
			key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
			require.NoError(t, err)
			v, err := webhook.NewVerifier(webhook.StaticKeys(key))
			require.NoError(t, err)
			webhooktest.Hostile(t, signer, mount(webhook.NewReceiver(v)))
		})
	}
}

// server serves a mounting over a connection, fiber's on a server of its own.
func server(t *testing.T, name string, r http.Handler) (url string) {
	t.Helper()
	if mount := routers[name]; mount != nil {
		s := httptest.NewServer(mount(r))
		t.Cleanup(s.Close)
		return s.URL
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	app := frameworks.Fiber(r)
	ended := make(chan error, 1)
	go func() { ended <- app.Listener(l, fiber.ListenConfig{DisableStartupMessage: true}) }()
	t.Cleanup(func() {
		assert.NoError(t, app.ShutdownWithTimeout(5*time.Second))
		assert.NoError(t, <-ended)
	})
	return "http://" + l.Addr().String()
}

func post(t *testing.T, url string, s webhooktest.Signer, signed, sent []byte) (status int, body string) {
	t.Helper()
	return send(t, http.MethodPost, url+s.Path, s.Header(signed), sent)
}

func send(t *testing.T, method, url string, h http.Header, body []byte) (status int, text string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header = h.Clone()
	req.Header.Del("Content-Length")
	req.Close = true
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	read, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(read)
}

func TestDeliveriesOverAConnection(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"chi", "gin", "echo", "fiber"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, handled := receiver(t)
			url := server(t, name, r)
			body := webhooktest.Event{ID: "whkevt_1"}.Body()
			altered := bytes.Replace(body, []byte("success"), []byte("failed!"), 1)
			require.NotEqual(t, body, altered)
			fails := webhooktest.Event{CustomerReference: "fails"}.Body()

			var refusals []string
			for _, tt := range []struct {
				name         string
				signer       webhooktest.Signer
				signed, sent []byte
				want         int
			}{
				{"forged", forger(), body, body, 401},
				{"altered on the way", signer, body, altered, 401},
				{"replayed", late(), body, body, 401},
				{"authentic", signer, body, body, 200},
				{"authentic, again", signer, body, body, 200},
				{"authentic, our database is down", signer, fails, fails, 500},
				{"authentic, no event", signer, []byte("no event"), []byte("no event"), 400},
			} {
				status, text := post(t, url, tt.signer, tt.signed, tt.sent)
				assert.Equal(t, tt.want, status, tt.name)
				if status == 401 {
					refusals = append(refusals, text)
				}
			}
			assert.Equal(t, []string{"whkevt_1"}, handled.ids, "handled once, and nothing else was")
			assert.Equal(t, refusals[:1], refusals[1:2], "all refusals are alike")
			assert.Equal(t, refusals[:1], refusals[2:])

			status, _ := send(t, http.MethodPut, url+frameworks.Path, signer.Header(body), body)
			assert.Equal(t, 405, status)
			status, _ = send(t, http.MethodPost, url+frameworks.Path+"/", signer.Header(body), body)
			assert.NotEqual(t, 2, status/100, "another path than the signed one")
			assert.Len(t, handled.ids, 1)
		})
	}
}

func TestAQueryDoesNoHarm(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"chi", "gin", "echo", "fiber"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, handled := receiver(t)
			withQuery := signer
			withQuery.Path += "?account=7&x=%2F"
			body := webhooktest.Event{}.Body()
			status, _ := post(t, server(t, name, r), withQuery, body, body)
			assert.Equal(t, 200, status)
			assert.Len(t, handled.ids, 1)
		})
	}
}

func TestFiberRefusesABodyAboveItsLimit(t *testing.T) {
	t.Parallel()
	r, handled := receiver(t)
	url := server(t, "fiber", r)
	body := []byte(strings.Repeat(" ", 2<<20))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url+frameworks.Path, bytes.NewReader(body))
	require.NoError(t, err)
	req.Header = signer.Header(body)
	answer, err := http.DefaultClient.Do(req)
	if err == nil { // fasthttp may close the connection while it is still being written to
		assert.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
		require.NoError(t, answer.Body.Close())
	}
	assert.Empty(t, handled.ids)
}
