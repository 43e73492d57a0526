package session_test

import (
	"math/rand/v2"
	"testing"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestContractSession(t *testing.T) {
	t.Parallel()
	const first, second = "flwses_1", "flwses_2"
	t.Run("W09 step.updated: active, at the step", func(t *testing.T) {
		t.Parallel()
		s := fold(t, step(first, 1, webhook.StepSelfieCheck))
		assert.Equal(t, webhook.StatusActive, s.Status())
		assert.Equal(t, webhook.StepSelfieCheck, s.Step())
		assert.False(t, s.Terminal())
	})
	t.Run("W10 status.updated: each of the five statuses ends the session, the step is null", func(t *testing.T) {
		t.Parallel()
		for _, status := range []webhook.Status{
			webhook.StatusSuccess, webhook.StatusFailed, webhook.StatusExpired, webhook.StatusCanceled, webhook.StatusPendingReview,
		} {
			s := fold(t, step(first, 1, webhook.StepSelfieCheck), ended(first, 2, status))
			assert.Equal(t, status, s.Status())
			assert.Empty(t, s.Step())
			assert.True(t, s.Terminal())
		}
	})
	t.Run("W11 retried: a new session, active, at its first step", func(t *testing.T) {
		t.Parallel()
		current, ok := foldCustomer(t, ended(first, 1, webhook.StatusFailed), retried(second, 2)).Current()
		require.True(t, ok)
		assert.Equal(t, second, current.ID())
		assert.Equal(t, webhook.StatusActive, current.Status())
		assert.Equal(t, webhook.StepAcceptTOS, current.Step())
		assert.True(t, current.Retried())
	})
	t.Run("W28 any order of one user's events gives one state", func(t *testing.T) {
		t.Parallel()
		inOrder := []webhook.Event{
			step(first, 0, webhook.StepAcceptTOS), step(first, 1, webhook.StepKYCCheck), ended(first, 2, webhook.StatusFailed),
			retried(second, 3), step(second, 4, webhook.StepKYCCheck), step(second, 5, webhook.StepSelfieCheck),
			ended(second, 6, webhook.StatusSuccess),
		}
		want := foldCustomer(t, inOrder...)
		r := rand.New(rand.NewPCG(28, 28))
		for range 800 {
			got := foldCustomer(t, shuffled(r, inOrder)...)
			require.True(t, got.Equal(want))
			current, _ := got.Current()
			require.Equal(t, webhook.StatusSuccess, current.Status())
			_, fetch := got.NeedsFetch()
			require.False(t, fetch, "arrival alone must not ask for a look-up")
		}
	})
	t.Run("W28 a step update after the status update of the same session", func(t *testing.T) {
		t.Parallel()
		s := fold(t, ended(first, 2, webhook.StatusFailed), step(first, 1, webhook.StepKYCCheck))
		assert.Equal(t, webhook.StatusFailed, s.Status())
	})
	t.Run("W28 a step update before the retried event that precedes it", func(t *testing.T) {
		t.Parallel()
		early := foldCustomer(t, step(second, 4, webhook.StepKYCCheck), ended(first, 2, webhook.StatusFailed), retried(second, 3))
		current, _ := early.Current()
		assert.Equal(t, second, current.ID())
		assert.Equal(t, webhook.StepKYCCheck, current.Step())
	})
	t.Run("W08 an unknown status survives a stay in a database", func(t *testing.T) {
		t.Parallel()
		s := stored(t, fold(t, ended(first, 1, "on_hold")))
		assert.Equal(t, webhook.Status("on_hold"), s.Status())
	})
}
