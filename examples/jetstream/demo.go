package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// startServer starts a server on a free port of loopback, which has its writes on the disk before it acknowledges them.
func startServer(dir string) (*server.Server, error) {
	s, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: dir, SyncAlways: true, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, err
	}
	go s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the NATS server did not start")
	}
	return s, nil
}

// demo delivers the events of three customers, each event twice and the last first, and prints what is known of the customers then.
func demo(ctx context.Context, set settings, out io.Writer) error {
	dir, err := os.MkdirTemp("", "idv-jetstream-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	node, err := startServer(dir)
	if err != nil {
		return err
	}
	defer node.WaitForShutdown()
	defer node.Shutdown()
	conn, err := nats.Connect(node.ClientURL())
	if err != nil {
		return err
	}
	defer conn.Close()
	s, err := openStream(ctx, conn)
	if err != nil {
		return err
	}
	stop, err := s.startWorkers(ctx, set)
	if err != nil {
		return err
	}
	defer stop()
	return play(ctx, s, out)
}

func play(ctx context.Context, s *stream, out io.Writer) error {
	signer := webhooktest.Signer{KeyID: "demo_key", Secret: "demo_secret_" + rand.Text(), Path: receiverPath}
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	if err != nil {
		return err
	}
	receiver, err := newReceiver(s, key)
	if err != nil {
		return err
	}
	bodies, answers := lives(3), map[int]int{}
	for i := range 2 * len(bodies) {
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, signer.Request(bodies[len(bodies)-1-i%len(bodies)]).WithContext(ctx))
		answers[w.Code]++
	}
	fmt.Fprintf(out, "%d events, deliveries by answer: %v\n", len(bodies), answers)
	for c := range 3 {
		r, err := s.await(ctx, customerKey(reference(c)), perCustomer)
		if err != nil {
			return err
		}
		current, _ := r.Customer.Current()
		fmt.Fprintf(out, "%s: %d events, %v\n", reference(c), len(r.Events), current)
	}
	return nil
}

// await returns a customer once it has so many events.
func (s *stream) await(ctx context.Context, key string, events int) (record, error) {
	for {
		r, _, err := s.load(ctx, key)
		if err != nil || len(r.Events) == events {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

const perCustomer = 6 // events of each of lives

func reference(customer int) string { return fmt.Sprintf("customer-%d", customer) }

// lives are the events of customers, each with three steps, a failure, a retry and a success.
func lives(customers int) (bodies [][]byte) {
	began := time.Now().Add(-time.Hour)
	for c := range customers {
		first, second := fmt.Sprintf("flwses_%d_a", c), fmt.Sprintf("flwses_%d_b", c)
		for i, e := range []webhooktest.Event{
			{SessionID: first, Step: "accept_tos"}, {SessionID: first, Step: "verify_sms"}, {SessionID: first, Step: "kyc_check"},
			{SessionID: first, Status: "failed"}, {SessionID: second, Kind: "flow_session.retried"}, {SessionID: second, Status: "success"},
		} {
			e.ID, e.Timestamp = fmt.Sprintf("whkevt_%d_%d", c, i), began.Add(time.Duration(i)*time.Minute)
			e.CustomerReference = reference(c)
			bodies = append(bodies, e.Body())
		}
	}
	return bodies
}
