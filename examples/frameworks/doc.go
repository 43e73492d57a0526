// Package frameworks shows how to mount a webhook receiver in chi, gin, echo, fiber and AWS Lambda. It is a module of its own, for the
// sake of all these. Each file is one framework and can be copied; the tests attack each mounting with webhooktest.Hostile, as your own
// should.
//
//	chi      r.Handle("/webhooks/flow", receiver)
//	gin      r.Any("/webhooks/flow", gin.WrapH(receiver))
//	echo     e.Any("/webhooks/flow", echo.WrapHandler(receiver))
//	fiber    app.All("/webhooks/flow", adaptor.HTTPHandler(receiver)), with a context of its own: see Fiber
//	Lambda   verifier.VerifyMessage on the event, or the whole receiver behind an adapter
//
// What is the same for all of them:
//
//   - Nothing before the receiver may read the body: no binding, no body dump, no decompression. What was signed are the raw bytes, and a
//     receiver that gets to see the connection refuses a forged request before any of them has arrived.
//   - Mount it for every method. The receiver answers those other than POST itself, with the refusal that all the others get.
//   - The path on the request line is the signed one, whatever groups and prefixes the router has. Only where a gateway rewrites it,
//     tell the verifier the public path: webhook.WithPath.
//   - No redirects for a slash too many or too few: the service does not follow them, every status but 200 is a failed delivery.
//   - Authentication, CSRF and rate limits for browsers are for other routes: the signature is the authentication here.
package frameworks

// Path is where the receiver is mounted: the path of the URL that is registered in the dashboard.
const Path = "/webhooks/flow"
