package trust_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"example.com/idv"
	"example.com/idv/flow"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// flowWrites are what the Flow client sends at most once. A Create with Idempotent is not among them: it is safe to repeat.
var flowWrites = map[string]func(context.Context, *flow.Client) error{
	"Sessions.Create": flowCalls["Create"],
	"Sessions.Retry":  flowCalls["Retry"],
	"Call POST": func(ctx context.Context, c *flow.Client) error {
		var out flow.Session
		return c.Call(ctx, http.MethodPost, "/later", nil, nil, &out)
	},
}

// TestAtMostOnceForFlow takes the Flow client through the same matrix, where its faults are those of an answer.
func TestAtMostOnceForFlow(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, f := range matrix {
		if f.is == context.DeadlineExceeded || f.is == idv.ErrValidation || strings.HasPrefix(f.what, "no TLS") {
			continue // they are about the settings of another client, or about an error body of another API
		}
		for name, call := range flowWrites {
			w := f.world(t)
			if w.base == "" {
				continue
			}
			tried++
			t.Run(f.what+"/"+name, func(t *testing.T) {
				own := http.DefaultTransport.(*http.Transport).Clone()
				t.Cleanup(own.CloseIdleConnections)
				c, err := flow.New(w.base, canaryKey, canarySecret, idv.WithHTTPClient(&http.Client{Transport: own}))
				require.NoError(t, err)
				err = call(w.ctx, c)
				if w.after != nil {
					w.after()
				}
				assert.Contains(t, strings.Split(f.error, " or "), kind(err), "%v", err)
				assert.Contains(t, strings.Split(f.done, " or "), fmt.Sprint(w.executed.Load()))
				checkPaid(t, err)
			})
		}
	}
	assert.Greater(t, tried, 40)
}
