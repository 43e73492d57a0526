package sqlite_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/adapters/sqlite"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
)

var (
	key  = webhook.SeenKey{Environment: webhook.EnvironmentLive, KeyID: "live_key_1", EventID: "whkevt_1"}
	body = sha256.Sum256([]byte("the body"))
)

func open(t testing.TB, path string, opts ...sqlite.Option) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, opts...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// clock can be set.
type clock struct{ micros atomic.Int64 }

func newClock() *clock {
	c := new(clock)
	c.micros.Store(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMicro())
	return c
}

func (c *clock) now() time.Time          { return time.UnixMicro(c.micros.Load()) }
func (c *clock) advance(d time.Duration) { c.micros.Add(d.Microseconds()) }

func TestTheStoreIsASeenStore(t *testing.T) {
	t.Parallel()
	seentest.Run(t, func(t *testing.T) seentest.Subject {
		t.Parallel()
		path, c := filepath.Join(t.TempDir(), "seen.db"), newClock()
		one, other := open(t, path, sqlite.WithClock(c.now)), open(t, path, sqlite.WithClock(c.now))
		return seentest.Subject{Store: one, Peer: other, Advance: c.advance}
	})
}

func claims(t *testing.T, s *sqlite.Store, want webhook.ClaimOutcome) uint64 {
	t.Helper()
	c, err := s.Claim(t.Context(), key, body)
	require.NoError(t, err)
	require.Equal(t, want, c.Outcome)
	return c.Token
}

func TestItIsRememberedInTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a file, 100% odd?#.db")
	s := open(t, path)
	require.NoError(t, s.Commit(t.Context(), key, claims(t, s, webhook.Claimed)))
	require.NoError(t, s.Close())
	require.FileExists(t, path)
	claims(t, open(t, path), webhook.Done)
}

func TestProcessesThatStartAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seen.db")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			s, err := sqlite.Open(t.Context(), path)
			if assert.NoError(t, err) {
				assert.NoError(t, s.Close())
			}
		})
	}
	all.Wait()
	claims(t, open(t, path), webhook.Claimed)
}

func TestWhatIsForgottenLeavesTheFile(t *testing.T) {
	t.Parallel()
	path, c := filepath.Join(t.TempDir(), "seen.db"), newClock()
	s := open(t, path, sqlite.WithClock(c.now))
	first := claims(t, s, webhook.Claimed)
	require.NoError(t, s.Commit(t.Context(), key, first))
	for _, id := range []string{"2", "3"} {
		_, err := s.Claim(t.Context(), webhook.SeenKey{EventID: id}, body)
		require.NoError(t, err)
	}
	c.advance(webhook.DefaultLease + webhook.DefaultRetention - time.Microsecond)
	claims(t, s, webhook.Done)
	c.advance(time.Microsecond)
	assert.Greater(t, claims(t, s, webhook.Claimed), first)

	db := database(t, path)
	var rows int
	require.NoError(t, db.QueryRowContext(t.Context(), "SELECT count(*) FROM idv_seen").Scan(&rows))
	assert.Equal(t, 1, rows, "the claim has removed two others")
}

func TestWhatIsInTheFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "seen.db"))
	require.NoError(t, s.Commit(t.Context(), key, claims(t, s, webhook.Claimed)))
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 3)
	var size int
	for _, f := range files {
		content, err := os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		size += len(content)
		assert.NotContains(t, string(content), key.KeyID)
		assert.NotContains(t, string(content), key.EventID)
	}
	assert.NotZero(t, size)
}

// database is one of the application's own on the same file.
func database(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(5000)")
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestAClaimInATransactionOfTheWork(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "app.db")
	s := open(t, path)
	db := database(t, path)
	claim := func(body [32]byte, want webhook.ClaimOutcome, end func(*sql.Tx) error) {
		t.Helper()
		tx, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		c, err := s.ClaimTx(t.Context(), tx, key, body)
		require.NoError(t, err)
		assert.Equal(t, want, c.Outcome)
		require.NoError(t, end(tx))
	}
	claim(body, webhook.Claimed, (*sql.Tx).Rollback)
	require.NoError(t, s.Release(t.Context(), key, claims(t, s, webhook.Claimed)))
	claim(body, webhook.Claimed, (*sql.Tx).Commit)
	claim(body, webhook.Done, (*sql.Tx).Commit)
	claim(sha256.Sum256(nil), webhook.Conflict, (*sql.Tx).Commit)
	claims(t, s, webhook.Done)
}

func TestAContextEndsWhileAnotherWrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seen.db")
	s := open(t, path)
	token := claims(t, s, webhook.Claimed)
	tx, err := database(t, path).BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	for range 2 {
		_, err = s.Claim(ctx, key, body)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.ErrorIs(t, s.Commit(ctx, key, token), context.DeadlineExceeded)
	}
	require.NoError(t, tx.Rollback())
	require.NoError(t, s.Commit(t.Context(), key, token), "the store is as good as before")
}

func TestErrorsNameTheStepAndNoKey(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "seen.db"))
	assert.ErrorIs(t, s.Commit(t.Context(), key, math.MaxUint64), webhook.ErrClaimLost, "no such token was ever given")
	require.NoError(t, s.Close())
	_, claimErr := s.Claim(t.Context(), key, body)
	for step, err := range map[string]error{
		"claim": claimErr, "commit": s.Commit(t.Context(), key, 1), "release": s.Release(t.Context(), key, 1),
	} {
		require.ErrorContains(t, err, "sqlite: "+step+": ")
		assert.NotErrorIs(t, err, webhook.ErrClaimLost)
		assert.NotContains(t, err.Error(), key.KeyID)
		assert.NotContains(t, err.Error(), key.EventID)
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good := filepath.Join(dir, "seen.db")
	text := filepath.Join(dir, "notes.txt")
	require.NoError(t, os.WriteFile(text, []byte("this file is no database, and stays what it is"), 0o600))
	for name, tt := range map[string]struct {
		path string
		opt  sqlite.Option
		want string
	}{
		"no path":            {"", sqlite.WithLease(time.Second), "path of a file"},
		"memory":             {":memory:", sqlite.WithLease(time.Second), "NewMemoryStore"},
		"no such directory":  {filepath.Join(dir, "none", "seen.db"), sqlite.WithLease(time.Second), "unable to open"},
		"another file":       {text, sqlite.WithLease(time.Second), "not a database"},
		"no lease":           {good, sqlite.WithLease(0), "WithLease(0s)"},
		"negative retention": {good, sqlite.WithRetention(-time.Second), "WithRetention(-1s)"},
		"no clock":           {good, sqlite.WithClock(nil), "WithClock(nil)"},
	} {
		_, err := sqlite.Open(t.Context(), tt.path, tt.opt)
		assert.ErrorContains(t, err, tt.want, name)
	}
}
