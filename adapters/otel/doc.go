// Package idvotel makes OpenTelemetry spans and metrics of the client's calls and of received webhooks. It is a module of its own: who
// does not use OpenTelemetry does not download it.
//
//	telemetry, err := idvotel.New(idvotel.WithBaseURL(baseURL))
//	...
//	client, err := idv.New(baseURL, key, idv.WithObserver(telemetry.Attempt))
//	receiver := webhook.NewReceiver(verifier, webhook.WithObserver(telemetry.Delivery))
//
// Without options it goes to the global providers of package otel.
//
// # Calls
//
// Each sending of a request, retries included, is one span of kind client, a child of the span in the context of the call, named by method
// and template: "GET /people/{PERSON_ID}". Names are those of the semantic conventions for HTTP clients.
//
//	http.client.request.duration   histogram, s   http.request.method, url.template, http.response.status_code, error.type, server.*
//
// Spans have http.request.resend_count for a retry and the answer's X-Request-Id as well. They do not have url.full, which the
// conventions ask for: a query holds personal data.
//
// # Webhooks
//
// Each request to a Receiver is one internal span, named "webhook" and its kind, a child of the server's span where the server makes one.
//
//	idv.webhook.duration           histogram, s   idv.webhook.outcome, idv.webhook.kind, idv.webhook.environment,
//	                                              idv.webhook.store_error, http.response.status_code, error.type
//	idv.webhook.skew               histogram, s   idv.webhook.environment; only of what is verified
//	idv.webhook.failing.duration   gauge, s       how long every delivery has failed; see ObserveHealth
//	idv.webhook.failures           gauge          how many
//
// The service warns after 3 days of failures and disables the webhook after 4 (contract: limits).
//
// # What is never recorded
//
// Keys, queries, bodies, ids of people, customer references and the texts of errors, which may quote them. What comes over the wire and
// could be anything becomes _OTHER in an attribute unless the contract knows it; the id of an event is in spans only.
//
// grafana.json is a dashboard over these metrics, as Prometheus names them; demo makes traffic to look at with it.
package idvotel
