package seentest_test

import (
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
)

// The test of a store is one call; here of the memory store, whose clock the suite may move.
func ExampleRun() {
	TestStore := func(t *testing.T) {
		seentest.Run(t, func(t *testing.T) seentest.Subject {
			now := time.Now()
			store, err := webhook.NewMemoryStore(webhook.MemoryConfig{Now: func() time.Time { return now }})
			if err != nil {
				t.Fatal(err)
			}
			return seentest.Subject{Store: store, Advance: func(d time.Duration) { now = now.Add(d) }}
		})
	}
	_ = TestStore
}
