package webhooks_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"example.com/idv/bench/internal/webhooks"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A verifier that accepted everything would win every table.
func TestEveryVerifierTellsGenuineFromForged(t *testing.T) {
	t.Parallel()
	body := webhooks.Event(4 << 10)
	for _, v := range webhooks.Verifiers() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			genuine, err := v.New(webhooks.Genuine(body))
			require.NoError(t, err)
			require.NoError(t, genuine())
			require.NoError(t, genuine(), "and again: it is measured many times")

			forged, err := v.New(webhooks.Delivery{Secret: "a secret that somebody has guessed", Signed: body, Delivered: body})
			require.NoError(t, err)
			require.Error(t, forged(), "signed by another secret")

			changed := append([]byte(nil), body...)
			changed[len(changed)-10]++
			altered, err := v.New(webhooks.Delivery{Secret: webhooks.Secret, Signed: body, Delivered: changed})
			require.NoError(t, err)
			require.Error(t, altered(), "altered on the way")
		})
	}
}

func TestEventsHaveTheirSizeAndAreJSON(t *testing.T) {
	t.Parallel()
	for _, size := range webhooks.Sizes {
		body := webhooks.Event(size)
		assert.Len(t, body, size)
		assert.True(t, json.Valid(body))
	}
}

func TestEveryForgedRequestIsRefused(t *testing.T) {
	t.Parallel()
	refusals, err := webhooks.Refusals(1 << 20)
	require.NoError(t, err)
	for _, r := range refusals {
		require.NoError(t, r.Refuse(), r.Name)
		require.NoError(t, r.Refuse(), r.Name)
	}
}

func TestReceivers(t *testing.T) {
	t.Parallel()
	receivers, err := webhooks.Receivers()
	require.NoError(t, err)
	genuine := webhooks.Genuine(webhooks.Event(340))
	forged := genuine
	forged.Secret = "a secret that somebody has guessed"
	for i, r := range receivers {
		deliver, stop := webhooks.Deliver(r.Handler, genuine, http.StatusOK)
		require.NoError(t, deliver(), r.Name)
		stop()
		if i == 0 {
			continue // the floor verifies nothing
		}
		deliver, stop = webhooks.Deliver(r.Handler, forged, http.StatusUnauthorized)
		require.NoError(t, deliver(), r.Name)
		stop()
	}
}

func BenchmarkVerify(b *testing.B) {
	for _, size := range webhooks.Sizes {
		body := webhooks.Event(size)
		for _, v := range webhooks.Verifiers() {
			b.Run(fmt.Sprintf("%d/%s", size, v.Name), func(b *testing.B) {
				verify, err := v.New(webhooks.Genuine(body))
				require.NoError(b, err)
				b.ReportAllocs()
				b.SetBytes(int64(size))
				for b.Loop() {
					if err := verify(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
