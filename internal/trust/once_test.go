package trust_test

import (
	"context"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// creators are the CreateOnce methods, and the path of what they make.
var creators = map[string]func(context.Context, *idv.Client, ...idv.CallOption) error{
	"/people": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) error {
		return second(c.People.CreateOnce(ctx, person(), "order-7", opts...))
	},
	"/companies": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) error {
		return second(c.Companies.CreateOnce(ctx, company(), "order-7", opts...))
	},
	"/candidates": func(ctx context.Context, c *idv.Client, opts ...idv.CallOption) error {
		return second(c.Candidates.CreateOnce(ctx, &idv.CandidateParams{}, "order-7", opts...))
	},
}

// TestCreateOnceOverHTTP: faults of the connection, and an index that lags.
func TestCreateOnceOverHTTP(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    idvtest.Fault
		lag      time.Duration
		settling time.Duration
		made     int
	}{
		"dropped after the work":         {idvtest.Fault{Drop: true, Work: true}, 0, time.Minute, 1},
		"dropped after it, the lag":      {idvtest.Fault{Drop: true, Work: true}, 300 * time.Millisecond, time.Minute, 1},
		"dropped before the work":        {idvtest.Fault{Drop: true}, 0, 200 * time.Millisecond, 1},
		"503 after the work, the lag":    {idvtest.Fault{Status: 503, Work: true}, 300 * time.Millisecond, time.Minute, 1},
		"truncated, the lag":             {idvtest.Fault{Truncate: true}, 300 * time.Millisecond, time.Minute, 1},
		"garbage, the lag":               {idvtest.Fault{Body: "<h1>Welcome</h1>"}, 300 * time.Millisecond, time.Minute, 1},
		"a lag beyond the settling time": {idvtest.Fault{Drop: true, Work: true}, time.Hour, 0, 2}, // the limit that its docs state
	} {
		for path, create := range creators {
			t.Run(name+path, func(t *testing.T) {
				t.Parallel()
				service := idvtest.Start(t, idvtest.WithWallClock(), idvtest.WithIndexDelayForAll(c.lag))
				c.fault.Method = "POST"
				service.Fail(c.fault)
				client := connectAs(t, service.URL, service.TestKey, nil)
				require.NoError(t, create(t.Context(), client, idv.Settling(c.settling)))
				assert.Equal(t, c.made, service.Executions()["POST "+path])
			})
		}
	}
}
