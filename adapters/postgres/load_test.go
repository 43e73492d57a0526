package postgres_test

import (
	"crypto/sha256"
	"fmt"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/seentest"
	"example.com/idv/webhook/webhooktest"
)

func BenchmarkLoad(b *testing.B) {
	server := servertest.Postgres(b)
	for _, receivers := range []int{1, 3} {
		b.Run(fmt.Sprintf("claim and commit/receivers=%d", receivers), func(b *testing.B) {
			var stores []webhook.SeenStore
			named := table()
			for range receivers {
				stores = append(stores, newStore(b, pool(b, server), named))
			}
			seentest.RunLoad(b, stores...)
		})
	}
	b.Run("inbox", func(b *testing.B) {
		p := pool(b, server)
		s := newStore(b, p, table())
		signer := webhooktest.Signer{KeyID: "load_key", Secret: "a secret of some length"}
		key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
		require.NoError(b, err)
		v, err := webhook.NewVerifier(webhook.StaticKeys(key))
		require.NoError(b, err)
		seentest.RunDeliveries(b, signer, v.Middleware(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			d, _ := webhook.FromContext(r.Context())
			e, err := webhook.ParseEvent(d.Body)
			if err == nil {
				err = pgx.BeginFunc(r.Context(), p, func(tx pgx.Tx) error {
					_, err := s.ClaimTx(r.Context(), tx, webhook.SeenKey{EventID: e.Common().ID}, sha256.Sum256(d.Body))
					return err
				})
			}
			w.WriteHeader(webhook.StatusCode(err))
		})))
	})
}
