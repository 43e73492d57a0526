package measure_test

import (
	"errors"
	"testing"
	"time"

	"example.com/idv/bench/internal/measure"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var sink []byte

func work(times int) func() error {
	return func() error {
		for range times {
			sink = make([]byte, 1<<10)
		}
		return nil
	}
}

func TestCompareTellsFiveTimesTheWork(t *testing.T) {
	plan := measure.Plan{Rounds: 9, Slice: time.Millisecond}
	got, err := plan.Compare([]measure.Contender{{"one", work(10)}, {"five", work(50)}})
	require.NoError(t, err)
	assert.InDelta(t, 1, got[0].Ratio, 0)
	assert.Greater(t, got[1].Ratio, 2.0)
	assert.InDelta(t, 10, got[0].Allocs, 2)
	assert.InDelta(t, 50, got[1].Allocs, 2)
	assert.InDelta(t, 50<<10, got[1].Bytes, 5<<10)
}

func TestAContenderThatFailsHasNoResult(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	_, err := measure.Plan{Rounds: 1, Slice: time.Millisecond}.Compare([]measure.Contender{
		{"floor", work(1)}, {"broken", func() error { return refused }},
	})
	assert.ErrorIs(t, err, refused)
	assert.ErrorContains(t, err, "broken")
}

func TestQuantiles(t *testing.T) {
	t.Parallel()
	values := []float64{5, 1, 4, 2, 3}
	assert.InDelta(t, 3, measure.Median(values), 0)
	assert.InDelta(t, 5, measure.Quantile(values, 0.99), 0)
	assert.Equal(t, []float64{5, 1, 4, 2, 3}, values, "the caller's order stays")
	assert.Zero(t, measure.Median(nil))
}

// What a first run sets up, a connection above all, says nothing about the runs after it.
func TestASlowFirstRunIsNotMeasured(t *testing.T) {
	runs := 0
	slowAtFirst := func() error {
		runs++
		if runs == 1 {
			return work(20_000)()
		}
		return work(10)()
	}
	got, err := measure.Plan{Rounds: 3, Slice: time.Millisecond}.Compare([]measure.Contender{{"steady", work(10)}, {"slow at first", slowAtFirst}})
	require.NoError(t, err)
	assert.Less(t, got[1].Allocs, 20.0)
	assert.Greater(t, runs, 500, "slices of many runs")
}
