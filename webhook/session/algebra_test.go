package session_test

import (
	"math/rand/v2"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// I: all 40 320 orders of eight events, a redelivery and a same-second pair among them, give one state.
func TestEveryOrderOfEightEventsGivesOneState(t *testing.T) {
	t.Parallel()
	const id = "flwses_2"
	events := []webhook.Event{
		retried(id, 0),
		step(id, 0, webhook.StepAcceptTOS), // of the second of the retry
		step(id, 4, webhook.StepKYCCheck),
		step(id, 4, webhook.StepKYCCheck), // the redelivery
		step(id, 4, webhook.StepSelfieCheck),
		ended(id, 7, webhook.StatusPendingReview),
		step(id, 8, webhook.StepRiskCheck),
		ended(id, 9, webhook.StatusSuccess),
	}
	want := fold(t, events...)
	assert.Equal(t, webhook.StatusSuccess, want.Status())
	assert.Equal(t, webhook.StepRiskCheck, want.LastStep())
	n := eachOrder(events, func(events []webhook.Event) {
		if got := fold(t, events...); !got.Equal(want) {
			require.FailNow(t, "another order gave another state", "%v instead of %v", got, want)
		}
	})
	assert.Equal(t, 40_320, n)
}

func TestEveryOrderOfEightEventsGivesOneCustomer(t *testing.T) {
	t.Parallel()
	const first, second = "flwses_9", "flwses_1"
	events := []webhook.Event{
		step(first, 0, webhook.StepAcceptTOS),
		step(first, 2, webhook.StepKYCCheck),
		ended(first, 6, webhook.StatusCanceled), // by the retry
		retried(second, 5),
		step(second, 5, webhook.StepAcceptTOS),
		step(second, 7, webhook.StepKYCCheck),
		step(second, 7, webhook.StepKYCCheck),
		ended(second, 9, webhook.StatusFailed),
	}
	want := foldCustomer(t, events...)
	current, _ := want.Current()
	assert.Equal(t, second, current.ID())
	n := eachOrder(events, func(events []webhook.Event) {
		if got := foldCustomer(t, events...); !got.Equal(want) {
			require.FailNow(t, "another order gave another customer", "%v instead of %v", got, want)
		}
	})
	assert.Equal(t, 40_320, n)
}

// I106: any permutation, any duplication, any split into two folds that are merged afterwards.
func TestI106AnyOrderDuplicatesAndSplitsGiveOneState(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(106, 106))
	for range 1000 {
		events := anyEvents(r, 1+r.IntN(8), "flwses_1")
		want := fold(t, events...)
		for range 4 {
			again := shuffled(r, append(events, pick(r, events), pick(r, events)))
			cut := r.IntN(len(again) + 1)
			left, right := fold(t, again[:cut]...), stored(t, fold(t, again[cut:]...))
			merged := left
			require.NoError(t, merged.Merge(right))
			require.True(t, merged.Equal(want), "%v instead of %v", merged, want)
			require.NoError(t, right.Merge(left))
			require.True(t, right.Equal(want), "a merge must not depend on its side")
			require.NoError(t, merged.Merge(merged))
			require.True(t, merged.Equal(want), "a merge with itself must change nothing")
		}
	}
}

func TestI106AnyOrderDuplicatesAndSplitsGiveOneCustomer(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(106, 107))
	for range 800 {
		events := anyEvents(r, 1+r.IntN(10), "flwses_1", "flwses_2", "flwses_3")
		want := foldCustomer(t, events...)
		wantWhy, _ := want.NeedsFetch()
		for range 3 {
			again := shuffled(r, append(events, pick(r, events), pick(r, events)))
			cut := r.IntN(len(again) + 1)
			merged := foldCustomer(t, again[:cut]...)
			require.NoError(t, merged.Merge(stored(t, foldCustomer(t, again[cut:]...))))
			require.True(t, merged.Equal(want), "%v instead of %v", merged, want)
			why, _ := merged.NeedsFetch()
			require.Equal(t, wantWhy, why)
		}
	}
}

func TestMergeIsAssociative(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for range 800 {
		a, b, c := fold(t, anyEvents(r, 3, "flwses_1")...), fold(t, anyEvents(r, 3, "flwses_1")...), fold(t, anyEvents(r, 3, "flwses_1")...)
		left, right := a, b
		require.NoError(t, left.Merge(b))
		require.NoError(t, left.Merge(c))
		require.NoError(t, right.Merge(c))
		require.NoError(t, a.Merge(right))
		require.True(t, left.Equal(a))
	}
}

// FuzzFold folds events made of arbitrary strings and dates, in two orders and through JSON.
func FuzzFold(f *testing.F) {
	f.Add("flwses_1", "success", "kyc_check", int64(1), int64(2), "a", "b")
	f.Add("\xff", "\xfe", "{\"a\":1}", int64(-62135596800), int64(1<<60), "", "\x00")
	f.Fuzz(func(t *testing.T, id, status, at string, first, second int64, reference, eventID string) {
		a := step(id, int(first), webhook.Step(at)).(*webhook.StepUpdated)
		b := ended(id, int(second), webhook.Status(status)).(*webhook.StatusUpdated)
		a.Session.CustomerReference, b.ID = reference, eventID
		var forth, back session.State
		if id == "" {
			require.ErrorIs(t, forth.Apply(a), session.ErrNoSession)
			return
		}
		require.NoError(t, forth.Apply(a))
		require.NoError(t, forth.Apply(b))
		require.NoError(t, back.Apply(b))
		back = stored(t, back)
		require.NoError(t, back.Apply(a))
		require.True(t, forth.Equal(back))
		require.True(t, forth.Equal(stored(t, forth)))
		_, _ = forth.NeedsFetch()
	})
}

// FuzzState reads arbitrary JSON: what is read can be written and read again.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"version":1,"id":"a","environment":"live","reports":[{"status":"x","first":"2021-01-01T00:00:00+01:00"},{"status":"x"}]}`))
	f.Add([]byte(`{"version":1,"id":"a","undated":[{"event_id":"e"}],"reports":[{"status":"x","settled":true}],"fetched":{"at":"2021-01-01T00:00:00Z","status":"active"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var s session.State
		if s.UnmarshalJSON(data) == nil {
			require.True(t, s.Equal(stored(t, s)))
		}
		var c session.Customer
		if c.UnmarshalJSON(data) == nil {
			require.True(t, c.Equal(stored(t, c)))
		}
	})
}
