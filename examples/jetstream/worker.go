package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// record is what is known of a customer, and which events have told it. Both change in one write.
type record struct {
	Customer session.Customer `json:"customer"`
	Events   []string         `json:"events"` // their ids, sorted
}

// startWorkers begins to take events into their customers. All workers of all machines share the events of one consumer.
func (s *stream) startWorkers(ctx context.Context, set settings) (stop func(), err error) {
	consumer, err := s.events.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{Durable: consumerName, AckWait: set.ackWait})
	if err != nil {
		return nil, err
	}
	var running []jetstream.ConsumeContext
	stop = func() {
		for _, c := range running {
			c.Drain()
			<-c.Closed()
		}
	}
	for range set.workers {
		// A worker keeps few events in hand: those of one that dies wait for -ack-wait.
		c, err := consumer.Consume(func(m jetstream.Msg) { s.work(ctx, m, set) }, jetstream.PullMaxMessages(4))
		if err != nil {
			stop()
			return nil, err
		}
		running = append(running, c)
	}
	return sync.OnceFunc(stop), nil
}

// work acknowledges an event after its effect. Where the acknowledgement is lost the event comes again, and changes nothing.
func (s *stream) work(ctx context.Context, m jetstream.Msg, set settings) {
	time.Sleep(set.pace)
	event, err := webhook.ParseEvent(m.Data())
	if err != nil {
		_ = m.Term() // no repetition can mend it
		return
	}
	ctx, cancel := context.WithTimeout(ctx, set.ackWait)
	defer cancel()
	switch err := s.fold(ctx, event); {
	case errors.Is(err, errHopeless):
		_ = m.Term()
	case err != nil:
		_ = m.NakWithDelay(time.Second)
	default:
		_ = m.Ack()
	}
}

// errHopeless marks what no repetition can mend.
var errHopeless = errors.New("the event does not fit its customer")

// fold takes an event into its customer: in any order, see package session. Of workers that change one customer at once one succeeds, and the
// others begin anew with what it has written.
func (s *stream) fold(ctx context.Context, event webhook.Event) error {
	data, ok := webhook.SessionOf(event)
	if !ok {
		return nil
	}
	key := customerKey(data.CustomerReference)
	for {
		r, revision, err := s.load(ctx, key)
		if err != nil {
			return err
		}
		at, known := slices.BinarySearch(r.Events, event.Common().ID)
		if known {
			return nil
		}
		if err := r.Customer.Apply(event); err != nil {
			return errors.Join(errHopeless, err)
		}
		r.Events = slices.Insert(r.Events, at, event.Common().ID)
		text, err := json.Marshal(r)
		if err != nil {
			return err
		}
		_, err = s.customers.Update(ctx, key, text, revision) // revision 0: the customer is new
		if !errors.Is(err, jetstream.ErrKeyExists) {
			return err
		}
	}
}

// customerKey is a name that a bucket takes, and that tells nobody the reference.
func customerKey(reference string) string {
	digest := sha256.Sum256([]byte(reference))
	return hex.EncodeToString(digest[:])
}

func (s *stream) load(ctx context.Context, key string) (r record, revision uint64, err error) {
	entry, err := s.customers.Get(ctx, key)
	switch {
	case errors.Is(err, jetstream.ErrKeyNotFound):
		return record{}, 0, nil
	case err != nil:
		return record{}, 0, err
	}
	err = json.Unmarshal(entry.Value(), &r)
	return r, entry.Revision(), err
}
