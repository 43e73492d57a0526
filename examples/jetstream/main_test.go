package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
)

// program is set in the processes that are the program, and not its test.
const program = "IDV_JETSTREAM_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(program) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

var signer = webhooktest.Signer{KeyID: "test_key_1", Secret: "a secret of some length", Path: receiverPath}

// recipe is a receiver in this process.
type recipe struct {
	*stream
	url      string
	receiver *webhook.Receiver
}

func newRecipe(t testing.TB) *recipe {
	t.Helper()
	node, err := startServer(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { node.Shutdown(); node.WaitForShutdown() })
	r := &recipe{url: node.ClientURL()}
	conn, err := nats.Connect(r.url)
	require.NoError(t, err)
	t.Cleanup(conn.Close)
	r.stream, err = openStream(t.Context(), conn)
	require.NoError(t, err)
	r.restart(t)
	return r
}

// restart has the receiver forget what it keeps in memory, as that of another machine never knew it.
func (r *recipe) restart(t testing.TB) {
	t.Helper()
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	r.receiver, err = newReceiver(r.stream, key)
	require.NoError(t, err)
}

func (r *recipe) deliver(body []byte) int {
	w := httptest.NewRecorder()
	r.receiver.ServeHTTP(w, signer.Request(body))
	return w.Code
}

func (r *recipe) deliverAll(t *testing.T, bodies [][]byte) {
	t.Helper()
	var all sync.WaitGroup
	for _, body := range bodies {
		all.Go(func() { assert.Equal(t, http.StatusOK, r.deliver(body)) })
	}
	all.Wait()
}

func (r *recipe) worker(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	process := exec.Command(os.Args[0], append([]string{"-addr", ""}, args...)...)
	process.Env = append(os.Environ(), program+"=1", "NATS_URL="+r.url)
	process.Stderr = os.Stderr
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill(); _ = process.Wait() })
	return process
}

func (r *recipe) stored(t testing.TB) int {
	t.Helper()
	info, err := r.events.Info(t.Context())
	require.NoError(t, err)
	return int(info.State.Msgs)
}

func (r *recipe) progress(t testing.TB) *jetstream.ConsumerInfo {
	t.Helper()
	consumer, err := r.events.Consumer(t.Context(), consumerName)
	if err != nil {
		return &jetstream.ConsumerInfo{NumPending: 1}
	}
	info, err := consumer.Info(t.Context())
	require.NoError(t, err)
	return info
}

// The worker is killed in the middle; what it had in hand goes to another, and every event takes effect once.
func TestAWorkerIsKilledAndEveryEventTakesEffectOnce(t *testing.T) {
	t.Parallel()
	const customers = 60
	r, bodies := newRecipe(t), lives(customers)
	r.deliverAll(t, bodies)
	r.restart(t)
	r.deliverAll(t, bodies)
	require.Equal(t, len(bodies), r.stored(t), "no event is in the stream twice")

	args := []string{"-workers", "8", "-pace", "20ms", "-ack-wait", "2s"}
	victim := r.worker(t, args...)
	for r.progress(t).AckFloor.Consumer < uint64(len(bodies)/3) {
		time.Sleep(5 * time.Millisecond)
	}
	require.NoError(t, victim.Process.Kill())
	require.Error(t, victim.Wait())
	killed := r.progress(t)
	require.Greater(t, killed.NumAckPending, 0, "it was in the middle of its work")

	r.worker(t, args...)
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if p := r.progress(t); p.NumPending == 0 && p.NumAckPending == 0 {
			break
		}
		require.Less(t, time.Since(began), 40*time.Second, "everything is handled in the end")
	}
	t.Logf("%d events delivered twice; killed after %d with %d in hand; %d took effect",
		len(bodies), killed.AckFloor.Consumer, killed.NumAckPending, r.effects(t, customers))
	assert.Equal(t, len(bodies), r.effects(t, customers))
}

// effects counts the events that the customers know of. Each customer must know all of its own, and have succeeded.
func (r *recipe) effects(t *testing.T, customers int) (n int) {
	t.Helper()
	for c := range customers {
		entry, err := r.customers.Get(t.Context(), customerKey(reference(c)))
		require.NoError(t, err)
		var known record
		require.NoError(t, json.Unmarshal(entry.Value(), &known))
		current, ok := known.Customer.Current()
		require.True(t, ok)
		assert.Equal(t, webhook.StatusSuccess, current.Status())
		assert.Len(t, known.Events, perCustomer)
		n += len(known.Events)
	}
	return n
}

func TestAnEventThatComesAgainChangesNothing(t *testing.T) {
	t.Parallel()
	r := newRecipe(t)
	event, err := webhook.ParseEvent(webhooktest.Event{ID: "whkevt_1", CustomerReference: reference(0)}.Body())
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, r.fold(t.Context(), event))
	}
	_, revision, err := r.load(t.Context(), customerKey(reference(0)))
	require.NoError(t, err)
	assert.EqualValues(t, 1, revision, "one write")
}

func TestTheReceiverTakesOnlyWhatIsAuthenticAndNew(t *testing.T) {
	t.Parallel()
	r := newRecipe(t)
	body := webhooktest.Event{ID: "whkevt_1"}.Body()
	altered := bytes.Replace(body, []byte("success"), []byte("failed"), 1)
	assert.Equal(t, http.StatusOK, r.deliver(body))
	assert.Equal(t, http.StatusConflict, r.deliver(altered))
	r.restart(t)
	assert.Equal(t, http.StatusOK, r.deliver(body))
	assert.Equal(t, 1, r.stored(t))
	r.restart(t)
	assert.ErrorIs(t, r.add(t.Context(), webhook.SeenKey{Environment: "sandbox", KeyID: signer.KeyID, EventID: "whkevt_1"}, altered), errConflict)
	assert.Equal(t, http.StatusOK, r.deliver(altered), "a redelivery could not mend it")
	assert.Equal(t, 1, r.stored(t))
	webhooktest.Hostile(t, signer, r.receiver)
}

func TestWithoutTheServerNothingIsTaken(t *testing.T) {
	t.Parallel()
	r := newRecipe(t)
	require.NoError(t, r.js.DeleteStream(t.Context(), streamName))
	assert.Equal(t, http.StatusInternalServerError, r.deliver(webhooktest.Event{}.Body()), "the service delivers it again")
}

func TestTheDemo(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, run(context.Background(), []string{"-demo"}, func(string) string { return "" }, &out))
	assert.Equal(t, `18 events, deliveries by answer: map[200:36]
customer-0: 6 events, session flwses_0_b success
customer-1: 6 events, session flwses_1_b success
customer-2: 6 events, session flwses_2_b success
`, out.String())
}

func TestRunSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	nothing := func(string) string { return "" }
	require.ErrorContains(t, run(t.Context(), nil, nothing, io.Discard), "set NATS_URL")
	r := newRecipe(t)
	server := func(name string) string { return map[string]string{"NATS_URL": r.url}[name] }
	require.ErrorContains(t, run(t.Context(), nil, server, io.Discard), "set IDV_WEBHOOK_KEY_ID")
}
