package webhook

import (
	"container/list"
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"
)

// What a [MemoryStore] does where its [MemoryConfig] says nothing.
const (
	DefaultLease     = time.Minute        // how long a handler may take before another delivery may be handled
	DefaultRetention = 7 * 24 * time.Hour // the last redelivery comes about 4 days after the first attempt (contract: limits)
	DefaultCapacity  = 100_000            // about 30 MB when full
)

// MemoryConfig sets up a [MemoryStore]. A field left zero has its default.
type MemoryConfig struct {
	Lease     time.Duration    // default DefaultLease
	Retention time.Duration    // default DefaultRetention
	Capacity  int              // events that are remembered, in flight or done; default DefaultCapacity
	Now       func() time.Time // default time.Now; called one call at a time
}

// MemoryStore is a [SeenStore] for a receiver of one process. What it remembers dies with the process, so that an
// event which is redelivered after a restart is handled again; several processes need a shared store.
//
// At capacity the event that was committed first is forgotten first, and never one that is being handled. A clock that
// steps back makes nothing expire early: time stands still until the clock has caught up.
type MemoryStore struct {
	config MemoryConfig

	mu      sync.Mutex
	events  map[SeenKey]*seenEvent
	flying  list.List // of *seenEvent that are claimed, the oldest claim first
	done    list.List // of *seenEvent that are committed, the oldest commit first
	token   uint64
	latest  time.Time
	evicted int
}

type seenEvent struct {
	key   SeenKey
	body  [sha256.Size]byte
	token uint64
	until time.Time // of the lease, or of the retention
	done  bool
	place *list.Element
}

// NewMemoryStore returns an empty store. It refuses negative settings.
func NewMemoryStore(config MemoryConfig) (*MemoryStore, error) {
	if config.Lease < 0 || config.Retention < 0 || config.Capacity < 0 {
		return nil, fmt.Errorf("webhook: NewMemoryStore: lease %v, retention %v and capacity %d must not be negative",
			config.Lease, config.Retention, config.Capacity)
	}
	return newMemoryStore(config), nil
}

func newMemoryStore(config MemoryConfig) *MemoryStore {
	if config.Lease == 0 {
		config.Lease = DefaultLease
	}
	if config.Retention == 0 {
		config.Retention = DefaultRetention
	}
	if config.Capacity == 0 {
		config.Capacity = DefaultCapacity
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	return &MemoryStore{config: config, events: make(map[SeenKey]*seenEvent)}
}

// Claim implements [SeenStore]. The errors: the context's, and [ErrStoreFull].
func (s *MemoryStore) Claim(ctx context.Context, key SeenKey, body [sha256.Size]byte) (Claim, error) {
	if err := ctx.Err(); err != nil {
		return Claim{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	s.expire(now)
	if e := s.events[key]; e != nil {
		if e.done || now.Before(e.until) {
			return Claim{Outcome: e.outcome(body)}, nil
		}
		s.forget(e)
	}
	if !s.makeRoom(now) {
		return Claim{}, ErrStoreFull
	}
	s.token++
	e := &seenEvent{key: key, body: body, token: s.token, until: now.Add(s.config.Lease)}
	e.place = s.flying.PushBack(e)
	s.events[key] = e
	return Claim{Claimed, e.token}, nil
}

func (e *seenEvent) outcome(body [sha256.Size]byte) ClaimOutcome {
	switch {
	case e.body != body:
		return Conflict
	case e.done:
		return Done
	}
	return InFlight
}

// Commit implements [SeenStore]. The errors: the context's, and [ErrClaimLost].
func (s *MemoryStore) Commit(ctx context.Context, key SeenKey, token uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.events[key]
	if e == nil || e.token != token {
		return ErrClaimLost
	}
	if e.done {
		return nil
	}
	s.flying.Remove(e.place)
	e.done, e.until = true, s.now().Add(s.config.Retention)
	e.place = s.done.PushBack(e)
	return nil
}

// Release implements [SeenStore]. The errors: the context's, and [ErrClaimLost].
func (s *MemoryStore) Release(ctx context.Context, key SeenKey, token uint64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.events[key]
	if e == nil || e.token != token || e.done {
		return ErrClaimLost
	}
	s.forget(e)
	return nil
}

// Len returns how many events are remembered, in flight or done.
func (s *MemoryStore) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.events)
}

// Evicted returns how many events were forgotten before their time, for want of room. A redelivery of such an event is
// handled again: raise the capacity.
func (s *MemoryStore) Evicted() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.evicted
}

// Format writes how many events are remembered and none of their keys, whatever the verb.
func (s *MemoryStore) Format(f fmt.State, _ rune) {
	_, _ = fmt.Fprintf(f, "webhook.MemoryStore(%d of %d events)", s.Len(), s.config.Capacity)
}

// now never goes back, which also keeps both lists ordered by until.
func (s *MemoryStore) now() time.Time {
	if now := s.config.Now(); now.After(s.latest) {
		s.latest = now
	}
	return s.latest
}

// expire forgets the committed events whose retention has ended.
func (s *MemoryStore) expire(now time.Time) {
	for front := s.done.Front(); front != nil; front = s.done.Front() {
		e := front.Value.(*seenEvent)
		if now.Before(e.until) {
			return
		}
		s.forget(e)
	}
}

// makeRoom forgets, where there is no room, the oldest committed event or else one whose lease has run out.
func (s *MemoryStore) makeRoom(now time.Time) bool {
	if len(s.events) < s.config.Capacity {
		return true
	}
	if front := s.done.Front(); front != nil {
		s.forget(front.Value.(*seenEvent))
		s.evicted++
		return true
	}
	if e := s.flying.Front().Value.(*seenEvent); !now.Before(e.until) {
		s.forget(e)
		return true
	}
	return false
}

func (s *MemoryStore) forget(e *seenEvent) {
	if e.done {
		s.done.Remove(e.place)
	} else {
		s.flying.Remove(e.place)
	}
	delete(s.events, e.key)
}
