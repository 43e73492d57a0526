package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"example.com/idv/webhook"
)

const (
	streamName   = "FLOW_EVENTS"
	bucketName   = "CUSTOMERS"
	consumerName = "worker"
	subjects     = "flow.event."
)

// stream holds the events for 7 days, handled or not, each under a subject of its own: the stream is the set of the seen events as well.
type stream struct {
	js        jetstream.JetStream
	events    jetstream.Stream
	customers jetstream.KeyValue
}

// openStream creates the stream and the bucket of the customers where they do not exist.
func openStream(ctx context.Context, conn *nats.Conn) (*stream, error) {
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	events, err := js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: streamName, Subjects: []string{subjects + "*"}, MaxAge: webhook.DefaultRetention,
	})
	if err != nil {
		return nil, fmt.Errorf("the stream: %w", err)
	}
	customers, err := js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucketName})
	if err != nil {
		return nil, fmt.Errorf("the customers: %w", err)
	}
	return &stream{js, events, customers}, nil
}

var errConflict = errors.New("the id of the event has come with another body")

// add appends an event, unless it is in the stream, and returns once the server has it. The subject is the digest of its key:
// subjects are in logs and metrics, and the key id is an API key.
func (s *stream) add(ctx context.Context, key webhook.SeenKey, body []byte) error {
	digest := key.Digest()
	subject := subjects + hex.EncodeToString(digest[:])
	_, err := s.js.Publish(ctx, subject, body, jetstream.WithExpectLastSequencePerSubject(0))
	var refused *jetstream.APIError
	if !errors.As(err, &refused) || refused.ErrorCode != jetstream.JSErrCodeStreamWrongLastSequence {
		return err
	}
	before, err := s.events.GetLastMsgForSubject(ctx, subject)
	if err == nil && !bytes.Equal(before.Data, body) {
		return errConflict
	}
	return err
}
