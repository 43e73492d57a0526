package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
)

// A receiver as a program mounts it. The key id and the secret stand in the service's dashboard.
func ExampleReceiver() {
	key, err := webhook.NewSigningKey(os.Getenv("IDV_WEBHOOK_KEY_ID"), os.Getenv("IDV_WEBHOOK_SECRET"))
	if err != nil {
		slog.Error("no signing key", "error", err)
		return
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key), webhook.WithEnvironments(webhook.EnvironmentLive))
	if err != nil {
		slog.Error("no verifier", "error", err)
		return
	}
	receiver := webhook.NewReceiver(verifier,
		webhook.WithLogger(slog.Default()),
		webhook.WithDeadLetter(func(ctx context.Context, e webhook.Event, err error) error {
			slog.ErrorContext(ctx, "given up", "event", e, "error", err)
			return nil
		}))
	webhook.On(receiver, func(ctx context.Context, e *webhook.StatusUpdated) error {
		if e.Session.Status == webhook.StatusSuccess {
			return approve(ctx, e.Session.CustomerReference)
		}
		return nil
	})
	mux := http.NewServeMux()
	mux.Handle("POST /hooks/flow", receiver)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		if h := receiver.Health(); h.Failing() {
			http.Error(w, "the webhook will be disabled at "+h.DisabledAt.String(), http.StatusServiceUnavailable)
		}
	})
}

func approve(context.Context, string) error { return nil }

// The state of a customer is folded from every event, in whatever order they come; a repeated delivery runs no handler.
func ExampleOn() {
	signer := webhooktest.Signer{KeyID: "test_key_1", Secret: "the secret of the account", Path: "/hooks/flow"}
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	if err != nil {
		fmt.Println(err)
		return
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		fmt.Println(err)
		return
	}
	receiver := webhook.NewReceiver(verifier)
	var customer session.Customer
	receiver.OnAny(func(_ context.Context, e webhook.Event) error { return customer.Apply(e) })
	webhook.On(receiver, func(_ context.Context, e *webhook.StatusUpdated) error {
		fmt.Println("handled:", e.Session.ID, e.Session.Status)
		return nil
	})

	done := webhooktest.Event{ID: "whkevt_2", SessionID: "flwses_1", CustomerReference: "c-42", Status: "success"}.Body()
	step := webhooktest.Event{ID: "whkevt_1", SessionID: "flwses_1", CustomerReference: "c-42", Step: "kyc_check"}.Body()
	for _, body := range [][]byte{done, step, done} {
		w := httptest.NewRecorder()
		receiver.ServeHTTP(w, signer.Request(body))
		fmt.Println("answered:", w.Code)
	}
	current, _ := customer.Current()
	fmt.Println("state:", current)
	// Output:
	// handled: flwses_1 success
	// answered: 200
	// answered: 200
	// answered: 200
	// state: session flwses_1 success
}

// A handler tells an error that a redelivery may mend from one that it cannot.
func ExamplePermanent() {
	errUnknownCustomer := errors.New("no customer has this reference")
	handler := func(ctx context.Context, e *webhook.StatusUpdated) error {
		err := approve(ctx, e.Session.CustomerReference)
		if errors.Is(err, errUnknownCustomer) {
			return webhook.Permanent(err) // answered 200 and handed to the dead-letter hook
		}
		return err // answered 500, and delivered again
	}
	fmt.Println(handler(context.Background(), &webhook.StatusUpdated{}))
	// Output: <nil>
}
