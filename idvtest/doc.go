// Package idvtest is the identity verification service in one process: for the tests of a program that uses it, and for trying
// things out without an account, a network or a bill.
//
//	func TestSignup(t *testing.T) {
//		service := idvtest.Start(t)
//		client, err := idv.New(service.URL, service.TestKey)
//		...
//	}
//
// It speaks the whole REST API over HTTP, with the statuses, the messages and the five shapes of errors that were recorded of it:
// people, question sets, companies, candidates and watchlists; lists with filters, fuzzy search and ranges of time; test mode
// with its special inputs. Where the contract says nothing, it does what was observed of this API family, and refuses what the
// contract refuses. It shares no type and no helper with the client: a mistake in one is not repeated in the other.
//
// # Time
//
// [Server.Clock] stands still until [Clock.Advance] moves it. Creation times, Date headers, the time limits of question sets
// and the delivery of webhooks follow it, so that four days pass in a moment and a test sees the same times in every run.
//
// # Test mode and live mode
//
// A document value that ends in 0000 is always valid, one that ends in 0001 always invalid; company tax ids 000000000 and
// 000000001 likewise. Any other value is valid, and live mode knows no other truth either. The live key needs [WithTLS] and
// the client of [Server.HTTPClient]; [Server.Billed] says what it has cost. A key sees the objects of its own mode only.
//
// # Flow and webhooks
//
// [Server.StartSession] plays a customer's user going through Flow, and [Server.Dashboard] subscribes receivers to the signed
// events about it: redeliveries, the warning mail and the disabling of a webhook that keeps failing included.
// [WithShuffledDeliveries], [WithDuplicatedDeliveries] and [WithDelayedDeliveries] bring disorder. The Flow API, with signed
// requests, answers at the same address.
//
// # Mishaps
//
// [Server.Fail] scripts what goes wrong: an error, a lost connection before or after the work was done, a slow or broken
// answer, a proxy's HTML. [Server.Executions] says how often the work really was done, which is what a program that must
// not pay twice has to be tested for, and [Server.Requests] what arrived.
//
// # Starting points
//
// [Server.AddPerson], [Server.AddCompany] and [Server.AddCandidate] add objects, in the past if need be, and by the
// tens of thousands. [Sanctioned] lists whom a watchlist search finds. [WithSeed] repeats everything random; a test
// that fails logs the seed with the requests of the service that [Start] made.
package idvtest
