package sqlite_test

import (
	"context"
	"log"
	"net/http"

	"example.com/idv/adapters/sqlite"
	"example.com/idv/webhook"
)

// A receiver on one machine that may be restarted at any time.
func ExampleOpen() {
	seen, err := sqlite.Open(context.Background(), "/var/lib/app/seen.db")
	if err != nil {
		log.Fatal(err)
	}
	defer seen.Close()
	key, err := webhook.NewSigningKey("key id", "secret")
	if err != nil {
		log.Fatal(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /hooks/flow", webhook.NewReceiver(verifier, webhook.WithSeen(seen)))
}
