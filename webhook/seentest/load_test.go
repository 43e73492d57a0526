package seentest

import (
	"net/http"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func BenchmarkLoad(b *testing.B) { RunLoad(b, benchStore(b)) }

func benchStore(tb testing.TB) webhook.SeenStore {
	store, err := webhook.NewMemoryStore(webhook.MemoryConfig{})
	require.NoError(tb, err)
	return store
}

func TestALoadIsOfNewEvents(t *testing.T) {
	result := testing.Benchmark(func(b *testing.B) {
		store := benchStore(b).(*webhook.MemoryStore)
		RunLoad(b, store, store)
		assert.Equal(t, min(b.N, webhook.DefaultCapacity), store.Len())
	})
	assert.Positive(t, result.Extra["events/s"])
}

func TestALoadThatIsRefusedIsNoFigure(t *testing.T) {
	refuse := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) })
	result := testing.Benchmark(func(b *testing.B) { RunDeliveries(b, webhooktest.Signer{}, refuse) })
	assert.Zero(t, result.N)
}
