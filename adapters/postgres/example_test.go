package postgres_test

import (
	"context"
	"crypto/sha256"
	"log"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"example.com/idv/adapters/postgres"
	"example.com/idv/webhook"
)

// Any number of these processes serve one webhook.
func ExampleNew() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "postgres://app@db.internal/app")
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close()
	seen, err := postgres.New(pool)
	if err != nil {
		log.Fatal(err)
	}
	if err := seen.Migrate(ctx); err != nil {
		log.Fatal(err)
	}
	http.Handle("POST /hooks/flow", webhook.NewReceiver(verifier(), webhook.WithSeen(seen)))
}

// A handler whose work is in the same database: it is there once, whatever dies when.
func ExampleStore_ClaimTx() {
	pool, seen := database()
	handler := func(w http.ResponseWriter, r *http.Request) {
		delivery, _ := webhook.FromContext(r.Context())
		event, err := webhook.ParseEvent(delivery.Body)
		if err != nil {
			w.WriteHeader(webhook.StatusCode(err))
			return
		}
		e, status := event.Common(), http.StatusOK
		err = pgx.BeginFunc(r.Context(), pool, func(tx pgx.Tx) error {
			key := webhook.SeenKey{Environment: e.Environment, KeyID: delivery.KeyID, EventID: e.ID}
			claim, err := seen.ClaimTx(r.Context(), tx, key, sha256.Sum256(delivery.Body))
			switch {
			case err != nil:
				return err
			case claim.Outcome == webhook.InFlight:
				status = http.StatusServiceUnavailable // the service sends it again
			case claim.Outcome == webhook.Conflict:
				status = http.StatusConflict
			case claim.Outcome == webhook.Claimed:
				_, err = tx.Exec(r.Context(), "INSERT INTO inbox (event) VALUES ($1)", e.Raw)
			}
			return err
		})
		if err != nil {
			status = http.StatusInternalServerError
		}
		w.WriteHeader(status)
	}
	http.Handle("POST /hooks/flow", verifier().Middleware(http.HandlerFunc(handler)))
}

// A handler of a Receiver whose work is in the same database.
func ExampleStore_CommitTx() {
	pool, seen := database()
	receiver := webhook.NewReceiver(verifier(), webhook.WithSeen(seen))
	webhook.On(receiver, func(ctx context.Context, e *webhook.StatusUpdated) error {
		delivery, _ := webhook.FromContext(ctx)
		token, _ := webhook.FencingToken(ctx)
		key := webhook.SeenKey{Environment: e.Environment, KeyID: delivery.KeyID, EventID: e.ID}
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			const approve = "UPDATE customers SET approvals = approvals + 1 WHERE reference = $1"
			if _, err := tx.Exec(ctx, approve, e.Session.CustomerReference); err != nil {
				return err
			}
			return seen.CommitTx(ctx, tx, key, token)
		})
	})
}

func database() (*pgxpool.Pool, *postgres.Store) { return nil, nil }

func verifier() *webhook.Verifier { return nil }
