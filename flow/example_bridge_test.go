package flow_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"example.com/idv/flow"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
)

// fetched is what package session wants to know of a look-up.
func fetched(s *flow.Session) session.Fetched {
	f := session.Fetched{
		ID: s.ID, At: s.AsOf(), Status: webhook.Status(s.Status), Step: webhook.Step(s.CurrentStep()),
		CreatedAt: s.CreatedAt.Time, CustomerReference: s.CustomerReference,
	}
	if s.PreviousSessionID != nil {
		f.PreviousSessionID = *s.PreviousSessionID
	}
	return f
}

// From the webhooks to the look-up and back: two events contradict each other, and the service says which is true.
func Example() {
	s := idvtest.NewServer(idvtest.WithWallClock())
	defer s.Close()
	client, err := flow.New(s.URL, s.WebhookKeyID, s.WebhookSecret)
	if err != nil {
		log.Fatal(err)
	}
	theirs := s.StartSession("c-42")
	if err := theirs.Finish("failed"); err != nil {
		log.Fatal(err)
	}

	var state session.State
	for _, status := range []string{"success", "failed"} {
		event, err := webhook.ParseEvent(webhooktest.Event{SessionID: theirs.ID, CustomerReference: "c-42", Status: status, Timestamp: time.Now()}.Body())
		if err != nil {
			log.Fatal(err)
		}
		if err := state.Apply(event); err != nil {
			log.Fatal(err)
		}
	}
	if why, fetch := state.NeedsFetch(); fetch {
		fmt.Println("look it up:", why)
		got, err := client.Sessions.Get(context.Background(), state.ID())
		if err != nil {
			log.Fatal(err)
		}
		if err := state.Resolve(fetched(got)); err != nil {
			log.Fatal(err)
		}
	}
	_, fetch := state.NeedsFetch()
	fmt.Println(state.Status(), state.Settled(), fetch)
	// Output:
	// look it up: contradiction
	// failed true false
}
