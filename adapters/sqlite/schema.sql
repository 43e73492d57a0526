-- The webhook events that were handled, or are being handled. Times are microseconds of Unix time.
CREATE TABLE IF NOT EXISTS idv_seen (
	key         BLOB    NOT NULL PRIMARY KEY, -- webhook.SeenKey.Digest: no key id is stored
	body        BLOB    NOT NULL,             -- SHA-256 of the body: no payload is stored
	token       INTEGER NOT NULL,             -- the fencing token of the latest claim
	state       TEXT    NOT NULL CHECK (state IN ('claimed', 'done', 'released')),
	lease_until INTEGER NOT NULL,
	forget_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS idv_seen_forget_at ON idv_seen (forget_at);
