package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"example.com/idv/webhook"
)

// DB is what a [Store] needs of PostgreSQL. A *pgxpool.Pool has it; so do a *pgx.Conn and a pgx.Tx, which are not safe for concurrent
// use and no store for a receiver.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Store is a [webhook.SeenStore] in PostgreSQL. It is safe for concurrent use where its [DB] is, and holds nothing else.
type Store struct {
	db               DB
	table            string
	lease, retention time.Duration
	sql              statements
}

var _ webhook.SeenStore = (*Store)(nil)

// New returns a store of a database. It sends nothing: see [Store.Migrate]. Closing the database stays the caller's. It refuses a nil
// database and the settings that an [Option] says it refuses.
func New(db DB, opts ...Option) (*Store, error) {
	if db == nil {
		return nil, errors.New("postgres: New needs a database, not nil")
	}
	s := &Store{db: db, table: defaultTable, lease: webhook.DefaultLease, retention: webhook.DefaultRetention}
	for _, opt := range opts {
		if err := opt(s); err != nil {
			return nil, err
		}
	}
	s.sql = newStatements(s.table)
	return s, nil
}

// Schema returns the SQL that creates the table and its index, for a migration tool. It may run again where they exist.
func (s *Store) Schema() string { return s.sql.schema }

// migrationLock is the advisory lock that processes take which start at once; IF NOT EXISTS is no protection from that.
const migrationLock = 0x6964765f7365656e // "idv_seen"

// Migrate creates the table and its index where they do not exist. Any number of processes may do so at once.
func (s *Store) Migrate(ctx context.Context) error {
	// Without arguments this is one transaction.
	_, err := s.db.Exec(ctx, fmt.Sprintf("SELECT pg_advisory_xact_lock(%d);\n%s", migrationLock, s.sql.schema))
	return in("migrate", err)
}

// Claim implements [webhook.SeenStore]. Its errors are the context's and the database's.
func (s *Store) Claim(ctx context.Context, key webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	return s.claim(ctx, s.db, s.sql.claim, "claimed", key, body)
}

func (s *Store) claim(
	ctx context.Context, db DB, sql, state string, key webhook.SeenKey, body [sha256.Size]byte,
) (webhook.Claim, error) {
	digest := key.Digest()
	var token int64
	err := db.QueryRow(ctx, sql, digest[:], body[:], state, s.lease.Microseconds(), s.retention.Microseconds()).Scan(&token)
	switch {
	case err == nil:
		return webhook.Claim{Outcome: webhook.Claimed, Token: uint64(token)}, nil
	case errors.Is(err, pgx.ErrNoRows):
		outcome, err := s.known(ctx, db, digest[:], body[:])
		return webhook.Claim{Outcome: outcome}, err
	}
	return webhook.Claim{}, in("claim", err)
}

// known says why an event could not be claimed. What has changed since counts as in flight: a redelivery finds out.
func (s *Store) known(ctx context.Context, db DB, digest, body []byte) (webhook.ClaimOutcome, error) {
	var state string
	var same bool
	err := db.QueryRow(ctx, s.sql.known, digest, body).Scan(&state, &same)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return webhook.InFlight, nil
	case err != nil:
		return 0, in("claim", err)
	case !same && state != "released":
		return webhook.Conflict, nil
	case state == "done":
		return webhook.Done, nil
	}
	return webhook.InFlight, nil
}

// Commit implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the database's.
func (s *Store) Commit(ctx context.Context, key webhook.SeenKey, token uint64) error {
	return s.commit(ctx, s.db, key, token)
}

func (s *Store) commit(ctx context.Context, db DB, key webhook.SeenKey, token uint64) error {
	if token > math.MaxInt64 {
		return webhook.ErrClaimLost
	}
	digest := key.Digest()
	tag, err := db.Exec(ctx, s.sql.commit, digest[:], int64(token), s.retention.Microseconds())
	if err != nil || tag.RowsAffected() == 1 {
		return in("commit", err)
	}
	var before bool
	if err := db.QueryRow(ctx, s.sql.committed, digest[:], int64(token)).Scan(&before); err != nil {
		return in("commit", err)
	}
	if !before {
		return webhook.ErrClaimLost
	}
	return nil
}

// Release implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the database's.
func (s *Store) Release(ctx context.Context, key webhook.SeenKey, token uint64) error {
	if token > math.MaxInt64 {
		return webhook.ErrClaimLost
	}
	digest := key.Digest()
	tag, err := s.db.Exec(ctx, s.sql.release, digest[:], int64(token))
	if err == nil && tag.RowsAffected() == 0 {
		return webhook.ErrClaimLost
	}
	return in("release", err)
}

// in names the step that failed.
func in(step string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("postgres: %s: %w", step, err)
}
