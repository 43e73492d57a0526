package webhook

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// SeenStore remembers which events were handled, so that an event runs its handlers once however often it is
// delivered. A [Receiver] claims an event before its handlers run, commits it when they have succeeded and releases it
// when they have failed. Several processes that serve one webhook share one store; package seentest is the suite that
// an implementation must pass.
//
// A claim holds for a lease (a minute is a good value: [DefaultLease]), so that the death of a process does not keep
// an event from being handled. A committed event is remembered for longer than the service redelivers, which is about
// 4 days ([DefaultRetention]: 7).
//
// All methods are called concurrently, honour their context and return an error where the store cannot tell. After an
// error of Claim the receiver answers 503, or runs the handlers unguarded: see [WithFailOpen].
type SeenStore interface {
	// Claim asks for the right to handle the event of key, whose body has this SHA-256. One of several concurrent calls
	// at most gets [Claimed].
	Claim(ctx context.Context, key SeenKey, body [sha256.Size]byte) (Claim, error)
	// Commit marks the event as done. It returns [ErrClaimLost] where token is no longer the one of the event's latest
	// claim: the lease has run out and another worker has taken over. A lease that has run out without that is still
	// good. Repeating a commit that succeeded succeeds: a receiver does so where the store gave another error.
	Commit(ctx context.Context, key SeenKey, token uint64) error
	// Release gives the claim up, so that the next delivery can be claimed at once. It returns [ErrClaimLost] and
	// changes nothing where token is no longer the one of the event's latest claim or the event is done.
	Release(ctx context.Context, key SeenKey, token uint64) error
}

// SeenKey identifies an event. Two events with one id from two accounts or two environments are two events.
type SeenKey struct {
	Environment Environment
	KeyID       string
	EventID     string
}

// Digest returns the SHA-256 of the key's three parts, each preceded by its length as eight bytes, big-endian. Stores that keep
// events outside of this process name them by it: it has one size, differs wherever the keys differ, and shows the key id,
// which is an API key, to nobody who reads the store, its backups or its logs.
func (k SeenKey) Digest() [sha256.Size]byte {
	joined := make([]byte, 0, 128)
	for _, part := range [...]string{string(k.Environment), k.KeyID, k.EventID} {
		joined = binary.BigEndian.AppendUint64(joined, uint64(len(part)))
		joined = append(joined, part...)
	}
	return sha256.Sum256(joined)
}

// Format writes all but the key id, whatever the verb. A store that needs one name for a key has its Digest.
func (k SeenKey) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.LogValue().String()) }

// LogValue gives all but the key id.
func (k SeenKey) LogValue() slog.Value {
	return slog.GroupValue(slog.String("environment", string(k.Environment)), slog.String("event_id", k.EventID))
}

// Claim is the answer of a [SeenStore].
type Claim struct {
	Outcome ClaimOutcome
	// Token is the fencing token of a claim: greater than that of every earlier claim of the same event, those that
	// were released included. 0 where nothing was claimed.
	Token uint64
}

// ClaimOutcome says what a [SeenStore] knows about an event.
type ClaimOutcome int

// The outcomes of a claim. Conflict takes precedence over InFlight and Done: the event's id is known with another body.
// Only the sender, or a thief of its secret, can bring that about. A claim that was released, or whose lease has run
// out, is no conflict for another body.
const (
	// Claimed: the event is the caller's to handle until the lease runs out.
	Claimed ClaimOutcome = iota + 1
	// InFlight: another delivery of the event is being handled.
	InFlight
	// Done: the event was handled.
	Done
	// Conflict: the event was or is being handled with another body.
	Conflict
)

// String returns the outcome's name.
func (o ClaimOutcome) String() string {
	switch o {
	case Claimed:
		return "claimed"
	case InFlight:
		return "in flight"
	case Done:
		return "done"
	case Conflict:
		return "conflict"
	}
	return "unknown outcome"
}

var (
	// ErrClaimLost is returned by Commit and Release where the claim is no longer the event's latest: the handler has
	// outlived its lease and another worker has taken over, or the claim has ended before.
	ErrClaimLost = errors.New("webhook: the claim is lost: its lease ran out and the event was claimed again, or it has ended before")
	// ErrStoreFull is returned by [MemoryStore.Claim] where every place is held by an event that is being handled.
	ErrStoreFull = errors.New("webhook: the memory store is full of events that are being handled: raise its capacity")
)
