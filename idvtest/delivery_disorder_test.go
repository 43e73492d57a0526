package idvtest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"example.com/idv/idvtest"
)

// played returns what a receiver got of a lifetime once a minute had passed.
func played(t *testing.T, opts ...idvtest.Option) *receiver {
	t.Helper()
	s := idvtest.Start(t, append(opts, idvtest.WithSeed(1))...)
	r := listen(t, s)
	lifetime(t, s, "ref")
	s.Clock.Advance(time.Minute)
	verified(t, r)
	return r
}

func TestDisorderFollowsItsSeed(t *testing.T) {
	t.Parallel()
	inOrder := played(t).story()
	for name, option := range map[string]func(seed uint64) idvtest.Option{
		"shuffled":   idvtest.WithShuffledDeliveries,
		"duplicated": idvtest.WithDuplicatedDeliveries,
		"delayed":    func(seed uint64) idvtest.Option { return idvtest.WithDelayedDeliveries(seed, time.Minute) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			differing := 0
			for seed := range uint64(6) {
				story := played(t, option(seed)).story()
				assert.Equal(t, story, played(t, option(seed)).story(), "one seed, one story")
				assert.Subset(t, story, inOrder)
				if !slices.Equal(story, inOrder) {
					differing++
				}
			}
			assert.GreaterOrEqual(t, differing, 5)
		})
	}
}

func TestShuffledDeliveriesWaitForTheClock(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithShuffledDeliveries(3))
	r := listen(t, s)
	lifetime(t, s, "ref")
	assert.Zero(t, r.count())
	s.Clock.Advance(0)
	assert.Equal(t, 6, r.count())
	s.StartSession("another")
	assert.Equal(t, 6, r.count())
	s.Clock.Advance(0)
	assert.Equal(t, 7, r.count())
}

func TestDuplicatesAreTheSameEvent(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithDuplicatedDeliveries(2))
	r := listen(t, s, idvtest.KindStepUpdated)
	r.answer(500)
	for range 20 {
		s.StartSession("ref")
	}
	sent := map[string]int{}
	for _, m := range r.messages() {
		sent[m.event.ID]++
	}
	assert.Len(t, sent, 20)
	assert.InDelta(t, 30, r.count(), 6, "about every second one")
	duplicates := 0
	for _, d := range s.Dashboard().Deliveries() {
		assert.Equal(t, 1, d.Attempt)
		if d.Duplicate {
			duplicates++
			assert.Equal(t, 2, sent[d.EventID])
		}
	}
	assert.Equal(t, r.count()-20, duplicates)
	s.Clock.Advance(96 * time.Hour)
	assert.Equal(t, 20*8+duplicates, r.count(), "duplicates are not redelivered")
}

func TestDelayedDeliveriesKeepWithinTheirTime(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithDelayedDeliveries(1, time.Hour))
	r := listen(t, s)
	began := s.Clock.Now()
	for range 20 {
		s.StartSession("ref")
	}
	s.Clock.Advance(30 * time.Minute)
	assert.InDelta(t, 10, r.count(), 6)
	s.Clock.Advance(30 * time.Minute)
	assert.Equal(t, 20, r.count())
	for _, date := range dates(t, r) {
		assert.WithinRange(t, date, began, began.Add(time.Hour))
	}
	verified(t, r)
}

func TestDisordersCombine(t *testing.T) {
	t.Parallel()
	r := played(t, idvtest.WithShuffledDeliveries(1), idvtest.WithDuplicatedDeliveries(1), idvtest.WithDelayedDeliveries(1, 0))
	assert.Greater(t, r.count(), 6)
}
