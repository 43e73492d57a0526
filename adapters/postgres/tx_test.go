package postgres_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/adapters/postgres"
	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
)

var errRollback = errors.New("roll back")

// claimsTx claims the event in a transaction that ends as end says, and expects the outcome.
func claimsTx(t *testing.T, p *pgxpool.Pool, s *postgres.Store, body [32]byte, want webhook.ClaimOutcome, end error) {
	t.Helper()
	err := pgx.BeginFunc(t.Context(), p, func(tx pgx.Tx) error {
		c, err := s.ClaimTx(t.Context(), tx, key, body)
		require.NoError(t, err)
		assert.Equal(t, want, c.Outcome)
		return end
	})
	require.ErrorIs(t, err, end)
}

// claims claims the event with a lease, and expects the outcome.
func claims(t *testing.T, s *postgres.Store, want webhook.ClaimOutcome) uint64 {
	t.Helper()
	c, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.Equal(t, want, c.Outcome)
	return c.Token
}

func claimTxCommitted(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table())
	claimsTx(t, p, s, body, webhook.Claimed, nil)
	claimsTx(t, p, s, body, webhook.Done, nil)
	claims(t, s, webhook.Done)
	claimsTx(t, p, s, sha256.Sum256(nil), webhook.Conflict, nil)
}

func claimTxRolledBack(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table())
	claimsTx(t, p, s, body, webhook.Claimed, errRollback)
	assert.Zero(t, rows(t, p, s))
	claimsTx(t, p, s, sha256.Sum256(nil), webhook.Claimed, nil)
}

func claimTxInFlight(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table())
	tx, err := p.Begin(t.Context())
	require.NoError(t, err)
	c, err := s.ClaimTx(t.Context(), tx, key, body)
	require.NoError(t, err)
	require.Equal(t, webhook.Claimed, c.Outcome)
	claimsTx(t, p, s, body, webhook.InFlight, nil)
	claimsTx(t, p, newStore(t, p, table()), body, webhook.Claimed, errRollback) // another table is another store
	require.NoError(t, tx.Commit(t.Context()))
	claimsTx(t, p, s, body, webhook.Done, nil)
}

func claimTxAndLease(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table(), postgres.WithLease(lease))
	token := claims(t, s, webhook.Claimed)
	claimsTx(t, p, s, body, webhook.InFlight, nil)
	time.Sleep(lease)
	claimsTx(t, p, s, body, webhook.Claimed, nil)
	assert.ErrorIs(t, s.Commit(t.Context(), key, token), webhook.ErrClaimLost)
}

func commitTx(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table())
	token := claims(t, s, webhook.Claimed)
	err := pgx.BeginFunc(t.Context(), p, func(tx pgx.Tx) error {
		require.NoError(t, s.CommitTx(t.Context(), tx, key, token))
		return errRollback
	})
	require.ErrorIs(t, err, errRollback)
	claims(t, s, webhook.InFlight)
	require.NoError(t, pgx.BeginFunc(t.Context(), p, func(tx pgx.Tx) error { return s.CommitTx(t.Context(), tx, key, token) }))
	claims(t, s, webhook.Done)
	require.NoError(t, s.Commit(t.Context(), key, token), "the receiver's own commit")
}

func commitTxLost(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table(), postgres.WithLease(lease))
	outlived := claims(t, s, webhook.Claimed)
	time.Sleep(lease)
	current := claims(t, s, webhook.Claimed)
	commit := func(token uint64) error {
		return pgx.BeginFunc(t.Context(), p, func(tx pgx.Tx) error { return s.CommitTx(t.Context(), tx, key, token) })
	}
	require.ErrorIs(t, commit(outlived), webhook.ErrClaimLost)
	require.NoError(t, commit(current))
	require.ErrorIs(t, commit(outlived), webhook.ErrClaimLost)
}

// The work is a row in a table that would take a second one for the same event.
func TestAnInboxWritesEachEventOnceWhileTheServerDies(t *testing.T) {
	t.Parallel()
	const events, workers, restarts = 600, 12, 3
	server := servertest.Postgres(t, servertest.QuickRecovery).Own()
	p := pool(t, server)
	in := &inbox{pool: p, store: newStore(t, p)}
	_, err := p.Exec(t.Context(), "CREATE TABLE work (event text NOT NULL)")
	require.NoError(t, err)

	deliveries, restart := make(chan int), make(chan struct{}, restarts)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for n := range deliveries {
				in.deliver(t, fmt.Sprintf("whkevt_%d", n/2))
			}
		})
	}
	go func() {
		defer close(restart)
		for n := range 2 * events { // each event twice, one right after the other
			if n > 0 && n%(2*events/(restarts+1)) == 0 {
				restart <- struct{}{}
			}
			deliveries <- n
		}
		close(deliveries)
	}()
	for range restart {
		server.Restart()
	}
	all.Wait()

	var total, distinct int
	require.NoError(t, p.QueryRow(t.Context(), "SELECT count(*), count(DISTINCT event) FROM work").Scan(&total, &distinct))
	t.Logf("%d events in %d transactions; %d restarts; %d lost, %d written twice", events, in.attempts.Load(), restarts, events-distinct, total-distinct)
	assert.Equal(t, events, distinct, "none is lost")
	assert.Equal(t, events, total, "none is written twice")
}

type inbox struct {
	pool     *pgxpool.Pool
	store    *postgres.Store
	attempts atomic.Int64
}

// deliver repeats a delivery until its transaction has an end that is known.
func (in *inbox) deliver(t *testing.T, id string) {
	for began := time.Now(); time.Since(began) < 40*time.Second; time.Sleep(10 * time.Millisecond) {
		in.attempts.Add(1)
		if outcome, err := in.receive(t.Context(), id); err == nil && outcome != webhook.InFlight {
			return
		}
	}
}

func (in *inbox) receive(ctx context.Context, id string) (outcome webhook.ClaimOutcome, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	err = pgx.BeginFunc(ctx, in.pool, func(tx pgx.Tx) error {
		c, err := in.store.ClaimTx(ctx, tx, webhook.SeenKey{EventID: id}, body)
		if outcome = c.Outcome; err != nil || outcome != webhook.Claimed {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO work (event) VALUES ($1)", id)
		return err
	})
	return outcome, err
}
