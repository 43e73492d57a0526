package sqlite

import _ "embed"

//go:embed schema.sql
var schemaSQL string

// claimSQL gives the token of a claim, or no row. A token is the time in microseconds, so that it also exceeds those of an event that
// has been forgotten since.
const claimSQL = `
INSERT INTO idv_seen AS seen (key, body, token, state, lease_until, forget_at)
VALUES (?1, ?2, ?3, ?4, ?3 + ?5, ?3 + ?5 + ?6)
ON CONFLICT (key) DO UPDATE
SET body = excluded.body, token = max(excluded.token, seen.token + 1), state = excluded.state,
	lease_until = excluded.lease_until, forget_at = excluded.forget_at
WHERE seen.state = 'released' OR seen.state = 'claimed' AND seen.lease_until <= ?3 OR seen.forget_at <= ?3
RETURNING token`

// knownSQL says of an event that could not be claimed why.
const knownSQL = `SELECT state, body = ?2 FROM idv_seen WHERE key = ?1`

// forgetSQL has every claim remove two events whose retention has ended, if there are any: no more can come than go, and nobody
// has to remember to clean up.
const forgetSQL = `
DELETE FROM idv_seen WHERE key IN (SELECT key FROM idv_seen WHERE forget_at <= ?1 AND key <> ?2 ORDER BY forget_at LIMIT 2)`

// commitSQL also finds an event that was committed before, and changes nothing then.
const commitSQL = `
UPDATE idv_seen SET state = 'done', forget_at = CASE state WHEN 'done' THEN forget_at ELSE max(forget_at, ?3) END
WHERE key = ?1 AND token = ?2 AND state IN ('claimed', 'done')`

const releaseSQL = `UPDATE idv_seen SET state = 'released' WHERE key = ?1 AND token = ?2 AND state = 'claimed'`
