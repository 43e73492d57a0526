package trust_test

import (
	"context"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flowCalls are the methods of the Flow client, with a canary wherever data goes in.
var flowCalls = map[string]func(context.Context, *flow.Client) error{
	"Get": func(ctx context.Context, c *flow.Client) error { return second(c.Sessions.Get(ctx, "1")) },
	"Create": func(ctx context.Context, c *flow.Client) error {
		return second(c.Sessions.Create(ctx, &flow.SessionParams{TemplateID: "flwtmp_1", User: flow.UserParams{
			CustomerReference: canaryData, Email: canaryData, Phone: canaryData, Name: &flow.NameParams{First: canaryData, Last: canaryData},
		}}))
	},
	"Retry": func(ctx context.Context, c *flow.Client) error {
		return second(c.Sessions.Retry(ctx, &flow.RetryParams{CustomerReference: canaryData, TemplateID: "flwtmp_1", Strategy: "reset"}))
	},
	"Call": func(ctx context.Context, c *flow.Client) error {
		return c.Call(ctx, http.MethodPost, "/later", nil, map[string]string{canaryData: canaryData}, &struct{ ID int }{}, idv.WithQuery("q", canaryData))
	},
}

// TestNoTextOfTheFlowClientHoldsACanary: the credential is the one of the webhooks, and requests are signed with it.
func TestNoTextOfTheFlowClientHoldsACanary(t *testing.T) {
	t.Parallel()
	for name, echo := range echoes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var held atomic.Int32
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assertClean(t, r.UserAgent(), "User-Agent")
				body, _ := io.ReadAll(r.Body)
				if strings.Contains(string(body), canaryData) {
					held.Add(1)
				}
				echo(w, r, strings.Join([]string{canaryData, r.RequestURI, r.Header.Get("Authorization"), string(body)}, " "))
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			t.Cleanup(server.Close)
			said := new(spoken)
			c, err := flow.New(server.URL, canaryKey, canarySecret, idv.WithMaxRetries(0), idv.WithTimeout(100*time.Millisecond),
				idv.WithLogger(slog.New(slog.NewJSONHandler(&said.log, &slog.HandlerOptions{Level: slog.LevelDebug}))),
				idv.WithObserver(func(_ context.Context, a idv.Attempt) { said.attempts = append(said.attempts, a) }))
			require.NoError(t, err)
			t.Cleanup(c.CloseIdleConnections)
			for what, call := range flowCalls {
				said.error(t, what, call(t.Context(), c))
			}
			said.check(t)
			assert.GreaterOrEqual(t, held.Load(), int32(3), "the canaries did fly")
		})
	}
}
