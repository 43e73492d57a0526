// Package transport sends one request and comes back with all that is known about it: the last answer, why there is
// none, how often it was sent, and whether it may have reached the service.
//
// One call is one retry loop of go-retryablehttp. A fresh retryablehttp.Client is made per call (a struct over the
// shared connection pool), because its hooks see neither the request nor the number of the attempt; the call itself is
// the http.RoundTripper of that client, so that an attempt is one function: timeout, sending, reading the whole body.
// What the library would say of a failure is not used, for its texts carry the URL with its query; the Result is built
// from what the attempts left behind.
//
// The rules are in decide.go: a repeatable request (GET) is sent again after anything that may pass; any other request
// only when its connection was never made.
package transport
