package leaktest

import (
	"context"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Every way in which a call of the Flow client can end.
func TestTheFlowClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	service := idvtest.NewServer(idvtest.WithWallClock())
	c, err := flow.New(service.URL, service.WebhookKeyID, service.WebhookSecret, idv.WithTimeout(5*time.Second))
	require.NoError(t, err)
	service.Fail(
		idvtest.Fault{Method: "GET", Status: 503},
		idvtest.Fault{Method: "GET", Drop: true},
		idvtest.Fault{Method: "POST", Path: "/flow_sessions", Drop: true, Work: true},
		idvtest.Fault{Method: "POST", Path: "/flow_sessions", Truncate: true},
		idvtest.Fault{Method: "POST", Path: "/flow_sessions/retry", Delay: time.Minute},
	)
	_, err = c.Sessions.Get(t.Context(), "unknown")
	require.ErrorIs(t, err, idv.ErrNotFound)
	params := &flow.SessionParams{TemplateID: idvtest.FlowTemplate, User: flow.UserParams{CustomerReference: "c-1"}, Idempotent: true}
	_, err = c.Sessions.Create(t.Context(), params)
	require.NoError(t, err, "the third attempt")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = c.Sessions.Retry(ctx, &flow.RetryParams{CustomerReference: "c-1", TemplateID: idvtest.FlowTemplate, Strategy: flow.StrategyReset})
	var uncertain *idv.UncertainError
	require.ErrorAs(t, err, &uncertain)
	assert.ErrorIs(t, err, context.DeadlineExceeded)
	derived, err := c.With(idv.WithMaxRetries(0))
	require.NoError(t, err)
	derived.CloseIdleConnections()
	service.Close()
}
