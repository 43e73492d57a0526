// Package flow is the client of the Flow API: it looks Flow sessions up, creates them and retries them. All of it is
// observed, not in the written contract, which mentions these calls and shows neither their paths nor their payloads.
//
//	client, err := flow.New(baseURL, keyID, secret)
//	...
//	session, err := client.Sessions.Get(ctx, event.Session.ID)
//	...
//	if session.Status == flow.StatusSuccess { ... }
//
// The look-up is what webhooks call for: their order is not guaranteed, so that a receiver looks a session up where the
// events alone cannot tell its state (contract: events 4). Package example.com/idv/webhook/session says when, and takes
// the answer:
//
//	if _, fetch := state.NeedsFetch(); fetch {
//		s, err := client.Sessions.Get(ctx, state.ID())
//		...
//		err = state.Resolve(session.Fetched{ID: s.ID, At: s.AsOf(), Status: webhook.Status(s.Status), ...})
//	}
//
// # The credential
//
// It is the one that the webhooks are signed with, not a key of the REST API: a key id, which is sent, and a secret, which
// never is. Every request is signed over its method, path, query, date and body, anew for each attempt. The base URL
// selects the live or the sandbox environment. It has to be https, since sessions are personal data; http is taken to
// localhost and loopback addresses only.
//
// # What was sent, and what came of it
//
// Options, errors and promises are those of package idv, whose transport this package uses. A Get is repeated after
// failures that may pass. Retry is sent at most once, and so is Create, unless [SessionParams].Idempotent makes it safe to
// repeat. An *idv.UncertainError says that a session may have been created or retried, and that nobody knows.
// *idv.Error carries what the service said of a refusal, with Detail and Pointer.
//
// # What the service adds later
//
// Statuses, steps and strategies are strings with constants, never checked. A [Session] keeps the JSON that it came from
// (RawJSON) and gives the members that its type does not know (Extra). Nothing that this package prints holds the
// credential or personal data: a session prints as its id and status.
package flow
