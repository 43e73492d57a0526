// Package webhooktest is for the tests of programs that receive webhooks: it signs requests as the service does, and it attacks a
// receiver with what must be refused.
//
// A [Signer] makes authentic requests for an http.Handler:
//
//	signer := webhooktest.Signer{KeyID: "test_key_1", Secret: secret, Path: "/hooks/flow"}
//	w := httptest.NewRecorder()
//	handler.ServeHTTP(w, signer.Event(webhooktest.Event{Status: "success"}))
//
// [Hostile] runs forged, altered, replayed and broken requests against the same handler, as it is mounted:
//
//	webhooktest.Hostile(t, signer, handler)
package webhooktest
