package main

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook/seentest"
)

// BenchmarkLoad measures both sides of the queue, the one after the other: events/s are those received, handled/s those that one
// process with 32 workers has then handled.
func BenchmarkLoad(b *testing.B) {
	r := newRecipe(b)
	seentest.RunDeliveries(b, signer, r.handler)
	set, err := parse([]string{"-workers", "32"})
	require.NoError(b, err)
	queue, err := newQueue(r.pool, set)
	require.NoError(b, err)
	ctx, cancel := context.WithCancel(context.Background())
	began := time.Now()
	require.NoError(b, queue.Start(ctx))
	for r.count(b, "SELECT count(*) FROM river_job WHERE state <> 'completed'") > 0 {
		time.Sleep(20 * time.Millisecond)
	}
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "handled/s")
	cancel()
	<-queue.Stopped()
}
