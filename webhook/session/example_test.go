package session_test

import (
	"encoding/json"
	"fmt"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
)

// The status update overtakes a step update: the state is the same as in order.
func ExampleState() {
	const early = `{"id":"whkevt_1","timestamp":"2026-03-01T12:00:00Z","event":"flow_session.step.updated","environment":"live",
		"data":{"object":"flow_session","id":"flwses_1","status":"active","step":"kyc_check","customer_reference":"c-42"}}`
	const late = `{"id":"whkevt_2","timestamp":"2026-03-01T12:00:09Z","event":"flow_session.status.updated","environment":"live",
		"data":{"object":"flow_session","id":"flwses_1","status":"success","step":null,"customer_reference":"c-42"}}`

	var state session.State
	for _, body := range []string{late, early, late} {
		event, err := webhook.ParseEvent([]byte(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		if err := state.Apply(event); err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Println(state)
	fmt.Println("last step:", state.LastStep())
	// Output:
	// session flwses_1 success
	// last step: kyc_check
}

// A customer fails, retries and succeeds. What is known is kept in a database between the events.
func ExampleCustomer() {
	events := []string{
		`{"id":"whkevt_4","timestamp":"2026-03-01T12:09:00Z","event":"flow_session.status.updated","environment":"live",
			"data":{"object":"flow_session","id":"flwses_2","status":"success","step":null,"customer_reference":"c-42"}}`,
		`{"id":"whkevt_1","timestamp":"2026-03-01T12:00:00Z","event":"flow_session.status.updated","environment":"live",
			"data":{"object":"flow_session","id":"flwses_1","status":"failed","step":null,"customer_reference":"c-42"}}`,
		`{"id":"whkevt_3","timestamp":"2026-03-01T12:05:00Z","event":"flow_session.retried","environment":"live",
			"data":{"object":"flow_session","id":"flwses_2","status":"active","step":"accept_tos","customer_reference":"c-42"}}`,
	}
	database := []byte("null")
	for _, body := range events {
		event, err := webhook.ParseEvent([]byte(body))
		if err != nil {
			fmt.Println(err)
			return
		}
		var customer session.Customer
		if err := json.Unmarshal(database, &customer); err != nil {
			fmt.Println(err)
			return
		}
		if err := customer.Apply(event); err != nil {
			fmt.Println(err)
			return
		}
		database, _ = json.Marshal(customer)

		current, _ := customer.Current()
		_, fetch := customer.NeedsFetch()
		fmt.Println(current, "- look it up:", fetch)
	}
	// Output:
	// session flwses_2 success - look it up: false
	// session flwses_2 success - look it up: false
	// session flwses_2 success - look it up: false
}
