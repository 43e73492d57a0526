package idvtest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/idv/idvtest"
	"example.com/idv/webhook"
)

// A receiver is tested against the service: sessions are played, and the receiver sees what their events would be. It
// verifies with the service's credential and by the service's clock.
func ExampleServer_StartSession() {
	s := idvtest.NewServer()
	defer s.Close()

	receiver := httptest.NewServer(newReceiverOf(s))
	defer receiver.Close()
	if _, err := s.Dashboard().CreateWebhook(receiver.URL + "/webhooks/flow"); err != nil {
		fmt.Println(err)
		return
	}

	session := s.StartSession("customer-7")
	_ = session.EnterStep(idvtest.StepSelfieCheck)
	_ = session.Finish(idvtest.StatusFailed)
	again, _ := session.Retry()
	_ = again.Finish(idvtest.StatusSuccess)

	for _, d := range s.Dashboard().Deliveries() {
		fmt.Println(d.Kind, d.Status)
	}
	// Output:
	// customer-7: active accept_tos
	// customer-7: active selfie_check
	// customer-7: failed
	// customer-7: active accept_tos
	// customer-7: success
	// flow_session.step.updated 200
	// flow_session.step.updated 200
	// flow_session.status.updated 200
	// flow_session.retried 200
	// flow_session.status.updated 200
}

// newReceiverOf is the user's own code: a handler behind the verifier's middleware.
func newReceiverOf(s *idvtest.Server) http.Handler {
	key, err := webhook.NewSigningKey(s.WebhookKeyID, s.WebhookSecret)
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithClock(s.Clock.Now))
	if err != nil {
		panic(err)
	}
	return verifier.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		delivery, _ := webhook.FromContext(r.Context())
		var event struct {
			Data struct {
				Status, Step string
				Customer     string `json:"customer_reference"`
			}
		}
		_ = json.Unmarshal(delivery.Body, &event)
		line := event.Data.Customer + ": " + event.Data.Status
		if event.Data.Step != "" {
			line += " " + event.Data.Step
		}
		fmt.Println(line)
	}))
}

// Four days of a receiver that fails take milliseconds: the redeliveries, the warning and the end.
func ExampleClock_Advance() {
	s := idvtest.NewServer()
	defer s.Close()

	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
	}))
	defer broken.Close()
	if _, err := s.Dashboard().CreateWebhook(broken.URL, idvtest.KindStepUpdated); err != nil {
		fmt.Println(err)
		return
	}

	began := s.Clock.Now()
	s.StartSession("customer-7")
	s.Clock.Advance(96 * time.Hour)

	for _, d := range s.Dashboard().Deliveries() {
		fmt.Println("attempt", d.Attempt, "after", d.Time.Sub(began).Round(time.Minute))
	}
	for _, mail := range s.Dashboard().Mails() {
		fmt.Println(mail.Subject, "after", mail.Time.Sub(began))
	}
	fmt.Println("enabled:", s.Dashboard().Webhooks()[0].Enabled)
	// Output:
	// attempt 1 after 0s
	// attempt 2 after 5m0s
	// attempt 3 after 21m0s
	// attempt 4 after 1h9m0s
	// attempt 5 after 3h31m0s
	// attempt 6 after 10h38m0s
	// attempt 7 after 31h58m0s
	// attempt 8 after 96h0m0s
	// Your webhook seems not to work after 72h0m0s
	// enabled: false
}

// The contract promises no order, so a receiver is tested with the orders it may meet; a seed repeats one of them.
func ExampleWithShuffledDeliveries() {
	s := idvtest.NewServer(idvtest.WithShuffledDeliveries(4), idvtest.WithDuplicatedDeliveries(4))
	defer s.Close()

	receiver := httptest.NewServer(newReceiverOf(s))
	defer receiver.Close()
	if _, err := s.Dashboard().CreateWebhook(receiver.URL); err != nil {
		fmt.Println(err)
		return
	}

	session := s.StartSession("customer-7")
	_ = session.EnterStep(idvtest.StepVerifySMS)
	_ = session.Finish(idvtest.StatusSuccess)
	s.Clock.Advance(0) // the events wait for the clock
	// Output:
	// customer-7: success
	// customer-7: active accept_tos
	// customer-7: active verify_sms
	// customer-7: active accept_tos
}
