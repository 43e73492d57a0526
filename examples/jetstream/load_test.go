package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook/seentest"
)

// BenchmarkLoad measures both sides of the stream, the one after the other: events/s are those received, handled/s those that one
// process with 32 workers has then handled.
func BenchmarkLoad(b *testing.B) {
	r := newRecipe(b)
	seentest.RunDeliveries(b, signer, r.receiver)
	set, err := parse([]string{"-workers", "32"})
	require.NoError(b, err)
	began := time.Now()
	stop, err := r.startWorkers(b.Context(), set)
	require.NoError(b, err)
	defer stop()
	for p := r.progress(b); p.NumPending+uint64(p.NumAckPending) > 0; p = r.progress(b) {
		time.Sleep(10 * time.Millisecond)
	}
	b.ReportMetric(float64(b.N)/time.Since(began).Seconds(), "handled/s")
}
