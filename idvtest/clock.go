package idvtest

import (
	"sync"
	"time"
)

// defaultStart is where the clock stands unless an option says otherwise: a fixed moment, so that two runs of one test
// see the same timestamps.
var defaultStart = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Clock is the time of the test service: creation times, Date headers, the expiry of Flow sessions and the redelivery of
// webhooks all follow it.
//
// It stands still, and only [Clock.Advance] moves it, so that a test decides when four days have passed. A service made with
// [WithWallClock] has a clock that runs with the wall clock instead and that Advance moves ahead of it.
//
// A Clock is safe for concurrent use. It belongs to a [Server]; its zero value is of no use.
type Clock struct {
	mu      sync.Mutex
	quiet   sync.Cond // signalled whenever running becomes false
	follows bool      // the wall clock plus offset; otherwise it stands still at now
	offset  time.Duration
	now     time.Time // the time while standing still, and while callbacks run
	target  time.Time // where the running Advance will stop
	running bool
	stopped bool
	waiting alarms
	ordinal int
	wake    *time.Timer // rings for the first waiting alarm of a clock that follows the wall clock
}

func newClock(start time.Time) *Clock {
	c := &Clock{now: start.UTC()}
	c.quiet.L = &c.mu
	return c
}

// newWallClock returns a clock that follows the wall clock; what falls due as time passes runs by itself.
func newWallClock() *Clock {
	c := newClock(time.Time{})
	c.follows = true
	return c
}

// Now returns the current time of the service, in UTC. While Advance plays what falls due, Now is the time at which that
// was due.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read()
}

// Advance moves the clock forward by d and plays everything that falls due on the way, in the order of time: redeliveries
// of webhooks, expiries, mails. It returns when all of it has been played. Advance(0) plays what is due already; a
// negative d counts as 0, since the clock never runs backwards.
//
// Advance may be called from a webhook receiver that is itself being played, and from several goroutines at once: only
// one of the calls plays, the others add their d to it and return at once.
func (c *Clock) Advance(d time.Duration) {
	d = max(d, 0)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.offset += d
	if c.running {
		c.target = c.target.Add(d)
		return
	}
	c.now = c.readWithout(d)
	c.target = c.now.Add(d)
	c.play()
	c.now = c.target
	c.arm()
	c.quiet.Broadcast()
}

// play runs the alarms up to the target, each with the clock at its time; an alarm may set more of them and extend the
// target.
func (c *Clock) play() {
	c.running = true
	defer func() { c.running = false }()
	for c.waiting.Len() > 0 && !c.waiting[0].at.After(c.target) && !c.stopped {
		a := c.waiting.pop()
		c.now = latest(c.now, a.at)
		c.unlocked(a.run)
	}
}

func (c *Clock) unlocked(f func()) {
	c.mu.Unlock()
	defer c.mu.Lock()
	f()
}

// at has f run when the clock reaches t, or with the next Advance if it has passed t already. Callbacks of one moment run
// in the order in which they were set, one at a time, with no lock held. Nothing takes f back: it looks for itself
// whether it still applies.
func (c *Clock) at(t time.Time, f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ordinal++
	c.waiting.push(alarm{at: t, ordinal: c.ordinal, run: f})
	c.arm()
}

// stop drops everything that waits and returns when nothing runs any more.
func (c *Clock) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stopped = true
	if c.wake != nil {
		c.wake.Stop()
	}
	for c.running {
		c.quiet.Wait()
	}
}

// arm sets the wake-up call of a clock that follows the wall clock; any other clock waits for Advance.
func (c *Clock) arm() {
	if !c.follows || c.running || c.stopped {
		return
	}
	if c.wake != nil {
		c.wake.Stop()
	}
	if c.waiting.Len() > 0 {
		c.wake = time.AfterFunc(c.waiting[0].at.Sub(c.read()), func() { c.Advance(0) })
	}
}

func (c *Clock) read() time.Time { return c.readWithout(0) }

// readWithout reads the clock as it was before d was added to it.
func (c *Clock) readWithout(d time.Duration) time.Time {
	if c.follows && !c.running {
		return time.Now().Add(c.offset - d).UTC()
	}
	return c.now
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
