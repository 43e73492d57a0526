package postgres_test

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/adapters/postgres"
	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
)

// The server's clock is the real one: long enough that no machine is too slow for it.
const lease, retention = 2 * time.Second, 8 * time.Second

var (
	key  = webhook.SeenKey{Environment: webhook.EnvironmentLive, KeyID: "live_key_1", EventID: "whkevt_1"}
	body = sha256.Sum256([]byte("the body"))
)

// pool has connections of its own, as another machine has.
func pool(t testing.TB, server *servertest.Server) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(server.URL)
	require.NoError(t, err)
	config.MaxConns = 8
	p, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// table is an option with a table that nobody else has.
func table() postgres.Option { return postgres.WithTable("Seen_" + rand.Text()) }

func newStore(t testing.TB, db postgres.DB, opts ...postgres.Option) *postgres.Store {
	t.Helper()
	s, err := postgres.New(db, opts...)
	require.NoError(t, err)
	require.NoError(t, s.Migrate(t.Context()))
	return s
}

func TestTheStore(t *testing.T) {
	t.Parallel()
	server := servertest.Postgres(t)
	one, other := pool(t, server), pool(t, server)
	t.Run("is a seen store", func(t *testing.T) {
		t.Parallel()
		seentest.Run(t, func(t *testing.T) seentest.Subject {
			t.Parallel()
			opts := []postgres.Option{table(), postgres.WithLease(lease), postgres.WithRetention(retention)}
			return seentest.Subject{Store: newStore(t, one, opts...), Peer: newStore(t, other, opts...), Lease: lease, Retention: retention}
		})
	})
	for name, test := range map[string]func(*testing.T, *pgxpool.Pool){
		"a transaction that is committed":               claimTxCommitted,
		"a transaction that is rolled back":             claimTxRolledBack,
		"a transaction does not wait for another":       claimTxInFlight,
		"a transaction and a lease see each other":      claimTxAndLease,
		"a commit in the transaction of the work":       commitTx,
		"an outlived claim cannot commit its work":      commitTxLost,
		"what is forgotten leaves the table":            forgotten,
		"what is in the table":                          contents,
		"migrations at once":                            migrations,
		"a context that ends while another holds a row": contextEnds,
		"errors name the step and no key":               failures,
	} {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t, one) })
	}
}

func TestTheServerDiesAndNothingIsLostOrHandledTwice(t *testing.T) {
	t.Parallel()
	server := servertest.Postgres(t, servertest.QuickRecovery).Own()
	var stores []webhook.SeenStore
	for range 3 {
		stores = append(stores, newStore(t, pool(t, server), postgres.WithLease(10*time.Second)))
	}
	seentest.RunCrash(t, seentest.Crash{Stores: stores, Restart: server.Restart})
}

func forgotten(t *testing.T, p *pgxpool.Pool) {
	opts := []postgres.Option{table(), postgres.WithLease(time.Millisecond)}
	brief := newStore(t, p, append(opts, postgres.WithRetention(50*time.Millisecond))...)
	first, err := brief.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.NoError(t, brief.Commit(t.Context(), key, first.Token))
	for _, id := range []string{"2", "3"} {
		_, err = brief.Claim(t.Context(), webhook.SeenKey{EventID: id}, body)
		require.NoError(t, err)
	}
	time.Sleep(200 * time.Millisecond)
	again, err := brief.Claim(t.Context(), key, body)
	require.NoError(t, err)
	assert.Equal(t, webhook.Claimed, again.Outcome, "its retention has ended")
	assert.Greater(t, again.Token, first.Token)
	assert.Equal(t, 1, rows(t, p, brief), "the claim has removed two others")
}

// rows counts those of a store's table.
func rows(t *testing.T, p *pgxpool.Pool, s *postgres.Store) (n int) {
	t.Helper()
	_, rest, _ := strings.Cut(s.Schema(), "EXISTS ")
	name, _, _ := strings.Cut(rest, " ")
	require.NoError(t, p.QueryRow(t.Context(), "SELECT count(*) FROM "+name).Scan(&n))
	return n
}

func contents(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, postgres.WithTable("contents"))
	c, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.NoError(t, s.Commit(t.Context(), key, c.Token))
	var text string
	var days float64
	require.NoError(t, p.QueryRow(t.Context(),
		`SELECT convert_from(key || body, 'LATIN1') || contents::text, extract(epoch FROM forget_at - clock_timestamp()) / 86400
		FROM contents`).Scan(&text, &days))
	assert.NotContains(t, text, key.KeyID)
	assert.NotContains(t, text, key.EventID)
	assert.InDelta(t, 7, days, 0.01)
}

func migrations(t *testing.T, p *pgxpool.Pool) {
	_, err := p.Exec(t.Context(), `CREATE SCHEMA "Inbox"`)
	require.NoError(t, err)
	s, err := postgres.New(p, postgres.WithTable("Inbox.seen"))
	require.NoError(t, err)
	_, err = s.Claim(t.Context(), key, body)
	require.ErrorContains(t, err, "postgres: claim:", "there is no table yet")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { assert.NoError(t, s.Migrate(t.Context())) })
	}
	all.Wait()
	_, err = s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.NoError(t, s.Migrate(t.Context()))
	assert.Equal(t, 1, rows(t, p, s), "a migration leaves alone what is there")
}

func contextEnds(t *testing.T, p *pgxpool.Pool) {
	s := newStore(t, p, table())
	tx, err := p.Begin(t.Context())
	require.NoError(t, err)
	defer func() { assert.NoError(t, tx.Rollback(context.Background())) }()
	_, err = s.ClaimTx(t.Context(), tx, key, body)
	require.NoError(t, err)

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = s.Claim(ctx, key, body)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func failures(t *testing.T, p *pgxpool.Pool) {
	s, err := postgres.New(p, postgres.WithTable("no_such_table"))
	require.NoError(t, err)
	_, claimErr := s.Claim(t.Context(), key, body)
	for step, err := range map[string]error{
		"claim": claimErr, "commit": s.Commit(t.Context(), key, 1), "release": s.Release(t.Context(), key, 1),
	} {
		require.ErrorContains(t, err, "postgres: "+step+": ERROR: relation")
		assert.NotErrorIs(t, err, webhook.ErrClaimLost)
		assert.NotContains(t, err.Error(), key.KeyID)
		assert.NotContains(t, err.Error(), key.EventID)
	}
	assert.ErrorIs(t, s.Commit(t.Context(), key, math.MaxUint64), webhook.ErrClaimLost, "no such token was ever given")
	assert.ErrorIs(t, s.Release(t.Context(), key, math.MaxUint64), webhook.ErrClaimLost)
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	p, err := pgxpool.New(t.Context(), "postgres://127.0.0.1:1/none")
	require.NoError(t, err)
	defer p.Close()
	_, err = postgres.New(nil)
	require.ErrorContains(t, err, "needs a database")
	for want, opt := range map[string]postgres.Option{
		"WithLease(0s)":      postgres.WithLease(0),
		"WithRetention(-1s)": postgres.WithRetention(-time.Second),
		`WithTable("")`:      postgres.WithTable(""),
		`WithTable("a.b.c")`: postgres.WithTable("a.b.c"),
		`seen; drop`:         postgres.WithTable("seen; drop table users"),
		`at most 50`:         postgres.WithTable(strings.Repeat("a", 51)),
	} {
		_, err := postgres.New(p, opt)
		assert.ErrorContains(t, err, want)
	}
}
