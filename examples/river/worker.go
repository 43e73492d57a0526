package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"

	"example.com/idv/adapters/postgres"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// eventArgs is a job: an event as it came. It is as personal as the customers table, and River deletes it a day after its work is done.
type eventArgs struct {
	Body json.RawMessage `json:"body"`
}

func (eventArgs) Kind() string { return "flow_event" }

// newQueue returns what inserts jobs and, where the settings have workers, works on them once it is started.
func newQueue(pool *pgxpool.Pool, set settings) (*river.Client[pgx.Tx], error) {
	config := &river.Config{
		JobTimeout:           set.timeout,
		RescueStuckJobsAfter: set.rescue,
		Workers:              river.NewWorkers(),
		Logger:               slog.New(slog.DiscardHandler), // its texts may quote an event
	}
	river.AddWorker(config.Workers, &worker{pool: pool, pace: set.pace})
	if set.workers > 0 {
		config.Queues = map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: set.workers, FetchCooldown: 5 * time.Millisecond}}
	}
	return river.NewClient(riverpgxv5.New(pool), config)
}

// worker takes events into what is known of their customers.
type worker struct {
	river.WorkerDefaults[eventArgs]
	pool *pgxpool.Pool
	pace time.Duration
}

// Work ends the job in the transaction of its effect: both are there, or neither. A job that was rescued from a worker that is alive after
// all can end only once: the later of the two rolls its effect back.
func (w *worker) Work(ctx context.Context, job *river.Job[eventArgs]) error {
	event, err := webhook.ParseEvent(job.Args.Body)
	if err != nil {
		return river.JobCancel(err) // no repetition can mend it
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := fold(ctx, tx, event); err != nil {
			return err
		}
		time.Sleep(w.pace)
		_, err := river.JobCompleteTx[*riverpgxv5.Driver](ctx, tx, job)
		return err
	})
}

// fold takes an event into its customer: in any order, see package session. Besides, it counts the events, which is an effect that
// would show if it came about twice.
func fold(ctx context.Context, tx pgx.Tx, event webhook.Event) error {
	data, ok := webhook.SessionOf(event)
	if !ok {
		return nil
	}
	const lock = `
INSERT INTO customers (reference) VALUES ($1) ON CONFLICT (reference) DO UPDATE SET events = customers.events
RETURNING coalesce(state, 'null')`
	var state []byte
	if err := tx.QueryRow(ctx, lock, data.CustomerReference).Scan(&state); err != nil {
		return err
	}
	var customer session.Customer
	if err := json.Unmarshal(state, &customer); err != nil {
		return err
	}
	if err := customer.Apply(event); err != nil {
		return river.JobCancel(err)
	}
	state, err := json.Marshal(customer)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "UPDATE customers SET state = $2, events = events + 1 WHERE reference = $1", data.CustomerReference, state)
	return err
}

//go:embed customers.sql
var customersSQL string

// migrate creates the tables: those of the seen events, of the queue and of the customers. Processes that start at once take turns.
func migrate(ctx context.Context, pool *pgxpool.Pool) error {
	seen, err := postgres.New(pool)
	if err != nil {
		return err
	}
	if err := seen.Migrate(ctx); err != nil {
		return err
	}
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), nil)
	if err != nil {
		return err
	}
	return pool.AcquireFunc(ctx, func(conn *pgxpool.Conn) error {
		if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(8081)"); err != nil {
			return err
		}
		defer conn.Exec(context.WithoutCancel(ctx), "SELECT pg_advisory_unlock(8081)")
		if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("the tables of the queue: %w", err)
		}
		_, err := conn.Exec(ctx, customersSQL)
		return err
	})
}
