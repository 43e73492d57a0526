package flow_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"example.com/idv"
	"example.com/idv/flow"
	"example.com/idv/idvtest"
)

// service is a test service with a session of customer c-42, and a client for it.
func service() (*idvtest.Server, *flow.Client, *idvtest.Session) {
	s := idvtest.NewServer(idvtest.WithWallClock())
	c, err := flow.New(s.URL, s.WebhookKeyID, s.WebhookSecret)
	if err != nil {
		panic(err)
	}
	return s, c, s.StartSession("c-42")
}

// The page gets the signature beside the reference; the secret stays on the server.
func ExampleSignCustomerReference() {
	const secret = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
	fmt.Println(flow.SignCustomerReference(secret, "3a409367-a417-4d46-9a92-3d7bc5dc4605"))
	// Output: yw0hqBPOIWcHPFZBsaMPnxktOrWwWkZcWP+TneV5D48=
}

func ExampleNew() {
	_, err := flow.New("http://flow.example.com", "live_key_1", "live_secret_1")
	fmt.Println(err)
	// Output: idv: baseURL is http; personal data goes over https only, except to localhost and loopback addresses
}

// What a receiver does when the events alone cannot tell a session's state.
func ExampleSessionsService_Get() {
	s, client, session := service()
	defer s.Close()
	got, err := client.Sessions.Get(context.Background(), session.ID)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(got.CustomerReference, got.Status, got.CurrentStep())
	_, err = client.Sessions.Get(context.Background(), "flwses_unknown")
	fmt.Println(errors.Is(err, idv.ErrNotFound))
	// Output:
	// c-42 active accept_tos
	// true
}

// An idempotent Create is safe to repeat: the customer has one session of the template.
func ExampleSessionsService_Create() {
	s, client, _ := service()
	defer s.Close()
	params := &flow.SessionParams{
		TemplateID: idvtest.FlowTemplate,
		User:       flow.UserParams{CustomerReference: "c-43", Email: "john@example.com"},
		Shareable:  true,
		Idempotent: true,
	}
	first, err := client.Sessions.Create(context.Background(), params)
	if err != nil {
		fmt.Println(err)
		return
	}
	again, err := client.Sessions.Create(context.Background(), params)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(first.ID == again.ID, *first.ShareableURL == "https://verify.example.com/"+first.ID)
	// Output: true true
}

func ExampleSessionsService_Retry() {
	s, client, session := service()
	defer s.Close()
	next, err := client.Sessions.Retry(context.Background(), &flow.RetryParams{
		CustomerReference: "c-42", TemplateID: idvtest.FlowTemplate, Strategy: flow.StrategyReset,
	})
	var uncertain *idv.UncertainError
	switch {
	case errors.As(err, &uncertain): // it was sent; the flow_session.retried event tells whether it ran
		return
	case err != nil:
		fmt.Println(err)
		return
	}
	fmt.Println(next.Status, *next.PreviousSessionID == session.ID)
	// Output: active true
}

// Whatever Sessions does not cover is signed by the same rules.
func ExampleClient_Call() {
	s, client, session := service()
	defer s.Close()
	var got flow.Session
	err := client.Call(context.Background(), "GET", "/flow_sessions/"+session.ID, nil, nil, &got)
	fmt.Println(got.Status, err)
	// Output: active <nil>
}

// A client for a machine whose clock is wrong, as measured elsewhere.
func ExampleNew_clock() {
	offset := 20 * time.Minute
	client, err := flow.New("https://flow.example.com", "live_key_1", "live_secret_1",
		idv.WithClock(func() time.Time { return time.Now().Add(offset) }))
	fmt.Println(client, err)
	// Output: flow.Client <nil>
}
