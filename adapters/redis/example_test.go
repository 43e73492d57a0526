package redis_test

import (
	"log"
	"net/http"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"example.com/idv/adapters/redis"
	"example.com/idv/webhook"
)

// Any number of these processes serve one webhook.
func ExampleNew() {
	client := goredis.NewClient(&goredis.Options{Addr: "redis.internal:6379", ContextTimeoutEnabled: true})
	defer client.Close()
	seen, err := redis.New(client, redis.WithLease(30*time.Second))
	if err != nil {
		log.Fatal(err)
	}
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
