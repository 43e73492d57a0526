package connections_test

import (
	"testing"
	"time"

	"example.com/idv/bench/internal/connections"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Not parallel: the tests change http.DefaultTransport for a moment.

func TestOursKeepsWhatTheDefaultThrowsAway(t *testing.T) {
	table, err := connections.Count(32, 200, 2*time.Millisecond)
	require.NoError(t, err)
	require.Len(t, table, 3)
	ours, standard := table[0], table[1]
	assert.Less(t, ours.Later, 100.0)
	assert.Greater(t, standard.Later, ours.Later+100)
}

func TestOneCallerNeedsOneConnection(t *testing.T) {
	table, err := connections.Count(1, 20, 0)
	require.NoError(t, err)
	for _, row := range table {
		assert.Zero(t, row.Later, row.Name)
	}
}

func TestAFailureDoesNotEmptyOurPool(t *testing.T) {
	table, err := connections.Survivors(4)
	require.NoError(t, err)
	assert.Equal(t, 4, table[0].Left, "ours")
}
