package idvtest

import (
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestClockStandsStillUntilAdvanced(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	assert.Equal(t, defaultStart, c.Now())
	c.Advance(90 * time.Minute)
	assert.Equal(t, defaultStart.Add(90*time.Minute), c.Now())
	c.Advance(-time.Hour)
	assert.Equal(t, defaultStart.Add(90*time.Minute), c.Now(), "it never runs backwards")
}

func TestClockTellsTheTimeInUTC(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("somewhere", 3*3600)
	assert.Equal(t, time.UTC, newClock(time.Date(2025, 5, 5, 5, 5, 5, 0, zone)).Now().Location())
	assert.Equal(t, time.UTC, newWallClock().Now().Location())
}

func TestClockPlaysInTheOrderOfTime(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		c := newClock(defaultStart)
		var played []int
		for _, minute := range rand.New(rand.NewPCG(seed, 0)).Perm(50) {
			c.at(defaultStart.Add(time.Duration(minute)*time.Minute), func() {
				assert.Equal(t, defaultStart.Add(time.Duration(minute)*time.Minute), c.Now())
				played = append(played, minute)
			})
		}
		c.Advance(time.Hour)
		require.Len(t, played, 50)
		assert.IsIncreasing(t, played)
		assert.Equal(t, defaultStart.Add(time.Hour), c.Now())
	}
}

func TestClockPlaysOneMomentInTheOrderOfSetting(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	var played []int
	for i := range 20 {
		c.at(defaultStart.Add(time.Minute), func() { played = append(played, i) })
	}
	c.Advance(time.Minute)
	require.Len(t, played, 20)
	assert.IsIncreasing(t, played)
}

func TestClockPlaysNothingBeforeItsTime(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	played := 0
	c.at(defaultStart.Add(time.Minute), func() { played++ })
	c.Advance(time.Minute - 1)
	assert.Zero(t, played)
	c.Advance(1)
	assert.Equal(t, 1, played)
	c.Advance(time.Hour)
	assert.Equal(t, 1, played, "once only")
}

func TestClockPlaysThePastWithTheNextAdvance(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	var seen time.Time
	c.at(defaultStart.Add(-time.Hour), func() { seen = c.Now() })
	assert.Zero(t, seen)
	c.Advance(0)
	assert.Equal(t, defaultStart, seen, "the clock does not step back for it")
}

func TestClockCallbacksSetMore(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	var times []time.Duration
	var again func()
	again = func() {
		times = append(times, c.Now().Sub(defaultStart))
		c.at(c.Now().Add(time.Hour), again)
	}
	c.at(defaultStart.Add(time.Hour), again)
	c.Advance(3*time.Hour + time.Minute)
	assert.Equal(t, []time.Duration{time.Hour, 2 * time.Hour, 3 * time.Hour}, times)
}

func TestClockAdvanceFromACallbackExtendsTheRunningOne(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	played := ""
	c.at(defaultStart.Add(time.Minute), func() {
		c.Advance(time.Hour)
		played += "first "
	})
	c.at(defaultStart.Add(time.Hour), func() { played += "second" })
	c.Advance(time.Minute)
	assert.Equal(t, "first second", played)
	assert.Equal(t, defaultStart.Add(time.Hour+time.Minute), c.Now())
}

func TestClockIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	var played sync.WaitGroup
	var callers sync.WaitGroup
	for i := range 16 {
		callers.Go(func() {
			for range 50 {
				played.Add(1)
				c.at(c.Now().Add(time.Duration(i)*time.Second), played.Done)
				c.Advance(time.Second)
			}
		})
	}
	callers.Wait()
	c.Advance(time.Minute)
	played.Wait()
	assert.Equal(t, defaultStart.Add(800*time.Second+time.Minute), c.Now())
}

func TestClockStopDropsWhatWaits(t *testing.T) {
	t.Parallel()
	c := newClock(defaultStart)
	c.at(defaultStart.Add(time.Minute), func() { t.Error("played after stop") })
	c.stop()
	c.Advance(time.Hour)
}

func TestWallClockFollowsAndAdvances(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newWallClock()
		began := time.Now()
		time.Sleep(time.Minute)
		assert.Equal(t, time.Minute, c.Now().Sub(began))
		c.Advance(time.Hour)
		time.Sleep(time.Minute)
		assert.Equal(t, time.Hour+2*time.Minute, c.Now().Sub(began))
	})
}

func TestWallClockPlaysAsTimePasses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newWallClock()
		defer c.stop()
		began := c.Now()
		played := make(chan time.Duration, 4)
		for _, hours := range []int{3, 1, 2, 30} {
			c.at(began.Add(time.Duration(hours)*time.Hour), func() { played <- c.Now().Sub(began) })
		}
		time.Sleep(90 * time.Minute)
		assert.Equal(t, time.Hour, <-played)
		assert.Empty(t, played)
		c.Advance(30 * time.Minute)
		assert.Equal(t, 2*time.Hour, <-played, "Advance plays ahead of the wall clock")
		time.Sleep(time.Hour)
		assert.Equal(t, 3*time.Hour, <-played)
		synctest.Wait()
		assert.Empty(t, played)
	})
}

func TestWallClockStopWaitsForWhatRuns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newWallClock()
		done := false
		c.at(c.Now().Add(time.Minute), func() {
			time.Sleep(time.Hour)
			done = true
		})
		c.at(c.Now().Add(2*time.Minute), func() { t.Error("played after stop") })
		time.Sleep(90 * time.Second)
		c.stop()
		assert.True(t, done)
		time.Sleep(24 * time.Hour)
	})
}
