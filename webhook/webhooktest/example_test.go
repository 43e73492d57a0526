package webhooktest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// receiver is the program under test, with its routes.
func receiver() http.Handler {
	key, err := webhook.NewSigningKey("test_key_1", "test_secret_1")
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /hooks/flow", verifier.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		delivery, _ := webhook.FromContext(r.Context())
		event, err := webhook.ParseEvent(delivery.Body)
		if updated, ok := event.(*webhook.StatusUpdated); ok && err == nil {
			fmt.Println(updated.Session.Status)
		}
	})))
	return mux
}

func ExampleSigner() {
	signer := webhooktest.Signer{KeyID: "test_key_1", Secret: "test_secret_1", Path: "/hooks/flow"}
	w := httptest.NewRecorder()
	receiver().ServeHTTP(w, signer.Event(webhooktest.Event{Status: "pending_review"}))
	fmt.Println(w.Code)
	// Output:
	// pending_review
	// 200
}

// In a test of the program under test:
//
//	func TestReceiverStandsAttacks(t *testing.T) { ... }
func ExampleHostile() {
	_ = func(t *testing.T) {
		signer := webhooktest.Signer{KeyID: "test_key_1", Secret: "test_secret_1", Path: "/hooks/flow"}
		webhooktest.Hostile(t, signer, receiver())
	}
}
