// Package idv is the Go client of an identity verification REST API: it verifies people and companies, asks people
// questions that only they can answer, and looks for candidates on watchlists.
//
//	client, err := idv.New("https://api.example.com", os.Getenv("IDV_API_KEY"))
//	...
//	person, err := client.People.Create(ctx, &idv.PersonParams{NameFirst: "John", ...})
//	...
//	if person.Status == idv.StatusValid { ... }
//
// A key that starts with sk_test verifies nothing and costs nothing; one that starts with sk_live verifies real people
// for money. Package example.com/idv/webhook verifies the webhooks of the service's hosted Flow, package
// example.com/idv/flow looks its sessions up, and package example.com/idv/idvtest is the service for tests.
//
// # What was sent, and what came of it
//
// A call that may be billed is sent at most once, unless it provably never left the process. What a caller has to tell
// apart, the errors tell apart by type:
//
//   - [*ParamError]: refused here, nothing was sent.
//   - [*Error]: the service answered, and not with success. errors.Is knows it by [ErrValidation], [ErrUnauthorized],
//     [ErrRequestFailed], [ErrNotFound], [ErrRateLimited] and [ErrServer].
//   - [*UncertainError]: it was sent, and whether it ran, and was billed, is unknown. Look before you send again.
//   - [*TransportError]: no answer came, and nothing is in doubt.
//   - [*DecodeError]: it ran; the answer that was paid for could not be decoded and is in Body.
//
// Reads (GET) are repeated after failures that may pass, with growing waits and the Retry-After of the service; see
// [WithMaxRetries]. Redirects are never followed.
//
// # Lists
//
// List reads one page, narrowed by exact filters, ranges of timestamps or a fuzzy search ([ListParams]). All reads
// everything, each object once: the contract shows no paging, so it goes by windows of creation times and is complete or
// says what is missing ([IncompleteError]).
//
// # What the service adds later
//
// Statuses, document types, match results and error codes are strings with constants, never checked. Every model keeps
// the JSON that it came from (RawJSON) and gives the members that its type does not know (Extra). Params carry Extra
// members the other way.
//
// # What is printed
//
// No error, no log line and no %v, %+v or %#v of a value of this package holds a key, a query or personal data. A model
// prints as its id, status and mode. Payloads stay in fields. Encoding a model as JSON is what models are for, and shows
// all of it: so does slog's JSON handler with a slice or a struct of models, which it encodes without asking them. Log
// models one by one.
package idv
