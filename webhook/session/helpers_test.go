package session_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"github.com/stretchr/testify/require"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

const customer = "cafecafe"

// step, ended and retried are events of a session, seconds after noon.

func step(id string, seconds int, at webhook.Step) webhook.Event {
	return &webhook.StepUpdated{
		Envelope: envelope(webhook.KindStepUpdated, seconds),
		Session:  webhook.Session{Object: "flow_session", ID: id, CustomerReference: customer, Status: webhook.StatusActive, Step: at},
	}
}

func ended(id string, seconds int, as webhook.Status) webhook.Event {
	return &webhook.StatusUpdated{
		Envelope: envelope(webhook.KindStatusUpdated, seconds),
		Session:  webhook.Session{Object: "flow_session", ID: id, CustomerReference: customer, Status: as},
	}
}

func retried(id string, seconds int) webhook.Event {
	return &webhook.Retried{
		Envelope: envelope(webhook.KindRetried, seconds),
		Session: webhook.Session{Object: "flow_session", ID: id, CustomerReference: customer,
			Status: webhook.StatusActive, Step: webhook.StepAcceptTOS},
	}
}

func envelope(kind webhook.Kind, seconds int) webhook.Envelope {
	at := noon.Add(time.Duration(seconds) * time.Second)
	return webhook.Envelope{ID: "whkevt_" + at.Format("150405") + string(kind), Kind: kind, Timestamp: at, Environment: webhook.EnvironmentLive}
}

func undated(e webhook.Event) webhook.Event {
	e.Common().Timestamp = time.Time{}
	return e
}

func fold(t testing.TB, events ...webhook.Event) session.State {
	t.Helper()
	var s session.State
	for _, e := range events {
		require.NoError(t, s.Apply(e))
	}
	return s
}

func foldCustomer(t testing.TB, events ...webhook.Event) session.Customer {
	t.Helper()
	var c session.Customer
	for _, e := range events {
		require.NoError(t, c.Apply(e))
	}
	return c
}

// stored is s after a stay in a database.
func stored[S any](t testing.TB, s S) S {
	t.Helper()
	data, err := json.Marshal(s)
	require.NoError(t, err)
	var back S
	require.NoError(t, json.Unmarshal(data, &back))
	return back
}

// eachOrder calls f with every order of the events.
func eachOrder(events []webhook.Event, f func([]webhook.Event)) int {
	n := 0
	var permute func(k int)
	permute = func(k int) {
		if k == len(events) {
			n++
			f(events)
			return
		}
		for i := k; i < len(events); i++ {
			events[k], events[i] = events[i], events[k]
			permute(k + 1)
			events[k], events[i] = events[i], events[k]
		}
	}
	permute(0)
	return n
}

// anyEvents draws events of few sessions, dates and values, so that they collide often.
func anyEvents(r *rand.Rand, n int, ids ...string) []webhook.Event {
	steps := []webhook.Step{"", webhook.StepAcceptTOS, webhook.StepKYCCheck, webhook.StepScreening, "iris_scan", "dna"}
	statuses := []webhook.Status{
		webhook.StatusSuccess, webhook.StatusFailed, webhook.StatusExpired, webhook.StatusCanceled,
		webhook.StatusPendingReview, "on_hold", "reopened", "", webhook.StatusActive,
	}
	events := make([]webhook.Event, n)
	for i := range events {
		id, seconds := pick(r, ids), r.IntN(4)
		switch r.IntN(4) {
		case 0:
			events[i] = retried(id, seconds)
		case 1:
			events[i] = step(id, seconds, pick(r, steps))
		default:
			events[i] = ended(id, seconds, pick(r, statuses))
		}
		if r.IntN(10) == 0 {
			undated(events[i])
		}
	}
	return events
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func shuffled(r *rand.Rand, events []webhook.Event) []webhook.Event {
	order := r.Perm(len(events))
	out := make([]webhook.Event, len(events))
	for i, j := range order {
		out[i] = events[j]
	}
	return out
}
