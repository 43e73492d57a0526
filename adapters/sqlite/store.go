package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"example.com/idv/webhook"
)

// Store is a [webhook.SeenStore] in a file. It is safe for concurrent use.
type Store struct {
	lease, retention time.Duration
	now              func() time.Time

	claims, commits *sql.DB       // of one connection each; see open
	turn            chan struct{} // held by the one that writes: waiting here is fair and ends with the context
}

var _ webhook.SeenStore = (*Store)(nil)

// Claim implements [webhook.SeenStore]. Its errors are the context's and the database's.
func (s *Store) Claim(ctx context.Context, key webhook.SeenKey, body [sha256.Size]byte) (claim webhook.Claim, err error) {
	err = s.write(ctx, s.claims, func(tx *sql.Tx) error {
		claim, err = s.claim(ctx, tx, "claimed", key, body)
		return err
	})
	if err != nil {
		return webhook.Claim{}, fmt.Errorf("sqlite: claim: %w", err)
	}
	return claim, nil
}

// ClaimTx claims an event and marks it as done in the caller's transaction: a transactional inbox. The transaction is one of a database
// of the caller's on the same file, begun as an immediate one (with modernc.org/sqlite, "_txlock=immediate" in its name). Where it
// answers [webhook.Claimed], the caller does its work in the same transaction and commits it; work and mark are then there together.
// After a rollback, or a crash, there is neither, and the next delivery is claimed anew. There is no lease, and nothing to commit or
// release in the store.
//
// The claims of [Store.Claim] count as well. Its errors are the context's and the database's.
func (s *Store) ClaimTx(ctx context.Context, tx *sql.Tx, key webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	claim, err := s.claim(ctx, tx, "done", key, body)
	if err != nil {
		return webhook.Claim{}, fmt.Errorf("sqlite: claim: %w", err)
	}
	return claim, nil
}

func (s *Store) claim(ctx context.Context, tx *sql.Tx, state string, key webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	digest, now := key.Digest(), s.now().UnixMicro()
	var token int64
	err := tx.QueryRowContext(ctx, claimSQL, digest[:], body[:], now, state, s.lease.Microseconds(), s.retention.Microseconds()).Scan(&token)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		outcome, err := known(ctx, tx, digest[:], body[:])
		return webhook.Claim{Outcome: outcome}, err
	case err != nil:
		return webhook.Claim{}, err
	}
	_, err = tx.ExecContext(ctx, forgetSQL, now, digest[:])
	return webhook.Claim{Outcome: webhook.Claimed, Token: uint64(token)}, err
}

func known(ctx context.Context, tx *sql.Tx, digest, body []byte) (webhook.ClaimOutcome, error) {
	var state string
	var same bool
	if err := tx.QueryRowContext(ctx, knownSQL, digest, body).Scan(&state, &same); err != nil {
		return 0, err
	}
	switch {
	case !same:
		return webhook.Conflict, nil
	case state == "done":
		return webhook.Done, nil
	}
	return webhook.InFlight, nil
}

// Commit implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the database's.
func (s *Store) Commit(ctx context.Context, key webhook.SeenKey, token uint64) error {
	return s.end(ctx, "commit", s.commits, commitSQL, key, token, s.now().Add(s.retention).UnixMicro())
}

// Release implements [webhook.SeenStore]. Its errors are [webhook.ErrClaimLost], the context's and the database's.
func (s *Store) Release(ctx context.Context, key webhook.SeenKey, token uint64) error {
	return s.end(ctx, "release", s.claims, releaseSQL, key, token)
}

// end runs a statement that changes the event if the token is that of its latest claim.
func (s *Store) end(ctx context.Context, step string, db *sql.DB, statement string, key webhook.SeenKey, token uint64, args ...any) error {
	if token > math.MaxInt64 {
		return webhook.ErrClaimLost
	}
	digest := key.Digest()
	var held int64
	err := s.write(ctx, db, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, statement, append([]any{digest[:], int64(token)}, args...)...)
		if err != nil {
			return err
		}
		held, err = result.RowsAffected()
		return err
	})
	switch {
	case err != nil:
		return fmt.Errorf("sqlite: %s: %w", step, err)
	case held == 0:
		return webhook.ErrClaimLost
	}
	return nil
}

// write runs f in a transaction, which no other of this process disturbs.
func (s *Store) write(ctx context.Context, db *sql.DB, f func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	tx, err := begin(ctx, db)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}
