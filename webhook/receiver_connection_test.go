package webhook_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// dial delivers a body over a connection of its own, whose other side the caller may close.
func dial(t *testing.T, server *httptest.Server, body []byte) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, signer.Request(body).Write(conn))
	return conn
}

func status(t *testing.T, conn net.Conn) int {
	t.Helper()
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	if answer.StatusCode == http.StatusOK {
		assert.Empty(t, body)
		assert.Equal(t, "0", answer.Header.Get("Content-Length"))
	}
	return answer.StatusCode
}

func TestF72TheServiceHangsUpDuringTheHandler(t *testing.T) {
	t.Parallel()
	t.Run("F72 the context is cancelled and the claim released", func(t *testing.T) {
		t.Parallel()
		entered, released := make(chan struct{}, 2), make(chan webhook.Observation, 2)
		r := webhook.NewReceiver(newVerifier(t), webhook.WithObserver(func(_ context.Context, o webhook.Observation) { released <- o }))
		hangUp := true
		r.OnAny(func(ctx context.Context, _ webhook.Event) error {
			entered <- struct{}{}
			if !hangUp {
				return nil
			}
			<-ctx.Done()
			return ctx.Err()
		})
		server := httptest.NewServer(r)
		defer server.Close()
		conn := dial(t, server, succeeded)
		<-entered
		require.NoError(t, conn.Close())
		o := <-released
		assert.Equal(t, webhook.OutcomeFailed, o.Outcome)
		require.NoError(t, o.StoreErr)

		hangUp = false
		assert.Equal(t, 200, status(t, dial(t, server, succeeded)), "the redelivery runs at once")
		assert.Equal(t, webhook.OutcomeHandled, (<-released).Outcome)
	})
	t.Run("F72 the work is done before the service hangs up: it is committed", func(t *testing.T) {
		t.Parallel()
		var conn net.Conn
		dialled, observed := make(chan struct{}), make(chan webhook.Observation, 1)
		r := webhook.NewReceiver(newVerifier(t), webhook.WithObserver(func(_ context.Context, o webhook.Observation) { observed <- o }))
		r.OnAny(func(ctx context.Context, _ webhook.Event) error {
			<-dialled
			_ = conn.Close()
			<-ctx.Done()
			return nil
		})
		server := httptest.NewServer(r)
		defer server.Close()
		conn = dial(t, server, succeeded)
		close(dialled)
		o := <-observed
		assert.Equal(t, webhook.OutcomeHandled, o.Outcome)
		assert.NoError(t, o.StoreErr, "the commit does not depend on the connection")
	})
	t.Run("F72 WithFinishOnDisconnect keeps the claim until the handler ends", func(t *testing.T) {
		t.Parallel()
		entered, proceed, observed := make(chan error, 1), make(chan struct{}), make(chan webhook.Observation, 4)
		r := webhook.NewReceiver(newVerifier(t), webhook.WithFinishOnDisconnect(),
			webhook.WithObserver(func(_ context.Context, o webhook.Observation) { observed <- o }))
		r.OnAny(func(ctx context.Context, _ webhook.Event) error {
			_, verified := webhook.FromContext(ctx)
			assert.True(t, verified, "what the context carries is kept")
			entered <- ctx.Err()
			<-proceed
			return ctx.Err()
		})
		noticed := make(chan struct{}, 4)
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			context.AfterFunc(req.Context(), func() { noticed <- struct{}{} })
			r.ServeHTTP(w, req)
		}))
		defer server.Close()
		conn := dial(t, server, succeeded)
		require.NoError(t, <-entered)
		require.NoError(t, conn.Close())
		<-noticed
		assert.Equal(t, 503, status(t, dial(t, server, succeeded)), "a redelivery while it runs")
		assert.Equal(t, webhook.OutcomeInFlight, (<-observed).Outcome)
		close(proceed)
		assert.Equal(t, webhook.OutcomeHandled, (<-observed).Outcome)
		assert.Equal(t, 200, status(t, dial(t, server, succeeded)))
		assert.Equal(t, webhook.OutcomeDuplicate, (<-observed).Outcome)
	})
}

// F66, F67: many deliveries at once, good, forged, duplicate and failing ones, over one Receiver; what a handler keeps of an
// event stays as it was.
func TestReceiverInParallel(t *testing.T) {
	t.Parallel()
	const workers, each = 64, 12
	r := receive(t)
	var mu sync.Mutex
	runs, kept, bodies := map[string]int{}, map[string]webhook.Event{}, map[string][]byte{}
	webhook.On(r.Receiver, func(_ context.Context, e *webhook.StatusUpdated) error {
		mu.Lock()
		defer mu.Unlock()
		runs[e.ID]++
		kept[e.ID] = e
		return nil
	})
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for i := range each {
				shared := fmt.Sprintf("whkevt_%d_%d", w/4, i) // four workers deliver the same events
				body := webhooktest.Event{ID: shared, SessionID: "flwses_1", CustomerReference: shared, Timestamp: sentAt}.Body()
				mu.Lock()
				bodies[shared] = bytes.Clone(body)
				mu.Unlock()
				assert.Contains(t, []int{200, 503}, r.gets(body))
				forged := signer.Request(body)
				forged.Header.Set("Date", forged.Header.Get("Date")+" ")
				assert.Equal(t, 401, r.getsRequest(forged))
				for j := range body {
					body[j] = '#'
				}
				r.Health()
			}
		})
	}
	all.Wait()
	assert.Len(t, runs, workers/4*each)
	for id, n := range runs {
		assert.Equal(t, 1, n, id)
		assert.Equal(t, string(bodies[id]), string(kept[id].Common().Raw))
		assert.Equal(t, id, kept[id].(*webhook.StatusUpdated).Session.CustomerReference)
	}
}

func TestHandlersMayBeRegisteredWhileServing(t *testing.T) {
	t.Parallel()
	r := receive(t)
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() { counted(r) })
		all.Go(func() { r.getsEvent(webhooktest.Event{}) })
	}
	all.Wait()
	runs := counted(r)
	assert.Equal(t, 200, r.getsEvent(webhooktest.Event{}))
	assert.EqualValues(t, 1, runs.Load())
}

// An observer that panics says nothing about the delivery, which was handled: the service must not deliver it again and
// again, and disable the webhook in the end.
func TestTheAnswerLeavesThoughAnObserverPanics(t *testing.T) {
	t.Parallel()
	var logged bytes.Buffer
	for name, tt := range map[string]struct {
		body   []byte
		want   int
		handle http.Handler
	}{
		"handled": {succeeded, 200, webhook.NewReceiver(newVerifier(t),
			webhook.WithObserver(func(context.Context, webhook.Observation) { panic("the metrics are down") }))},
		"refused by the receiver": {[]byte("no event"), 400, webhook.NewReceiver(newVerifier(t,
			webhook.WithRefusalHook(func(context.Context, error) { panic("the metrics are down") })))},
		"refused by the middleware": {[]byte("no event"), 400, newVerifier(t, webhook.WithEnvironments("live"),
			webhook.WithRefusalHook(func(context.Context, error) { panic("the metrics are down") })).Middleware(http.NotFoundHandler())},
	} {
		t.Run(name, func(t *testing.T) {
			logged.Reset()
			server := httptest.NewUnstartedServer(tt.handle)
			server.Config.ErrorLog = log.New(&logged, "", 0)
			server.Start()
			assert.Equal(t, tt.want, status(t, dial(t, server, tt.body)))
			server.Close()
			assert.Contains(t, logged.String(), "the metrics are down", "the panic is not swallowed")
		})
	}
}

// The sender may be gone when the hook runs, and a refusal itself closes the connection for reading, which cancels the context
// of a request whose body has been read. To count or to store why is still possible.
func TestTheContextOfARefusalHookIsNotCancelled(t *testing.T) {
	t.Parallel()
	for name, mount := range map[string]func(*webhook.Verifier) http.Handler{
		"middleware": func(v *webhook.Verifier) http.Handler { return v.Middleware(http.NotFoundHandler()) },
		"receiver":   func(v *webhook.Verifier) http.Handler { return webhook.NewReceiver(v) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cancelled, hooked := make(chan struct{}), make(chan error, 1)
			hook := webhook.WithRefusalHook(func(ctx context.Context, _ error) {
				<-cancelled
				hooked <- ctx.Err()
			})
			h := mount(newVerifier(t, hook))
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
				context.AfterFunc(req.Context(), func() { close(cancelled) })
				h.ServeHTTP(w, req)
			}))
			defer server.Close()
			req := signer.Request(succeeded)
			req.Body = io.NopCloser(bytes.NewReader(bytes.ToUpper(succeeded)))
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			require.NoError(t, err)
			require.NoError(t, req.Write(conn))
			require.NoError(t, conn.Close())
			assert.NoError(t, <-hooked)
		})
	}
}
