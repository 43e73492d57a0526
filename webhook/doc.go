// Package webhook verifies and handles the signed webhooks that a hosted Flow sends about its sessions.
//
// A [Verifier] holds the account's keys and wraps an http.Handler, which then sees authentic deliveries only:
//
//	key, err := webhook.NewSigningKey(os.Getenv("IDV_WEBHOOK_KEY_ID"), os.Getenv("IDV_WEBHOOK_SECRET"))
//	...
//	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
//	...
//	mux.Handle("POST /hooks/flow", verifier.Middleware(handler))
//
// In handler, [FromContext] gives the [Delivery] and [ParseEvent] reads its body. A [Receiver] does that as well, removes
// duplicates and calls one function per kind of event.
//
// # What is verified, and in which order
//
// The signature covers the method, the path, the Date and the Digest header, and the Digest covers the body. So the headers
// come first: method and target, then the signature over them with Date and Digest, then the clock. Only an authentic header gets
// its body read, up to a limit, and compared with a Digest that is authentic by then. A forged request costs one HMAC, whatever
// it claims its size to be.
//
// Not signed, and never to be trusted: Host, the query (unless the sender signs it), Service-Version, Content-Type and every other
// header. The same delivery to another host with the same path and keys passes; [WithEnvironments] and the removal of duplicates
// are the answers to that.
//
// # Which path is signed
//
// The path of the receiver URL as it stands on the request line, whatever a router makes of it. Behind a proxy that rewrites
// paths, name the public one with [WithPath]. Where the request has a query, a signature over path and query is accepted too
// (observed, not in the written contract).
//
// # Other ways in
//
// [Verifier.Verify] is for handlers that have the *http.Request and no middleware, [Verifier.VerifyMessage] for queues, function runtimes and
// other HTTP libraries, [Verifier.VerifyHeader] for gateways that only pass on. Several accounts share one verifier by a [KeySource].
//
// # Refusals
//
// Each refusal is a sentinel error ([ErrSignatureMismatch], [ErrTimestamp], ...); [StatusCode] gives its status. All are answered with
// one constant body: whoever forges learns nothing. The receiver's own log learns the reason by [WithRefusalHook]; it holds no key
// and no personal data. The service counts every status but 200 as a failed delivery and sends again, with a new Date.
package webhook
