package leaktest

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

var signer = webhooktest.Signer{KeyID: "key", Secret: "secret-of-the-receiver", Path: "/hook"}

func receiver(t *testing.T) *webhook.Receiver {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key))
	require.NoError(t, err)
	return webhook.NewReceiver(v)
}

// TestCallsThatEndEarly: each leaves a server, a connection or a wait behind that has to end with it.
func TestCallsThatEndEarly(t *testing.T) {
	for name, f := range map[string]idvtest.Fault{
		"a slow answer": {Delay: time.Hour}, "half an answer": {BodyDelay: time.Hour}, "a dropped one": {Drop: true},
		"a truncated one": {Truncate: true}, "an error to wait for": {Status: 503, Header: http.Header{"Retry-After": {"50"}}},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			service, c := people(t, 1)
			f.Times = -1
			service.Fail(f)
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			_, err := c.People.Get(ctx, "1")
			require.Error(t, err)
			_, err = c.Candidates.CreateOnce(ctx, &idv.CandidateParams{}, "order-7")
			require.Error(t, err)
			c.CloseIdleConnections()
			service.Close()
		})
	}
}

// TestEnumerationsThatEndEarly: the other requests of a parallel enumeration end with it, whatever ends it.
func TestEnumerationsThatEndEarly(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, s *idvtest.Server, c *idv.Client){
		"an error": func(t *testing.T, s *idvtest.Server, c *idv.Client) {
			s.Fail(idvtest.Fault{Path: "/people", Skip: 4, Times: -1, Status: 400})
			var last error
			for _, last = range c.People.All(t.Context(), nil, idv.Parallel(8)) {
			}
			assert.ErrorIs(t, last, idv.ErrValidation)
		},
		"a limit": func(t *testing.T, _ *idvtest.Server, c *idv.Client) {
			var last error
			for _, last = range c.People.All(t.Context(), nil, idv.Parallel(8), idv.MaxRequests(5)) {
			}
			var limit *idv.LimitError
			assert.ErrorAs(t, last, &limit)
		},
		"a panic": func(t *testing.T, _ *idvtest.Server, c *idv.Client) {
			assert.Panics(t, func() {
				n := 0
				for range c.People.All(t.Context(), nil, idv.Parallel(8)) {
					if n++; n == 30 {
						panic("the caller's")
					}
				}
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer goleak.VerifyNone(t)
			service, c := people(t, 300)
			end(t, service, c)
			c.CloseIdleConnections()
			service.Close()
		})
	}
}

// TestTheReceiver with handlers that fail, panic and wait for a client that has gone, and requests that are refused.
func TestTheReceiver(t *testing.T) {
	defer goleak.VerifyNone(t)
	r := receiver(t)
	webhook.On(r, func(ctx context.Context, e *webhook.StatusUpdated) error {
		switch e.Session.CustomerReference {
		case "fails":
			return errors.New("no")
		case "panics":
			panic("no")
		case "waits":
			<-ctx.Done()
			return ctx.Err()
		}
		return nil
	})
	server := httptest.NewServer(r)
	var group sync.WaitGroup
	for _, reference := range []string{"", "fails", "panics", "waits", "forged", "slow"} {
		group.Go(func() { deliver(t, server, reference) })
	}
	group.Wait()
	server.Close()
}

// deliver sends an event and gives up after a moment.
func deliver(t *testing.T, server *httptest.Server, reference string) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	s := signer
	if reference == "forged" {
		s.Secret = "guessed"
	}
	signed := s.Event(webhooktest.Event{CustomerReference: reference})
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+s.Path, signed.Body)
	if !assert.NoError(t, err) {
		return
	}
	r.Header, r.ContentLength = signed.Header, signed.ContentLength
	if reference == "slow" {
		r.Body, r.ContentLength = http.NoBody, 0
		r.Header.Set("Expect", "100-continue")
	}
	if resp, err := server.Client().Do(r); err == nil {
		_ = resp.Body.Close()
	}
}

// TestTheMiddlewareAndTheHostileRequests of webhooktest.
func TestTheMiddlewareAndTheHostileRequests(t *testing.T) {
	defer goleak.VerifyNone(t)
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	v, err := webhook.NewVerifier(webhook.StaticKeys(key))
	require.NoError(t, err)
	webhooktest.Hostile(t, signer, v.Middleware(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
}

// TestStatesHoldNothing but memory.
func TestStatesHoldNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	var customer session.Customer
	event, err := webhook.ParseEvent(webhooktest.Event{}.Body())
	require.NoError(t, err)
	require.NoError(t, customer.Apply(event))
	store, err := webhook.NewMemoryStore(webhook.MemoryConfig{})
	require.NoError(t, err)
	_, err = store.Claim(t.Context(), webhook.SeenKey{EventID: strings.Repeat("x", 9)}, [32]byte{})
	require.NoError(t, err)
}
