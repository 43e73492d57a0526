package postgres

import (
	_ "embed"
	"strings"

	"github.com/jackc/pgx/v5"
)

// The statements name the table idv_seen; another name is put in its place. Times are those of clock_timestamp, which goes on during
// a transaction and a wait for a lock; now, which stands still, is for the index.

//go:embed migrations/001_idv_seen.sql
var schemaSQL string

// forgetSQL has every claim remove two events whose retention has ended, if there are any: no more can come than go, and nobody
// has to remember to clean up.
const forgetSQL = `
WITH forgotten AS (
	DELETE FROM idv_seen WHERE key IN (
		SELECT key FROM idv_seen WHERE forget_at <= now() AND key <> $1 ORDER BY forget_at LIMIT 2 FOR UPDATE SKIP LOCKED
	)
)`

// claimSQL gives the token of a claim, or no row. A token is the time in microseconds, so that it also exceeds those of an event that
// has been forgotten since.
const claimSQL = `
INSERT INTO idv_seen AS seen (key, body, token, state, lease_until, forget_at)
VALUES ($1, $2, extract(epoch FROM clock_timestamp()) * 1000000, $3,
	clock_timestamp() + $4 * interval '1 microsecond', clock_timestamp() + ($4 + $5) * interval '1 microsecond')
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, token = greatest(excluded.token, seen.token + 1), state = excluded.state,
	lease_until = excluded.lease_until, forget_at = excluded.forget_at
WHERE seen.state = 'released'
	OR seen.state = 'claimed' AND seen.lease_until <= clock_timestamp()
	OR seen.forget_at <= clock_timestamp()
RETURNING token`

// knownSQL says of an event that could not be claimed why.
const knownSQL = `SELECT state, body = $2 FROM idv_seen WHERE key = $1`

// commitSQL leaves forget_at alone unless the claim has outlived its lease: the index then needs no new entry.
const commitSQL = `
UPDATE idv_seen SET state = 'done', forget_at = greatest(forget_at, clock_timestamp() + $3 * interval '1 microsecond')
WHERE key = $1 AND token = $2 AND state = 'claimed'`

const committedSQL = `SELECT EXISTS (SELECT FROM idv_seen WHERE key = $1 AND token = $2 AND state = 'done')`

const releaseSQL = `UPDATE idv_seen SET state = 'released' WHERE key = $1 AND token = $2 AND state = 'claimed'`

// statements are the above with the name of a store's table.
type statements struct{ schema, claim, claimTx, known, commit, committed, release string }

func newStatements(table string) statements {
	parts := strings.Split(table, ".")
	index := parts[len(parts)-1] + "_forget_at"
	named := strings.NewReplacer("idv_seen_forget_at", pgx.Identifier{index}.Sanitize(), "idv_seen", pgx.Identifier(parts).Sanitize()).Replace
	return statements{
		schema: named(schemaSQL), claim: named(forgetSQL + claimSQL), claimTx: named(claimSQL), known: named(knownSQL),
		commit: named(commitSQL), committed: named(committedSQL), release: named(releaseSQL),
	}
}
