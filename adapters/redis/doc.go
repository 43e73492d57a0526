// Package redis remembers in Redis which webhook events were handled, for receivers on more than one machine.
//
//	client := goredis.NewClient(&goredis.Options{Addr: "redis:6379", ContextTimeoutEnabled: true})
//	seen, err := redis.New(client)
//	...
//	receiver := webhook.NewReceiver(verifier, webhook.WithSeen(seen))
//
// Each of the three steps of a [webhook.SeenStore] is one Lua script over one key, so that it is atomic and works on a cluster. Leases
// and retention run by the server's clock: those of the machines need not agree.
//
// # What Redis must be
//
// A store that forgets makes an event be handled again. So, of the server:
//
//   - maxmemory-policy noeviction. An event takes about 300 bytes for 7 days; 10 events a second are about 1.8 GB. See [WithRetention].
//   - appendonly yes. With appendfsync always nothing that was acknowledged is lost; with everysec, the default, the last second at
//     most, and only where the machine dies and not the server alone.
//   - A failover to a replica may lose the last writes, since Redis replicates after it has answered. Where a second run of a handler
//     does harm, keep the events in PostgreSQL beside the data that the handler changes: package adapters/postgres.
//
// And of the client: ContextTimeoutEnabled, without which go-redis bounds its calls by ReadTimeout and not by their context.
//
// # What is in Redis
//
// One hash for each event, named "idv:seen:" and [webhook.SeenKey.Digest] in Base64: the key id, which is an API key, is in no key, no
// log and no backup. In it are the SHA-256 of the body, the fencing token, the state and the end of the lease; nothing of the payload.
package redis
