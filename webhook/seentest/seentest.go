package seentest

import (
	"context"
	"crypto/sha256"
	"errors"
	"testing"
	"time"

	"example.com/idv/webhook"
)

// Subject is a store under test and what the suite may do with it.
type Subject struct {
	// Store is empty, and used by no other test.
	Store webhook.SeenStore
	// Peer is a second client of the same events, as another process would have; nil means Store itself.
	Peer webhook.SeenStore
	// Lease is how long the store's claims hold; 0 means webhook.DefaultLease.
	Lease time.Duration
	// Retention is how long the store remembers committed events; 0 means webhook.DefaultRetention.
	Retention time.Duration
	// Advance lets time pass for the store. nil means time.Sleep: then keep Lease at some hundred milliseconds and
	// Retention at a few leases.
	Advance func(d time.Duration)
}

// Run runs the suite. newSubject is called once for each case, on its test.
func Run(t *testing.T, newSubject func(t *testing.T) Subject) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			runCase(t, c.run, newSubject(t))
		})
	}
}

func runCase(t reporter, run func(*subject), s Subject) {
	s.setDefaults()
	run(&subject{t, s})
}

func (s *Subject) setDefaults() {
	if s.Peer == nil {
		s.Peer = s.Store
	}
	if s.Lease == 0 {
		s.Lease = webhook.DefaultLease
	}
	if s.Retention == 0 {
		s.Retention = webhook.DefaultRetention
	}
	if s.Advance == nil {
		s.Advance = time.Sleep
	}
}

// reporter is the part of *testing.T that a case needs.
type reporter interface {
	Helper()
	Context() context.Context
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// subject is a Subject with the assertions of one case.
type subject struct {
	reporter
	Subject
}

var (
	key      = webhook.SeenKey{Environment: webhook.EnvironmentLive, KeyID: "live_key_1", EventID: "whkevt_1"}
	body     = sha256.Sum256([]byte("the body"))
	tampered = sha256.Sum256([]byte("another body"))
)

// claim claims key and expects the outcome.
func (s *subject) claim(store webhook.SeenStore, key webhook.SeenKey, body [sha256.Size]byte, want webhook.ClaimOutcome) uint64 {
	s.Helper()
	c, err := store.Claim(s.Context(), key, body)
	switch {
	case err != nil:
		s.Fatalf("Claim failed: %v", err)
	case c.Outcome != want:
		s.Fatalf("Claim said %q, want %q", c.Outcome, want)
	case want == webhook.Claimed && c.Token == 0:
		s.Fatal("Claim gave the token 0 to a claim")
	case want != webhook.Claimed && c.Token != 0:
		s.Fatalf("Claim gave a token where nothing was claimed (%s)", want)
	}
	return c.Token
}

func (s *subject) commit(store webhook.SeenStore, key webhook.SeenKey, token uint64) {
	s.Helper()
	if err := store.Commit(s.Context(), key, token); err != nil {
		s.Fatalf("Commit failed: %v", err)
	}
}

func (s *subject) release(store webhook.SeenStore, key webhook.SeenKey, token uint64) {
	s.Helper()
	if err := store.Release(s.Context(), key, token); err != nil {
		s.Fatalf("Release failed: %v", err)
	}
}

func (s *subject) lost(what string, err error) {
	s.Helper()
	if !errors.Is(err, webhook.ErrClaimLost) {
		s.Fatalf("%s gave %v, want ErrClaimLost", what, err)
	}
}

func (s *subject) later(earlier, later uint64) {
	s.Helper()
	if later <= earlier {
		s.Fatalf("a later claim got the token %d, an earlier one %d: tokens must grow", later, earlier)
	}
}
