package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"github.com/jackc/pgx/v5"

	"example.com/idv/webhook"
)

// ClaimTx claims an event and marks it as done in the caller's transaction: a transactional inbox. Where it answers
// [webhook.Claimed], the caller does its work in the same transaction and commits it; work and mark are then there together. After a
// rollback, or a crash, there is neither, and the next delivery is claimed anew. There is no lease, and nothing to commit or release
// in the store.
//
// It does not wait for another transaction that has claimed the event and is still open: that is [webhook.InFlight]. The claims of
// [Store.Claim] count as well. After an error the transaction can only be rolled back; its isolation may be any, and from REPEATABLE
// READ on the error may be a serialization failure. Its errors are the context's and the database's.
func (s *Store) ClaimTx(ctx context.Context, tx pgx.Tx, key webhook.SeenKey, body [sha256.Size]byte) (webhook.Claim, error) {
	var alone bool
	if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", s.lock(key)).Scan(&alone); err != nil {
		return webhook.Claim{}, in("claim", err)
	}
	if !alone {
		return webhook.Claim{Outcome: webhook.InFlight}, nil
	}
	return s.claim(ctx, tx, s.sql.claimTx, "done", key, body)
}

// lock is the advisory lock of an event. Those are of the whole database, so that it depends on the table as well.
func (s *Store) lock(key webhook.SeenKey) int64 {
	digest := key.Digest()
	named := sha256.Sum256(append([]byte(s.table), digest[:]...))
	return int64(binary.BigEndian.Uint64(named[:]))
}

// CommitTx is [Store.Commit] in the caller's transaction. A handler of a [webhook.Receiver] that writes to the same database calls it
// with its own key and [webhook.FencingToken]: its work and the commit are then there together, and the receiver's own commit, later,
// changes nothing. After [webhook.ErrClaimLost] another worker has the event: roll back.
func (s *Store) CommitTx(ctx context.Context, tx pgx.Tx, key webhook.SeenKey, token uint64) error {
	return s.commit(ctx, tx, key, token)
}
