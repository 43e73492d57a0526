package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// A receiver is mounted at one exact path: below a subtree pattern ("/hooks/") it would get requests for paths that nobody registered.
func ExampleVerifier_Middleware() {
	key, err := webhook.NewSigningKey("test_key_1", "test_secret_1")
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key),
		webhook.WithRefusalHook(func(_ context.Context, err error) { fmt.Println("refused:", err) }))
	if err != nil {
		panic(err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /hooks/flow", verifier.Middleware(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		delivery, _ := webhook.FromContext(r.Context())
		fmt.Println("verified:", string(delivery.Body))
	})))

	signer := webhooktest.Signer{KeyID: "test_key_1", Secret: "test_secret_1", Path: "/hooks/flow"}
	mux.ServeHTTP(httptest.NewRecorder(), signer.Request([]byte(`{"id":"whkevt_1"}`)))
	signer.Secret = "guessed"
	mux.ServeHTTP(httptest.NewRecorder(), signer.Request([]byte(`{"id":"whkevt_2"}`)))
	// Output:
	// verified: {"id":"whkevt_1"}
	// refused: webhook: the signature does not match: wrong secret, another path than the one signed, or forged
}

// A message that waited in a queue is verified as of its arrival.
func ExampleVerifier_VerifyMessage() {
	key, err := webhook.NewSigningKey("live_key_deadbeefcafedeadbeefcafedeadbeef",
		"live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234")
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(key))
	if err != nil {
		panic(err)
	}
	message := webhook.Message{
		Method: "POST",
		Path:   "/webhook_receivers/flow",
		Date:   "Sat, 23 Jan 2021 21:43:14 GMT",
		Digest: "SHA-256=xZI8wiAi5crBdZt7l10plN7Q8bScB6r/OV5PjxjKtTw=",
		Authorization: `Signature keyId="live_key_deadbeefcafedeadbeefcafedeadbeef",algorithm="hmac-sha256",` +
			`headers="(request-target) date digest",signature="PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8="`,
		Body: []byte(sampleBody),
		At:   time.Date(2021, time.January, 23, 21, 43, 20, 0, time.UTC),
	}
	fmt.Println(verifier.VerifyMessage(context.Background(), message))

	message.At = message.At.Add(time.Hour)
	err = verifier.VerifyMessage(context.Background(), message)
	fmt.Println(errors.Is(err, webhook.ErrTimestamp), webhook.StatusCode(err))
	// Output:
	// <nil>
	// true 401
}

// tenants finds the keys of many accounts, as a database would.
type tenants map[string]*webhook.SigningKey

func (t tenants) Keys(_ context.Context, keyID string) ([]*webhook.SigningKey, error) {
	key, ok := t[keyID]
	if !ok {
		return nil, webhook.ErrUnknownKey
	}
	return []*webhook.SigningKey{key}, nil
}

func ExampleKeySource() {
	key, err := webhook.NewSigningKey("tenant_1", "secret_of_tenant_1")
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(tenants{"tenant_1": key})
	if err != nil {
		panic(err)
	}
	for _, signer := range []webhooktest.Signer{
		{KeyID: "tenant_1", Secret: "secret_of_tenant_1"},
		{KeyID: "tenant_2", Secret: "secret_of_tenant_2"},
	} {
		_, err := verifier.Verify(signer.Event(webhooktest.Event{}))
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// webhook: no signing key of this key id is known
}

// During a rotation both keys are listed, the new one first. When the service has stopped using the old one, it is taken out.
func ExampleStaticKeys() {
	newer, err := webhook.NewSigningKey("live_key_2", "secret_2")
	if err != nil {
		panic(err)
	}
	older, err := webhook.NewSigningKey("live_key_1", "secret_1")
	if err != nil {
		panic(err)
	}
	verifier, err := webhook.NewVerifier(webhook.StaticKeys(newer, older))
	if err != nil {
		panic(err)
	}
	for _, signer := range []webhooktest.Signer{{KeyID: "live_key_2", Secret: "secret_2"}, {KeyID: "live_key_1", Secret: "secret_1"}} {
		delivery, err := verifier.Verify(signer.Event(webhooktest.Event{}))
		fmt.Println(delivery.KeyID, err)
	}
	// Output:
	// live_key_2 <nil>
	// live_key_1 <nil>
}
