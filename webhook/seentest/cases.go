package seentest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"example.com/idv/webhook"
)

var cases = []struct {
	name string
	run  func(*subject)
}{
	{"an event is claimed once", claimedOnce},
	{"a committed event is done", committed},
	{"a released event can be claimed at once", released},
	{"another body is a conflict", conflict},
	{"another body is no conflict after a release or a lease", noConflict},
	{"every part of the key counts", keys},
	{"a lease runs out", leaseRunsOut},
	{"an outlived lease without another claim is still good", outlivedAlone},
	{"an outlived lease is fenced off", fenced},
	{"a token is never given twice", tokensGrow},
	{"a commit may be repeated", commitRepeated},
	{"a release after the commit changes nothing", releasedAfterCommit},
	{"an event without a claim cannot be ended", neverClaimed},
	{"a committed event is remembered", retained},
	{"one of many concurrent claims wins", concurrent},
	{"a cancelled context is an error and claims nothing", cancelled},
}

func claimedOnce(s *subject) {
	s.claim(s.Store, key, body, webhook.Claimed)
	s.claim(s.Store, key, body, webhook.InFlight)
	s.claim(s.Peer, key, body, webhook.InFlight)
}

func committed(s *subject) {
	s.commit(s.Store, key, s.claim(s.Store, key, body, webhook.Claimed))
	s.claim(s.Store, key, body, webhook.Done)
	s.claim(s.Peer, key, body, webhook.Done)
}

func released(s *subject) {
	first := s.claim(s.Store, key, body, webhook.Claimed)
	s.release(s.Store, key, first)
	second := s.claim(s.Peer, key, body, webhook.Claimed)
	s.later(first, second)
	s.claim(s.Store, key, body, webhook.InFlight)
}

func conflict(s *subject) {
	token := s.claim(s.Store, key, body, webhook.Claimed)
	s.claim(s.Peer, key, tampered, webhook.Conflict)
	s.commit(s.Store, key, token)
	s.claim(s.Peer, key, tampered, webhook.Conflict)
	s.claim(s.Peer, key, body, webhook.Done)
}

func noConflict(s *subject) {
	s.release(s.Store, key, s.claim(s.Store, key, body, webhook.Claimed))
	s.claim(s.Store, key, tampered, webhook.Claimed)
	s.Advance(s.Lease)
	s.claim(s.Store, key, body, webhook.Claimed)
}

// keys has pairs that a store would mix up which joins the parts with a separator, cuts them off or ignores case.
func keys(s *subject) {
	different := []webhook.SeenKey{
		{Environment: "live", KeyID: "k", EventID: "whkevt_1"},
		{Environment: "sandbox", KeyID: "k", EventID: "whkevt_1"},
		{Environment: "live", KeyID: "k2", EventID: "whkevt_1"},
		{Environment: "live", KeyID: "k", EventID: "whkevt_2"},
		{Environment: "live", KeyID: "k", EventID: "WHKEVT_1"},
		{Environment: "live", KeyID: "k", EventID: "whkevt_1 "},
		{Environment: "", KeyID: "k", EventID: "whkevt_1"},
		{Environment: "a", KeyID: "b:c", EventID: "d"},
		{Environment: "a:b", KeyID: "c", EventID: "d"},
		{Environment: "a", KeyID: "b", EventID: "c:d"},
		{Environment: "a|b", KeyID: "c/d", EventID: "e'\"%_*?\\"},
		{Environment: "a|b", KeyID: "c/d", EventID: "e'\"%_*?"},
		{Environment: "live", KeyID: "k", EventID: "é"},
		{Environment: "live", KeyID: "k", EventID: "e\u0301"},
	}
	for _, k := range different {
		s.commit(s.Store, k, s.claim(s.Store, k, body, webhook.Claimed))
	}
	for _, k := range different {
		s.claim(s.Peer, k, body, webhook.Done)
	}
}

func leaseRunsOut(s *subject) {
	first := s.claim(s.Store, key, body, webhook.Claimed)
	s.Advance(s.Lease / 2)
	s.claim(s.Peer, key, body, webhook.InFlight)
	s.Advance(s.Lease - s.Lease/2)
	second := s.claim(s.Peer, key, body, webhook.Claimed)
	s.later(first, second)
	s.claim(s.Store, key, body, webhook.InFlight)
}

func outlivedAlone(s *subject) {
	token := s.claim(s.Store, key, body, webhook.Claimed)
	s.Advance(2 * s.Lease)
	s.commit(s.Store, key, token)
	s.claim(s.Peer, key, body, webhook.Done)
}

func fenced(s *subject) {
	outlived := s.claim(s.Store, key, body, webhook.Claimed)
	s.Advance(s.Lease)
	current := s.claim(s.Peer, key, body, webhook.Claimed)
	s.lost("Commit of the outlived claim", s.Store.Commit(s.Context(), key, outlived))
	s.lost("Release of the outlived claim", s.Store.Release(s.Context(), key, outlived))
	s.claim(s.Store, key, body, webhook.InFlight)
	s.commit(s.Peer, key, current)
	s.lost("Commit of the outlived claim, the event being done", s.Store.Commit(s.Context(), key, outlived))
	s.lost("Release of the outlived claim, the event being done", s.Store.Release(s.Context(), key, outlived))
	s.claim(s.Store, key, body, webhook.Done)
}

// tokensGrow catches a store that counts anew once a claim was released: the outlived claim would fit a later one.
func tokensGrow(s *subject) {
	outlived := s.claim(s.Store, key, body, webhook.Claimed)
	s.Advance(s.Lease)
	latest := outlived
	for range 3 {
		token := s.claim(s.Peer, key, body, webhook.Claimed)
		s.later(latest, token)
		s.release(s.Peer, key, token)
		latest = token
	}
	current := s.claim(s.Peer, key, body, webhook.Claimed)
	s.later(latest, current)
	s.lost("Commit of the outlived claim", s.Store.Commit(s.Context(), key, outlived))
	s.commit(s.Peer, key, current)
}

// commitRepeated is what a worker does whose first commit was answered by a broken connection.
func commitRepeated(s *subject) {
	token := s.claim(s.Store, key, body, webhook.Claimed)
	s.commit(s.Store, key, token)
	s.commit(s.Store, key, token)
	s.claim(s.Store, key, body, webhook.Done)
}

func releasedAfterCommit(s *subject) {
	token := s.claim(s.Store, key, body, webhook.Claimed)
	s.commit(s.Store, key, token)
	s.lost("Release after Commit", s.Store.Release(s.Context(), key, token))
	s.claim(s.Store, key, body, webhook.Done)
}

func neverClaimed(s *subject) {
	s.lost("Commit without a claim", s.Store.Commit(s.Context(), key, 1))
	s.lost("Release without a claim", s.Store.Release(s.Context(), key, 1))
	token := s.claim(s.Store, key, body, webhook.Claimed)
	s.lost("Commit with a token that was never given", s.Store.Commit(s.Context(), key, token+1))
	s.release(s.Store, key, token)
	s.lost("Commit after Release", s.Store.Commit(s.Context(), key, token))
}

func retained(s *subject) {
	s.commit(s.Store, key, s.claim(s.Store, key, body, webhook.Claimed))
	s.Advance(s.Retention / 2)
	s.claim(s.Peer, key, body, webhook.Done)
	s.Advance(s.Retention / 4)
	s.claim(s.Store, key, body, webhook.Done)
}

func concurrent(s *subject) {
	const workers = 64
	var all sync.WaitGroup
	outcomes := make([]webhook.ClaimOutcome, workers)
	errs := make([]error, workers)
	for i := range workers {
		all.Go(func() {
			store := s.Store
			if i%2 == 1 {
				store = s.Peer
			}
			c, err := store.Claim(s.Context(), key, body)
			outcomes[i], errs[i] = c.Outcome, err
		})
	}
	all.Wait()
	if err := errors.Join(errs...); err != nil {
		s.Fatalf("Claim failed: %v", err)
	}
	slices.Sort(outcomes)
	if outcomes[0] != webhook.Claimed || outcomes[1] != webhook.InFlight || outcomes[workers-1] != webhook.InFlight {
		s.Fatalf("%d concurrent claims gave %v, want one claimed and the others in flight", workers, outcomes)
	}
}

func cancelled(s *subject) {
	ctx, cancel := context.WithDeadline(s.Context(), time.Unix(1, 0))
	defer cancel()
	if _, err := s.Store.Claim(ctx, key, body); err == nil {
		s.Fatal("Claim ignored that its context was done")
	}
	token := s.claim(s.Store, key, body, webhook.Claimed)
	if err := s.Store.Commit(ctx, key, token); err == nil {
		s.Fatal("Commit ignored that its context was done")
	}
	if err := s.Store.Release(ctx, key, token); err == nil {
		s.Fatal("Release ignored that its context was done")
	}
	s.claim(s.Peer, key, body, webhook.InFlight)
}
