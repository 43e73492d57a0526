package seentest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// Crash is a store whose server dies and comes back while events are received.
type Crash struct {
	// Stores are empty and share their events, as those of several machines do. Their lease should be 10 seconds: longer
	// than a receiver tries to commit, and no longer than need be, since an event whose claim the crash cut off waits for it.
	Stores []webhook.SeenStore
	// Restart kills the server and starts it again. It is called on the test's goroutine.
	Restart func()
	Times   int // how often it is called; 0 means 3
	Events  int // 0 means 1000
}

// Figures are what came of a [Crash].
type Figures struct {
	Events, Restarts int
	Deliveries       int           // requests to the receivers
	Again            int           // of them not answered 200, and delivered again
	Lost, Twice      int           // events that were not handled, or more than once
	Longest          time.Duration // until an event was answered 200
}

// String is one line for a log.
func (f Figures) String() string {
	return fmt.Sprintf("%d events in %d deliveries, %d of them again after an error; %d restarts; %d lost, %d handled twice; the longest took %v",
		f.Events, f.Deliveries, f.Again, f.Restarts, f.Lost, f.Twice, f.Longest.Round(time.Millisecond))
}

// RunCrash delivers events to one receiver for each store: each event to two of them at once, until both have answered 200, as a service
// does which takes its first delivery for failed. Meanwhile the server dies. In the end each event must have been handled once, and be
// known as handled. It fails the test otherwise, and logs the figures.
func RunCrash(t *testing.T, c Crash) Figures {
	t.Helper()
	if c.Times == 0 {
		c.Times = 3
	}
	if c.Events == 0 {
		c.Events = 1000
	}
	r := newCrashRun(t, c)
	delivered := r.deliverAll()
	for range c.Times {
		select {
		case <-r.restart:
			c.Restart()
			r.figures.Restarts++
		case <-delivered:
		}
	}
	<-delivered
	r.count()
	t.Log(r.figures)
	if f := r.figures; f.Lost > 0 || f.Twice > 0 || f.Restarts != c.Times {
		t.Errorf("want every event handled once through %d restarts", c.Times)
	}
	return r.figures
}

const (
	crashCallers  = 32
	crashPatience = 40 * time.Second // until an event counts as lost
)

type crashRun struct {
	Crash
	ctx       context.Context
	signer    webhooktest.Signer
	receivers []*webhook.Receiver
	bodies    [][]byte
	handled   []atomic.Int32 // by the number of the event
	total     atomic.Int64
	restart   chan struct{}

	mu      sync.Mutex
	figures Figures
}

func newCrashRun(t *testing.T, c Crash) *crashRun {
	t.Helper()
	r := &crashRun{
		Crash: c, ctx: t.Context(), signer: webhooktest.Signer{KeyID: "crash_key", Secret: "a secret of some length"},
		handled: make([]atomic.Int32, c.Events), restart: make(chan struct{}, c.Times), figures: Figures{Events: c.Events},
	}
	key, err := webhook.NewSigningKey(r.signer.KeyID, r.signer.Secret)
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		t.Fatal(err)
	}
	for _, store := range c.Stores {
		receiver := webhook.NewReceiver(verifier, webhook.WithSeen(store))
		receiver.OnAny(r.handle)
		r.receivers = append(r.receivers, receiver)
	}
	for i := range c.Events {
		r.bodies = append(r.bodies, webhooktest.Event{ID: fmt.Sprintf("whkevt_%d", i)}.Body())
	}
	return r
}

// handle is the work, and asks for a restart when another part of the events is done.
func (r *crashRun) handle(_ context.Context, e webhook.Event) error {
	var i int
	if _, err := fmt.Sscanf(e.Common().ID, "whkevt_%d", &i); err != nil {
		return err
	}
	time.Sleep(time.Millisecond)
	r.handled[i].Add(1)
	if done := int(r.total.Add(1)); done%(r.Events/(r.Times+1)) == 0 {
		select {
		case r.restart <- struct{}{}:
		default:
		}
	}
	return nil
}

// deliverAll returns a channel that is closed when every event was delivered.
func (r *crashRun) deliverAll() <-chan struct{} {
	events, delivered := make(chan int), make(chan struct{})
	var callers sync.WaitGroup
	for range crashCallers {
		callers.Go(func() {
			for i := range events {
				var both sync.WaitGroup
				both.Go(func() { r.deliver(i, i) })
				both.Go(func() { r.deliver(i, i+1) })
				both.Wait()
			}
		})
	}
	go func() {
		defer close(delivered)
		for i := range r.bodies {
			events <- i
		}
		close(events)
		callers.Wait()
	}()
	return delivered
}

// deliver delivers an event, to each receiver in turn, until it is answered 200.
func (r *crashRun) deliver(event, receiver int) {
	began, again := time.Now(), 0
	for r.post(event, receiver+again) != http.StatusOK && time.Since(began) < crashPatience && r.ctx.Err() == nil {
		again++
		time.Sleep(20 * time.Millisecond)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.figures.Deliveries += again + 1
	r.figures.Again += again
	r.figures.Longest = max(r.figures.Longest, time.Since(began))
}

func (r *crashRun) post(event, receiver int) int {
	w := httptest.NewRecorder()
	r.receivers[receiver%len(r.receivers)].ServeHTTP(w, r.signer.Request(r.bodies[event]).WithContext(r.ctx))
	return w.Code
}

// count delivers every event once more, which must change nothing, and counts how often each was handled.
func (r *crashRun) count() {
	for i := range r.bodies {
		before := r.handled[i].Load()
		answer := r.post(i, i)
		switch after := r.handled[i].Load(); {
		case before == 0 || answer != http.StatusOK:
			r.figures.Lost++
		case after > 1:
			r.figures.Twice++
		}
	}
}
