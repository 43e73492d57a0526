package retries_test

import (
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv/bench/internal/retries"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In a bubble the clock is virtual: what takes a quarter of a minute is over at once.
func TestHalfOfTheRequestsFail(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		outcomes, err := retries.Run(t.Context(), 0.5, 600)
		require.NoError(t, err)
		ours, none := outcomes[0], outcomes[len(outcomes)-1]
		assert.InDelta(t, 1-1.0/32, ours.Success, 0.03, "five attempts, of which each fails by half")
		assert.InDelta(t, 1.94, ours.Attempts, 0.2)
		assert.GreaterOrEqual(t, ours.P99, 3750*time.Millisecond, "half of 0.5, 1, 2 and 4 s at least")
		assert.Less(t, ours.P99, 7500*time.Millisecond)
		assert.InDelta(t, 0.5, none.Success, 0.07, "a library that does not retry shows the service as it is")
		assert.InDelta(t, 1, none.Attempts, 0)
	})
}

func TestNothingFails(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		outcomes, err := retries.Run(t.Context(), 0, 20)
		require.NoError(t, err)
		for _, o := range outcomes {
			assert.InDelta(t, 1, o.Success, 0, o.Name)
			assert.InDelta(t, 1, o.Attempts, 0, o.Name)
			assert.Zero(t, o.P99, o.Name)
		}
	})
}
