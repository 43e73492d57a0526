package webhook

import (
	"context"
	"errors"
	"time"
)

// guard is what handlers run under: a claim in the store, or nothing where the store is down and the receiver is open.
type guard interface {
	commit() error
	release() error
}

type unguarded struct{}

func (unguarded) commit() error  { return nil }
func (unguarded) release() error { return nil }

// storeGuard is a claim. Its context outlives the request: that the service has hung up is no reason to forget what was
// done.
type storeGuard struct {
	store SeenStore
	ctx   context.Context
	key   SeenKey
	token uint64
}

// How long a commit that failed waits before it is tried again: each time twice as long, up to a maximum that lets no short
// recovery of the store go by.
const (
	commitPause    = 25 * time.Millisecond
	commitMaxPause = 200 * time.Millisecond
)

// commit tries again while storeTimeout lasts: the work is done, and a duplicate that found it forgotten would do it anew.
// A commit may be repeated, so that one whose answer was lost does no harm.
func (g *storeGuard) commit() error {
	ctx, cancel := context.WithTimeout(g.ctx, storeTimeout)
	defer cancel()
	for pause := commitPause; ; pause = min(2*pause, commitMaxPause) {
		err := g.store.Commit(ctx, g.key, g.token)
		if err == nil || errors.Is(err, ErrClaimLost) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

func (g *storeGuard) release() error {
	ctx, cancel := context.WithTimeout(g.ctx, storeTimeout)
	defer cancel()
	return g.store.Release(ctx, g.key, g.token)
}

type tokenKey struct{}

func withToken(ctx context.Context, token uint64) context.Context {
	return context.WithValue(ctx, tokenKey{}, token)
}

// FencingToken returns the token of the claim that a handler runs under, from the handler's context: greater than that of
// every earlier claim of the same event. A handler that may outlive its lease writes it along with its result, and has a
// result with a smaller token refused. It is false where the store was down; see [WithFailOpen].
func FencingToken(ctx context.Context) (uint64, bool) {
	token, ok := ctx.Value(tokenKey{}).(uint64)
	return token, ok
}
