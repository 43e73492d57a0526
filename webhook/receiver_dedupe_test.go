package webhook_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// counted registers a handler that counts its runs.
func counted(r *receiving) *atomic.Int64 {
	var runs atomic.Int64
	r.OnAny(func(context.Context, webhook.Event) error { runs.Add(1); return nil })
	return &runs
}

func TestReceiverHandlesAnEventOnce(t *testing.T) {
	t.Parallel()
	t.Run("H85 same event twice, in sequence", func(t *testing.T) {
		t.Parallel()
		r := receive(t)
		runs := counted(r)
		assert.Equal(t, 200, r.gets(succeeded))
		assert.Equal(t, 200, r.gets(succeeded))
		r.expect(webhook.OutcomeDuplicate, 200)
		assert.EqualValues(t, 1, runs.Load())
	})
	t.Run("H86 same event twice at once", func(t *testing.T) {
		t.Parallel()
		r, runs := receive(t), 0
		entered, proceed, first := make(chan struct{}), make(chan struct{}), make(chan int)
		r.OnAny(func(context.Context, webhook.Event) error {
			runs++
			close(entered)
			<-proceed
			return nil
		})
		go func() { first <- r.gets(succeeded) }()
		<-entered
		assert.Equal(t, 503, r.gets(succeeded))
		r.expect(webhook.OutcomeInFlight, 503)
		close(proceed)
		assert.Equal(t, 200, <-first)
		assert.Equal(t, 200, r.gets(succeeded), "the redelivery of the second")
		assert.Equal(t, 1, runs)
	})
	t.Run("H92 same id from two environments", func(t *testing.T) {
		t.Parallel()
		r := receive(t)
		runs := counted(r)
		for _, env := range []string{"sandbox", "live"} {
			assert.Equal(t, 200, r.getsEvent(webhooktest.Event{ID: "whkevt_1", Environment: env}))
		}
		assert.EqualValues(t, 2, runs.Load())
	})
	t.Run("H92 same id from two tenants", func(t *testing.T) {
		t.Parallel()
		other := webhooktest.Signer{KeyID: "test_key_2", Secret: "another_secret_of_fourteen_bytes", Path: signer.Path}
		v, err := webhook.NewVerifier(webhook.StaticKeys(signingKey(t, signer.KeyID, signer.Secret), signingKey(t, other.KeyID, other.Secret)))
		require.NoError(t, err)
		r := receiveWith(t, v)
		runs := counted(r)
		assert.Equal(t, 200, r.gets(succeeded))
		assert.Equal(t, 200, r.getsRequest(other.Request(succeeded)))
		r.expect(webhook.OutcomeHandled, 200)
		assert.EqualValues(t, 2, runs.Load())
	})
	t.Run("H93 same id, different body", func(t *testing.T) {
		t.Parallel()
		var conflicts []string
		r := receive(t, webhook.WithConflictHook(func(_ context.Context, e webhook.Event) {
			conflicts = append(conflicts, string(e.Common().Raw))
		}))
		runs := counted(r)
		tampered := strings.Replace(string(succeeded), "success", "failed", 1)
		assert.Equal(t, 200, r.gets(succeeded))
		assert.Equal(t, 409, r.gets([]byte(tampered)))
		r.expect(webhook.OutcomeConflict, 409)
		assert.Equal(t, []string{tampered}, conflicts)
		assert.EqualValues(t, 1, runs.Load())
		assert.Equal(t, 200, r.gets(succeeded), "the real event stays done")
	})
	t.Run("H94 different trailing-bit signature never reaches the store", func(t *testing.T) {
		t.Parallel()
		store := &failingStore{claim: errors.New("asked")}
		r := receive(t, webhook.WithSeen(store))
		req := signer.Request(succeeded)
		header := req.Header.Get("Authorization")
		cut := strings.Index(header, `signature="`) + len(`signature="`)
		sig := strings.TrimSuffix(header[cut:], `"`)
		req.Header.Set("Authorization", header[:cut]+otherTrailingBits(sig)+`"`)
		assert.Equal(t, 401, r.getsRequest(req))
		r.expect(webhook.OutcomeRefused, 401)
		assert.ErrorIs(t, r.last().Err, webhook.ErrSignatureMismatch)
		assert.Zero(t, store.calls.Load())
	})
}

func TestReceiverOutlivesItsWorkers(t *testing.T) {
	t.Parallel()
	t.Run("H88 process dies after the claim", func(t *testing.T) {
		t.Parallel()
		store := newMemory(t, webhook.MemoryConfig{})
		dead, r := receive(t, webhook.WithSeen(store)), receive(t, webhook.WithSeen(store))
		dead.OnAny(func(context.Context, webhook.Event) error {
			assert.Equal(t, 503, r.gets(succeeded), "its lease still holds")
			store.now = store.now.Add(webhook.DefaultLease)
			assert.Equal(t, 200, r.gets(succeeded), "its lease has run out")
			return errBoom // stands for never coming back
		})
		runs := counted(r)
		assert.Equal(t, 500, dead.gets(succeeded))
		assert.EqualValues(t, 1, runs.Load())
		assert.ErrorIs(t, dead.last().StoreErr, webhook.ErrClaimLost, "and could not have released the other's claim")
		assert.Equal(t, 200, r.gets(succeeded))
		r.expect(webhook.OutcomeDuplicate, 200)
	})
	t.Run("H89 handler outlives its lease, second worker commits first", func(t *testing.T) {
		t.Parallel()
		store := newMemory(t, webhook.MemoryConfig{})
		slow, quick := receive(t, webhook.WithSeen(store)), receive(t, webhook.WithSeen(store))
		var slowToken, quickToken uint64
		quick.OnAny(func(ctx context.Context, _ webhook.Event) error {
			quickToken, _ = webhook.FencingToken(ctx)
			return nil
		})
		slow.OnAny(func(ctx context.Context, _ webhook.Event) error {
			slowToken, _ = webhook.FencingToken(ctx)
			store.now = store.now.Add(webhook.DefaultLease)
			assert.Equal(t, 200, quick.gets(succeeded))
			return nil
		})
		assert.Equal(t, 503, slow.gets(succeeded))
		slow.expect(webhook.OutcomeClaimLost, 503)
		assert.ErrorIs(t, slow.last().Err, webhook.ErrClaimLost)
		assert.Less(t, slowToken, quickToken)
		assert.Equal(t, 200, slow.gets(succeeded), "the redelivery finds it done")
	})
	t.Run("an outlived lease that nobody took over is committed", func(t *testing.T) {
		t.Parallel()
		store := newMemory(t, webhook.MemoryConfig{})
		r := receive(t, webhook.WithSeen(store))
		r.OnAny(func(context.Context, webhook.Event) error {
			store.now = store.now.Add(webhook.DefaultLease)
			return nil
		})
		assert.Equal(t, 200, r.gets(succeeded))
		assert.Equal(t, 200, r.gets(succeeded))
		r.expect(webhook.OutcomeDuplicate, 200)
	})
}

// failingStore is a store that is down in parts.
type failingStore struct {
	webhook.SeenStore
	claim, commit, release error
	calls                  atomic.Int64
	recovered              atomic.Bool // for as long, commits work
}

func (s *failingStore) Claim(ctx context.Context, key webhook.SeenKey, body [32]byte) (webhook.Claim, error) {
	s.calls.Add(1)
	if s.claim != nil {
		return webhook.Claim{}, s.claim
	}
	return s.SeenStore.Claim(ctx, key, body)
}

func (s *failingStore) Commit(ctx context.Context, key webhook.SeenKey, token uint64) error {
	if s.commit != nil && !s.recovered.Load() {
		return s.commit
	}
	return s.SeenStore.Commit(ctx, key, token)
}

func (s *failingStore) Release(ctx context.Context, key webhook.SeenKey, token uint64) error {
	if s.release != nil {
		return s.release
	}
	return s.SeenStore.Release(ctx, key, token)
}

func TestReceiverWithAStoreThatIsDown(t *testing.T) {
	t.Parallel()
	errDown := errors.New("dial tcp: the store of cafecafe is down")
	t.Run("H90 fail closed", func(t *testing.T) {
		t.Parallel()
		r := receive(t, webhook.WithSeen(&failingStore{claim: errDown}))
		runs := counted(r)
		assert.Equal(t, 503, r.gets(succeeded))
		r.expect(webhook.OutcomeStoreDown, 503)
		assert.ErrorIs(t, r.last().Err, errDown)
		assert.Zero(t, runs.Load())
		assert.Zero(t, r.Health().Unguarded)
	})
	t.Run("H90 fail open", func(t *testing.T) {
		t.Parallel()
		r := receive(t, webhook.WithSeen(&failingStore{claim: errDown}), webhook.WithFailOpen())
		runs := counted(r)
		r.OnAny(func(ctx context.Context, _ webhook.Event) error {
			_, ok := webhook.FencingToken(ctx)
			assert.False(t, ok)
			return nil
		})
		assert.Equal(t, 200, r.gets(succeeded))
		assert.Equal(t, 200, r.gets(succeeded))
		r.expect(webhook.OutcomeHandled, 200)
		assert.ErrorIs(t, r.last().StoreErr, errDown)
		assert.EqualValues(t, 2, runs.Load())
		assert.Equal(t, 2, r.Health().Unguarded)
	})
	t.Run("H90 open or closed, a service that has hung up is not worth an unguarded run", func(t *testing.T) {
		t.Parallel()
		r := receive(t, webhook.WithFailOpen())
		runs := counted(r)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.Equal(t, 503, r.getsRequest(signer.Request(succeeded).WithContext(ctx)))
		assert.Zero(t, runs.Load())
	})
	t.Run("an answer that makes no sense is no claim", func(t *testing.T) {
		t.Parallel()
		r := receive(t, webhook.WithSeen(mumbling{}))
		runs := counted(r)
		assert.Equal(t, 503, r.gets(succeeded))
		r.expect(webhook.OutcomeStoreDown, 503)
		assert.Zero(t, runs.Load())
	})
	t.Run("a commit that fails leaves the work done: a redelivery would only do it again", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			r := receive(t, webhook.WithSeen(&failingStore{SeenStore: newMemory(t, webhook.MemoryConfig{}), commit: errDown}))
			counted(r)
			began := time.Now()
			assert.Equal(t, 200, r.gets(succeeded))
			assert.Equal(t, 5*time.Second, time.Since(began), "the service waits for the answer")
			r.expect(webhook.OutcomeHandled, 200)
			assert.ErrorIs(t, r.last().StoreErr, errDown)
		})
	})
	t.Run("a commit is tried again while the store restarts", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			store := &failingStore{SeenStore: newMemory(t, webhook.MemoryConfig{}), commit: errDown}
			r := receive(t, webhook.WithSeen(store))
			runs := counted(r)
			time.AfterFunc(3*time.Second, func() { store.recovered.Store(true) })
			time.AfterFunc(3300*time.Millisecond, func() { store.recovered.Store(false) })
			assert.Equal(t, 200, r.gets(succeeded))
			assert.NoError(t, r.last().StoreErr)
			assert.Equal(t, 200, r.gets(succeeded))
			r.expect(webhook.OutcomeDuplicate, 200)
			assert.EqualValues(t, 1, runs.Load())
		})
	})
	t.Run("a release that fails leaves the lease to run out", func(t *testing.T) {
		t.Parallel()
		store := newMemory(t, webhook.MemoryConfig{})
		r, runs := receive(t, webhook.WithSeen(&failingStore{SeenStore: store, release: errDown})), 0
		r.OnAny(func(context.Context, webhook.Event) error {
			if runs++; runs == 1 {
				return errBoom
			}
			return nil
		})
		assert.Equal(t, 500, r.gets(succeeded))
		assert.ErrorIs(t, r.last().StoreErr, errDown)
		assert.Equal(t, 503, r.gets(succeeded))
		store.now = store.now.Add(webhook.DefaultLease)
		assert.Equal(t, 200, r.gets(succeeded))
	})
}

type mumbling struct{ webhook.SeenStore }

func (mumbling) Claim(context.Context, webhook.SeenKey, [32]byte) (webhook.Claim, error) {
	return webhook.Claim{}, nil
}

var _ http.Handler = (*webhook.Receiver)(nil)
