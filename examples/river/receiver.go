package main

import (
	"crypto/sha256"
	"errors"
	"net/http"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"

	"example.com/idv/adapters/postgres"
	"example.com/idv/webhook"
)

const receiverPath = "/webhooks/flow"

// receiver puts events into the queue.
type receiver struct {
	pool  *pgxpool.Pool
	queue *river.Client[pgx.Tx]
	seen  *postgres.Store
}

func newReceiver(pool *pgxpool.Pool, queue *river.Client[pgx.Tx], key *webhook.SigningKey) (http.Handler, error) {
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		return nil, err
	}
	seen, err := postgres.New(pool)
	if err != nil {
		return nil, err
	}
	return verifier.Middleware(&receiver{pool, queue, seen}), nil
}

// ServeHTTP answers 200 once the event is in the queue, by this delivery or by an earlier one. After every other answer the service
// delivers it again.
func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	delivery, ok := webhook.FromContext(req.Context())
	if !ok {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	event, err := webhook.ParseEvent(delivery.Body)
	if err != nil {
		w.WriteHeader(webhook.StatusCode(err))
		return
	}
	err = pgx.BeginFunc(req.Context(), r.pool, func(tx pgx.Tx) error { return r.enqueue(req, tx, delivery, event.Common()) })
	switch {
	case errors.Is(err, errInFlight):
		w.WriteHeader(http.StatusServiceUnavailable)
	case errors.Is(err, errConflict):
		w.WriteHeader(http.StatusConflict)
	case err != nil:
		w.WriteHeader(http.StatusInternalServerError)
	}
}

var (
	errInFlight = errors.New("another delivery of the event is being received")
	errConflict = errors.New("the id of the event has come with another body")
)

func (r *receiver) enqueue(req *http.Request, tx pgx.Tx, d *webhook.Delivery, e *webhook.Envelope) error {
	key := webhook.SeenKey{Environment: e.Environment, KeyID: d.KeyID, EventID: e.ID}
	claim, err := r.seen.ClaimTx(req.Context(), tx, key, sha256.Sum256(d.Body))
	if err != nil {
		return err
	}
	switch claim.Outcome {
	case webhook.Claimed:
		_, err = r.queue.InsertTx(req.Context(), tx, eventArgs{Body: e.Raw}, nil)
		return err
	case webhook.Done:
		return nil
	case webhook.Conflict:
		return errConflict
	}
	return errInFlight
}
