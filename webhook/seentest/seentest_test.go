package seentest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func memory(t testing.TB) Subject {
	t.Helper()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	store, err := webhook.NewMemoryStore(webhook.MemoryConfig{Now: func() time.Time { return now }})
	require.NoError(t, err)
	return Subject{Store: store, Advance: func(d time.Duration) { now = now.Add(d) }}
}

func TestTheMemoryStorePasses(t *testing.T) {
	t.Parallel()
	Run(t, func(t *testing.T) Subject { return memory(t) })
}

// Where a store has no clock to set, time passes for real; here in a bubble, at no cost.
func TestTheMemoryStorePassesByTheWallClock(t *testing.T) {
	t.Parallel()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				config := webhook.MemoryConfig{Lease: time.Second, Retention: time.Minute}
				store, err := webhook.NewMemoryStore(config)
				require.NoError(t, err)
				runCase(t, c.run, Subject{Store: store, Lease: config.Lease, Retention: config.Retention})
			})
		})
	}
}

// A suite is worth what it catches: each of these stores has one plausible mistake.
func TestTheSuiteCatches(t *testing.T) {
	t.Parallel()
	for mistake, tt := range map[string]struct {
		broken func(*broken)
		caught string
	}{
		"a claim that everybody gets": {
			func(b *broken) {
				b.claim = func(ctx context.Context, k webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
					return webhook.Claim{Outcome: webhook.Claimed, Token: 1}, nil
				}
			}, "an event is claimed once"},
		"a commit that does nothing": {
			func(b *broken) { b.commit = func(context.Context, webhook.SeenKey, uint64) error { return nil } },
			"a committed event is done"},
		"a release that does nothing": {
			func(b *broken) { b.release = func(context.Context, webhook.SeenKey, uint64) error { return nil } },
			"a released event can be claimed at once"},
		"bodies that are not compared": {
			func(b *broken) {
				b.claim = func(ctx context.Context, k webhook.SeenKey, _ [32]byte) (webhook.Claim, error) {
					return b.SeenStore.Claim(ctx, k, [32]byte{})
				}
			}, "another body is a conflict"},
		"a key joined by colons": {
			func(b *broken) {
				b.key = func(k webhook.SeenKey) webhook.SeenKey {
					return webhook.SeenKey{EventID: string(k.Environment) + ":" + k.KeyID + ":" + k.EventID}
				}
			}, "every part of the key counts"},
		"the event id alone as key": {
			func(b *broken) {
				b.key = func(k webhook.SeenKey) webhook.SeenKey { return webhook.SeenKey{EventID: k.EventID} }
			}, "every part of the key counts"},
		"a clock that stands still": {
			func(b *broken) { b.Advance = func(time.Duration) {} },
			"a lease runs out"},
		"a commit without a look at the token": {
			func(b *broken) {
				var latest atomic.Uint64
				b.claim = func(ctx context.Context, k webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
					c, err := b.SeenStore.Claim(ctx, k, body)
					if c.Token > 0 {
						latest.Store(c.Token)
					}
					return c, err
				}
				b.commit = func(ctx context.Context, k webhook.SeenKey, _ uint64) error {
					return b.SeenStore.Commit(ctx, k, latest.Load())
				}
			}, "an outlived lease is fenced off"},
		"tokens that start anew": {
			func(b *broken) {
				b.claim = func(ctx context.Context, k webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
					c, err := b.SeenStore.Claim(ctx, k, body)
					c.Token = min(c.Token, 1)
					return c, err
				}
			}, "a token is never given twice"},
		"an event that is forgotten with its lease": {
			func(b *broken) {
				b.claim = func(ctx context.Context, k webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
					c, err := b.SeenStore.Claim(ctx, k, body)
					if c.Outcome == webhook.Done && b.passed > webhook.DefaultLease {
						return webhook.Claim{Outcome: webhook.Claimed, Token: 9}, nil
					}
					return c, err
				}
			}, "a committed event is remembered"},
		"a context that is ignored": {
			func(b *broken) {
				b.claim = func(_ context.Context, k webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
					return b.SeenStore.Claim(context.Background(), k, body)
				}
			}, "a cancelled context is an error and claims nothing"},
	} {
		t.Run(mistake, func(t *testing.T) {
			t.Parallel()
			assert.Contains(t, failing(t, tt.broken), tt.caught)
		})
	}
}

// failing returns the names of the cases that fail on a memory store with a mistake.
func failing(t *testing.T, mistake func(*broken)) []string {
	var names []string
	for _, c := range cases {
		s := memory(t)
		b := &broken{SeenStore: s.Store, key: func(k webhook.SeenKey) webhook.SeenKey { return k }}
		b.Advance = func(d time.Duration) { b.passed += d; s.Advance(d) }
		b.claim, b.commit, b.release = b.SeenStore.Claim, b.SeenStore.Commit, b.SeenStore.Release
		mistake(b)
		if r := (&recorder{ctx: t.Context()}).run(c.run, Subject{Store: b, Advance: b.Advance}); r.failure != "" {
			names = append(names, c.name)
		}
	}
	return names
}

// broken is a store whose methods can be replaced.
type broken struct {
	webhook.SeenStore
	Advance         func(time.Duration)
	passed          time.Duration
	key             func(webhook.SeenKey) webhook.SeenKey
	claim           func(context.Context, webhook.SeenKey, [sha256.Size]byte) (webhook.Claim, error)
	commit, release func(context.Context, webhook.SeenKey, uint64) error
}

func (b *broken) Claim(ctx context.Context, k webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	return b.claim(ctx, b.key(k), body)
}

func (b *broken) Commit(ctx context.Context, k webhook.SeenKey, token uint64) error {
	return b.commit(ctx, b.key(k), token)
}

func (b *broken) Release(ctx context.Context, k webhook.SeenKey, token uint64) error {
	return b.release(ctx, b.key(k), token)
}

// recorder is a reporter that notes the failure of a case instead of failing the test.
type recorder struct {
	ctx     context.Context
	failure string
}

func (r *recorder) run(run func(*subject), s Subject) *recorder {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runCase(r, run, s)
	}()
	<-done
	return r
}

func (r *recorder) Helper()                  {}
func (r *recorder) Context() context.Context { return r.ctx }
func (r *recorder) Fatal(args ...any)        { r.failure = fmt.Sprint(args...); runtime.Goexit() }
func (r *recorder) Fatalf(f string, a ...any) {
	r.Fatal(fmt.Sprintf(f, a...))
}
