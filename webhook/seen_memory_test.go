package webhook_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// memory is a store with a clock to set.
type memory struct {
	*webhook.MemoryStore
	t   *testing.T
	now time.Time
}

func newMemory(t *testing.T, config webhook.MemoryConfig) *memory {
	t.Helper()
	m := &memory{t: t, now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	config.Now = func() time.Time { return m.now }
	store, err := webhook.NewMemoryStore(config)
	require.NoError(t, err)
	m.MemoryStore = store
	return m
}

func seenKey(n int) webhook.SeenKey {
	return webhook.SeenKey{Environment: webhook.EnvironmentLive, KeyID: "live_key", EventID: fmt.Sprintf("whkevt_%d", n)}
}

func (m *memory) claims(n int, want webhook.ClaimOutcome) uint64 {
	m.t.Helper()
	c, err := m.Claim(m.t.Context(), seenKey(n), [32]byte{})
	require.NoError(m.t, err)
	require.Equal(m.t, want, c.Outcome)
	return c.Token
}

func (m *memory) commits(n int) {
	m.t.Helper()
	require.NoError(m.t, m.Commit(m.t.Context(), seenKey(n), m.claims(n, webhook.Claimed)))
}

func TestMemoryStore(t *testing.T) {
	t.Parallel()
	t.Run("H91 redelivery at hour 95 is a duplicate", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{})
		m.commits(1)
		m.now = m.now.Add(95 * time.Hour)
		m.claims(1, webhook.Done)
	})
	t.Run("a committed event is forgotten after 7 days and not before", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{})
		m.commits(1)
		m.now = m.now.Add(7*24*time.Hour - 1)
		m.claims(1, webhook.Done)
		m.now = m.now.Add(1)
		m.claims(2, webhook.Claimed)
		assert.Equal(t, 1, m.Len(), "the memory is freed by whatever claim comes next")
		m.claims(1, webhook.Claimed)
	})
	t.Run("H95 at capacity the oldest committed goes first", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{Capacity: 3})
		inFlight := m.claims(1, webhook.Claimed)
		m.commits(2)
		m.commits(3)
		m.commits(4)
		assert.Equal(t, 3, m.Len())
		assert.Equal(t, 1, m.Evicted())
		m.claims(1, webhook.InFlight)
		m.claims(3, webhook.Done)
		m.claims(4, webhook.Done)
		require.NoError(t, m.Commit(t.Context(), seenKey(1), inFlight))
	})
	t.Run("H95 at capacity an in-flight claim never goes", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{Capacity: 2})
		m.claims(1, webhook.Claimed)
		m.claims(2, webhook.Claimed)
		_, err := m.Claim(t.Context(), seenKey(3), [32]byte{})
		require.ErrorIs(t, err, webhook.ErrStoreFull)
		m.claims(1, webhook.InFlight)
		m.claims(2, webhook.InFlight)
		m.now = m.now.Add(webhook.DefaultLease)
		m.claims(3, webhook.Claimed)
		assert.Zero(t, m.Evicted(), "a claim whose lease has run out is no loss")
	})
	t.Run("at capacity a lease that ran out does not give its successor away", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{Capacity: 2})
		m.claims(1, webhook.Claimed)
		m.now = m.now.Add(webhook.DefaultLease)
		m.claims(1, webhook.Claimed)
		m.claims(2, webhook.Claimed)
		_, err := m.Claim(t.Context(), seenKey(3), [32]byte{})
		require.ErrorIs(t, err, webhook.ErrStoreFull)
		m.claims(1, webhook.InFlight)
	})
	t.Run("a commit that is repeated takes no second place", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{Capacity: 2})
		token := m.claims(1, webhook.Claimed)
		for range 3 {
			require.NoError(t, m.Commit(t.Context(), seenKey(1), token))
		}
		for n := range 8 {
			m.commits(10 + n)
			assert.LessOrEqual(t, m.Len(), 2)
		}
		assert.Equal(t, 7, m.Evicted())
		m.claims(17, webhook.Done)
		m.claims(16, webhook.Done)
	})
	t.Run("H96 a clock that steps back expires nothing early", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{})
		m.commits(1)
		m.now = m.now.Add(-time.Hour)
		m.commits(2)
		m.claims(3, webhook.Claimed)
		m.now = m.now.Add(time.Hour) // the clock is set right again: no hour has passed
		m.claims(3, webhook.InFlight)
		m.now = m.now.Add(7*24*time.Hour - time.Second)
		m.claims(1, webhook.Done)
		m.claims(2, webhook.Done)
	})
	t.Run("it prints no key id", func(t *testing.T) {
		t.Parallel()
		m := newMemory(t, webhook.MemoryConfig{Capacity: 3})
		m.commits(1)
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			assert.Equal(t, "webhook.MemoryStore(1 of 3 events)", fmt.Sprintf(verb, m.MemoryStore))
		}
	})
	t.Run("it refuses negative settings", func(t *testing.T) {
		t.Parallel()
		for _, config := range []webhook.MemoryConfig{{Lease: -1}, {Retention: -1}, {Capacity: -1}} {
			_, err := webhook.NewMemoryStore(config)
			require.ErrorContains(t, err, "negative")
		}
	})
	t.Run("a cancelled context is an error", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := newMemory(t, webhook.MemoryConfig{}).Claim(ctx, seenKey(1), [32]byte{})
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestClaimOutcomesHaveNames(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "[claimed in flight done conflict unknown outcome]",
		fmt.Sprint([]webhook.ClaimOutcome{webhook.Claimed, webhook.InFlight, webhook.Done, webhook.Conflict, 0}))
}
