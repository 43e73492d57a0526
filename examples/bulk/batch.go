package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"example.com/idv"
	"example.com/idv/examples/internal/bar"
	"golang.org/x/sync/errgroup"
	"golang.org/x/time/rate"
)

// batch is one run over the rows of a file.
type batch struct {
	set     settings
	client  *idv.Client
	journal *journal
	limiter *rate.Limiter
	rows    []row
	bar     *bar.Bar

	mu      sync.Mutex
	entries map[string]entry // by reference, as the journal has them
	now     int              // verified by this run
	open    int              // left open by this run
	handled int              // for the bar
}

// newBatch refuses rows whose data are not those that were sent for their reference.
func newBatch(set settings, client *idv.Client, j *journal, rows []row, messages io.Writer) (*batch, error) {
	entries, err := j.entries(context.Background())
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, r := range rows {
		if e, known := entries[r.reference]; known && e.state != stateRefused && e.digest != r.digest {
			problems = append(problems, fmt.Errorf("line %d: the journal has other data for its reference: for a new verification give it a new one", r.line))
		}
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return &batch{
		set: set, client: client, journal: j, limiter: rate.NewLimiter(rate.Limit(set.rate), 1),
		rows: rows, entries: entries, bar: bar.New(messages, "people"),
	}, nil
}

// todo is the rows without a result: those that were never sent, then those that a run left under way, the oldest first.
func (b *batch) todo() (rows []row) {
	var underWay []row
	for _, r := range b.rows {
		switch e := b.entries[r.reference]; {
		case e.state == stateSent:
			underWay = append(underWay, r)
		case e.state == "", e.state == stateRefused && e.digest != r.digest: // the data were mended
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(underWay, func(x, y row) int {
		return b.entries[x.reference].sentAt.Compare(b.entries[y.reference].sentAt)
	})
	return append(rows, underWay...)
}

// run verifies what is to do. When ctx ends, or something is wrong with more than a row, no further row is begun, and those that are
// under way come to their end.
func (b *batch) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := b.todo()
	b.handled = len(b.rows) - len(rows)
	var group errgroup.Group
	group.SetLimit(b.set.parallel)
	for _, r := range rows {
		earlier := b.entry(r)
		if b.ready(ctx, earlier) != nil {
			break
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return nil // stopped while it waited for its turn
			}
			if err := b.verify(ctx, r, earlier.state == stateSent); err != nil {
				stop(err)
			}
			return nil
		})
	}
	_ = group.Wait()
	b.bar.Clear()
	if cause := context.Cause(ctx); cause != nil {
		return fmt.Errorf("%w; run it again to go on", cause)
	}
	return nil
}

// ready waits for the turn of a row: at the rate, and for one that was under way until what it may have made has settled.
func (b *batch) ready(ctx context.Context, earlier entry) error {
	if earlier.state == stateSent {
		// A clock that was set back must not make it wait for ever.
		if err := sleep(ctx, min(time.Until(earlier.sentAt.Add(b.set.settling)), b.set.settling)); err != nil {
			return err
		}
	}
	return b.limiter.Wait(ctx)
}

// verify returns an error where going on with other rows makes no sense.
func (b *batch) verify(ctx context.Context, r row, underWay bool) error {
	uncut := context.WithoutCancel(ctx) // what was sent is waited for, and what is known is written down
	sent := entry{state: stateSent, digest: r.digest, sentAt: time.Now()}
	if err := b.put(uncut, r, sent); err != nil {
		return err
	}
	opts := []idv.CallOption{idv.Settling(b.set.settling)}
	if underWay {
		opts = append(opts, idv.LookFirst())
	}
	person, err := b.create(ctx, uncut, r, opts)
	if person != nil {
		done := sent
		done.state, done.personID, done.status, done.details = stateDone, person.ID, person.Status, person.Details
		return b.put(uncut, r, done)
	}
	if why := refusal(err); why != "" {
		refused := sent
		refused.state, refused.problem = stateRefused, why
		return b.put(uncut, r, refused)
	}
	return b.leftOpen(err)
}

// maxWaits bounds how often a row that the service has no time for is sent again: 429 is a refusal, nothing was made.
const maxWaits = 5

func (b *batch) create(ctx, uncut context.Context, r row, opts []idv.CallOption) (person *idv.Person, err error) {
	for range maxWaits {
		person, err = b.client.People.CreateOnce(uncut, &r.params, b.journal.note(r.reference), opts...)
		var refused *idv.Error
		if !errors.Is(err, idv.ErrRateLimited) || !errors.As(err, &refused) {
			break
		}
		if sleep(ctx, max(refused.RetryAfter, time.Second)) != nil {
			break
		}
	}
	return person, err
}

// refusal says why the service does not take the data of a row; "" if that is not what happened. It names the parameter only.
func refusal(err error) string {
	var uncertain *idv.UncertainError
	var e *idv.Error
	switch {
	case errors.As(err, &uncertain), !errors.As(err, &e), e.Method != http.MethodPost:
		return ""
	case errors.Is(err, idv.ErrValidation), errors.Is(err, idv.ErrRequestFailed):
		return fmt.Sprintf("refused with status %d, param %q, code %q", e.StatusCode, e.Param, e.Code)
	}
	return ""
}

// leftOpen counts rows without a result. The next run looks for them first.
func (b *batch) leftOpen(err error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open++
	if errors.Is(err, idv.ErrUnauthorized) || b.open >= b.set.giveUp {
		return err
	}
	return nil
}

func (b *batch) put(ctx context.Context, r row, e entry) error {
	if err := b.journal.put(ctx, r.reference, e); err != nil {
		return fmt.Errorf("the journal: %w", err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.entries[r.reference] = e
	if e.state == stateDone {
		b.now++
	}
	if e.state != stateSent {
		b.handled++
		b.bar.Show(b.handled, len(b.rows))
	}
	return nil
}

func (b *batch) entry(r row) entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.entries[r.reference]
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
