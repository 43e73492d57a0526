-- The webhook events that were handled, or are being handled.
CREATE TABLE IF NOT EXISTS idv_seen (
	key         bytea       NOT NULL PRIMARY KEY, -- webhook.SeenKey.Digest: no key id is stored
	body        bytea       NOT NULL,             -- SHA-256 of the body: no payload is stored
	token       bigint      NOT NULL,             -- the fencing token of the latest claim
	state       text        NOT NULL CHECK (state IN ('claimed', 'done', 'released')),
	lease_until timestamptz NOT NULL,
	forget_at   timestamptz NOT NULL
) WITH (fillfactor = 80); -- room for the commit on the page of the claim

CREATE INDEX IF NOT EXISTS idv_seen_forget_at ON idv_seen (forget_at);
