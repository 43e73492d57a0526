CREATE TABLE IF NOT EXISTS customers (
	reference text   NOT NULL PRIMARY KEY,
	state     jsonb,
	events    bigint NOT NULL DEFAULT 0
);
