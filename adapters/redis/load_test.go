package redis_test

import (
	"crypto/rand"
	"fmt"
	"testing"

	"example.com/idv/adapters/redis"
	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
)

func BenchmarkLoad(b *testing.B) {
	for _, fsync := range []string{"always", "everysec"} {
		server := servertest.Redis(b, "appendfsync="+fsync)
		for _, receivers := range []int{1, 3} {
			b.Run(fmt.Sprintf("appendfsync=%s/receivers=%d", fsync, receivers), func(b *testing.B) {
				var stores []webhook.SeenStore
				prefix := redis.WithPrefix("load:" + rand.Text() + ":")
				for range receivers {
					stores = append(stores, newStore(b, client(b, server), prefix))
				}
				seentest.RunLoad(b, stores...)
			})
		}
	}
}
