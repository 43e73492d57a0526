// Package postgres remembers in PostgreSQL which webhook events were handled, for receivers on more than one machine.
//
//	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
//	...
//	seen, err := postgres.New(pool)
//	...
//	if err := seen.Migrate(ctx); err != nil { ... } // or migrations/001_idv_seen.sql by a tool of your own
//	receiver := webhook.NewReceiver(verifier, webhook.WithSeen(seen))
//
// Leases and retention run by the server's clock: those of the machines need not agree. A claim is one statement and so is a commit; the
// server has them on its disk before it answers, so that its crash forgets nothing. Events whose retention has ended are removed by the
// claims that come later.
//
// # Once, and not only at least once
//
// A [webhook.Receiver] runs a handler again where its process died after the work and before the commit. Where the handler writes to
// this database there is no such moment, if the event is marked in the transaction of the work:
//
//   - [Store.ClaimTx], a transactional inbox, for a handler of one's own behind the Middleware of a Verifier: one transaction
//     for each event.
//   - [Store.CommitTx] for a handler of a Receiver.
//
// # What is in the table
//
// One row for each event, about 430 bytes with its indexes, for 7 days ([WithRetention]): [webhook.SeenKey.Digest], the SHA-256 of the
// body, the fencing token, the state and two times. The key id, which is an API key, is not in it, and nothing of the payload.
package postgres
