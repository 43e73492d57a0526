// Package sqlite remembers in a file which webhook events were handled: for receivers on one machine, whose restart, or power cut, must
// not make them handle an event again.
//
//	seen, err := sqlite.Open(ctx, "/var/lib/app/seen.db")
//	...
//	defer seen.Close()
//	receiver := webhook.NewReceiver(verifier, webhook.WithSeen(seen))
//
// Several processes of one machine may open the same file. It must be on a local disk: file locks of network file systems are not to
// be trusted, and receivers on several machines need package adapters/redis or adapters/postgres.
//
// The driver is modernc.org/sqlite, which is Go alone: no C compiler, and cross-compilation as ever. A commit is on the disk when it
// returns; a claim need not be, since a power cut ends the handler as well. Leases and retention run by the machine's clock.
// Events whose retention has ended are removed by the claims that come later.
//
// # Once, and not only at least once
//
// A [webhook.Receiver] runs a handler again where its process died after the work and before the commit. Where the work is in the same
// file there is no such moment: [Store.ClaimTx] marks the event in the transaction of the work.
//
// # What is in the file
//
// One row for each event, about 200 bytes, for 7 days ([WithRetention]): [webhook.SeenKey.Digest], the SHA-256 of the body, the fencing
// token, the state and two times. The key id, which is an API key, is not in it, and nothing of the payload.
package sqlite
