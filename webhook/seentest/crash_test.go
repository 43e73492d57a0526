package seentest

import (
	"context"
	"crypto/sha256"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"example.com/idv/webhook"
	"github.com/stretchr/testify/assert"
)

// crashing is a client of a store in memory, which can be down, or forget in its crash.
type crashing struct {
	webhook.SeenStore
	down *atomic.Bool
}

var errDown = errors.New("down")

func (c crashing) Claim(ctx context.Context, k webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	if c.down.Load() {
		return webhook.Claim{}, errDown
	}
	return c.SeenStore.Claim(ctx, k, body)
}

func (c crashing) Commit(ctx context.Context, k webhook.SeenKey, token uint64) error {
	if c.down.Load() {
		return errDown
	}
	return c.SeenStore.Commit(ctx, k, token)
}

func TestAStoreThatKeepsWhatItHasSurvivesCrashes(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		store := crashing{memory(t).Store, &down}
		f := RunCrash(t, Crash{Stores: []webhook.SeenStore{store, store}, Restart: func() {
			down.Store(true)
			time.Sleep(time.Second)
			down.Store(false)
		}})
		assert.Greater(t, f.Again, 0)
		assert.Greater(t, f.Longest, time.Second)
		f.Deliveries, f.Again, f.Longest = 0, 0, 0
		assert.Equal(t, Figures{Events: 1000, Restarts: 3}, f)
	})
}

func TestACrashRunCatches(t *testing.T) {
	t.Parallel()
	t.Run("a store that loses what it has", func(t *testing.T) {
		t.Parallel()
		f := crashed(t, memory(t).Store, memory(t).Store) // two stores that know nothing of each other
		assert.Greater(t, f.Twice, 0)
		assert.Zero(t, f.Lost)
	})
	t.Run("a store that takes for done what nobody did", func(t *testing.T) {
		t.Parallel()
		assert.Equal(t, 50, crashed(t, alwaysDone{}).Lost)
	})
}

// crashed is a run without the verdict.
func crashed(t *testing.T, stores ...webhook.SeenStore) Figures {
	r := newCrashRun(t, Crash{Stores: stores, Times: 1, Events: 50})
	<-r.deliverAll()
	r.count()
	return r.figures
}

type alwaysDone struct{ webhook.SeenStore }

func (alwaysDone) Claim(context.Context, webhook.SeenKey, [sha256.Size]byte) (webhook.Claim, error) {
	return webhook.Claim{Outcome: webhook.Done}, nil
}
