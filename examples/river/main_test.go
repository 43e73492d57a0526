package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/internal/servertest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/session"
	"example.com/idv/webhook/webhooktest"
)

// program is set in the processes that are the program, and not its test.
const program = "IDV_RIVER_PROGRAM"

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
	pool    *pgxpool.Pool
	url     string
	handler http.Handler
}

func newRecipe(t testing.TB, settings ...string) *recipe {
	t.Helper()
	server := servertest.Postgres(t, settings...)
	pool, err := pgxpool.New(context.Background(), server.URL)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	require.NoError(t, migrate(t.Context(), pool))
	set, err := parse([]string{"-workers", "0"})
	require.NoError(t, err)
	queue, err := newQueue(pool, set)
	require.NoError(t, err)
	key, err := webhook.NewSigningKey(signer.KeyID, signer.Secret)
	require.NoError(t, err)
	handler, err := newReceiver(pool, queue, key)
	require.NoError(t, err)
	return &recipe{pool, server.URL, handler}
}

func (r *recipe) deliver(body []byte) int {
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, signer.Request(body))
	return w.Code
}

func (r *recipe) count(t testing.TB, query string) (n int) {
	t.Helper()
	require.NoError(t, r.pool.QueryRow(t.Context(), query).Scan(&n))
	return n
}

func (r *recipe) worker(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	process := exec.Command(os.Args[0], append([]string{"-addr", ""}, args...)...)
	process.Env = append(os.Environ(), program+"=1", "DATABASE_URL="+r.url)
	process.Stderr = os.Stderr
	require.NoError(t, process.Start())
	t.Cleanup(func() { _ = process.Process.Kill(); _ = process.Wait() })
	return process
}

// lives are events of customers, each with three steps, a failure, a retry and a success.
func lives(customers int) (bodies [][]byte) {
	began := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for c := range customers {
		for i, e := range []webhooktest.Event{
			{Step: "accept_tos"}, {Step: "verify_sms"}, {Step: "kyc_check"}, {Status: "failed"},
			{Kind: "flow_session.retried", SessionID: fmt.Sprintf("flwses_%d_b", c)}, {Status: "success", SessionID: fmt.Sprintf("flwses_%d_b", c)},
		} {
			e.ID, e.Timestamp = fmt.Sprintf("whkevt_%d_%d", c, i), began.Add(time.Duration(i)*time.Minute)
			e.CustomerReference = fmt.Sprintf("customer-%d", c)
			if e.SessionID == "" {
				e.SessionID = fmt.Sprintf("flwses_%d_a", c)
			}
			bodies = append(bodies, e.Body())
		}
	}
	return bodies
}

const perCustomer = 6

// The worker is killed in the middle; what it had under way is rescued by another, and every event takes effect once.
func TestAWorkerIsKilledAndEveryEventTakesEffectOnce(t *testing.T) {
	t.Parallel()
	const customers = 60
	r := newRecipe(t, servertest.QuickRecovery)
	var all sync.WaitGroup
	bodies := lives(customers)
	for i := range 2 * len(bodies) { // each twice, the second half while the first is being worked on
		if i == len(bodies) {
			all.Wait()
		}
		all.Go(func() { assert.Equal(t, http.StatusOK, r.deliver(bodies[i%len(bodies)])) })
	}
	all.Wait()
	require.Equal(t, len(bodies), r.count(t, "SELECT count(*) FROM river_job"), "no event is in the queue twice")

	args := []string{"-workers", "8", "-pace", "50ms", "-timeout", "1s", "-rescue", "2s"}
	victim := r.worker(t, args...)
	const effects = "SELECT coalesce(sum(events), 0) FROM customers"
	for r.count(t, effects) < len(bodies)/3 {
		time.Sleep(10 * time.Millisecond)
	}
	require.NoError(t, victim.Process.Kill())
	require.Error(t, victim.Wait())
	cutOff := r.count(t, "SELECT count(*) FROM river_job WHERE state = 'running'")
	killed := r.count(t, effects)
	require.Greater(t, cutOff, 0, "it was in the middle of its work")

	r.worker(t, args...)
	for began := time.Now(); r.count(t, "SELECT count(*) FROM river_job WHERE state = 'completed'") < len(bodies); {
		require.Less(t, time.Since(began), 50*time.Second, "everything is handled in the end")
		time.Sleep(50 * time.Millisecond)
	}
	t.Logf("%d events delivered twice; killed after %d with %d under way; %d took effect",
		len(bodies), killed, cutOff, r.count(t, effects))
	assert.Equal(t, len(bodies), r.count(t, effects))
	assert.Equal(t, customers, r.count(t, fmt.Sprintf("SELECT count(*) FROM customers WHERE events = %d", perCustomer)))
	r.allSucceeded(t, customers)
}

// allSucceeded asserts that every customer's latest session is the one of the retry, and has succeeded.
func (r *recipe) allSucceeded(t *testing.T, customers int) {
	t.Helper()
	rows, err := r.pool.Query(t.Context(), "SELECT state FROM customers")
	require.NoError(t, err)
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var state []byte
		require.NoError(t, rows.Scan(&state))
		var c session.Customer
		require.NoError(t, json.Unmarshal(state, &c))
		current, ok := c.Current()
		require.True(t, ok)
		assert.Equal(t, webhook.StatusSuccess, current.Status())
	}
	require.NoError(t, rows.Err())
	assert.Equal(t, customers, n)
}

func TestTheReceiverTakesOnlyWhatIsAuthenticAndNew(t *testing.T) {
	t.Parallel()
	r := newRecipe(t)
	body := webhooktest.Event{ID: "whkevt_1"}.Body()
	jobs := func() int { return r.count(t, "SELECT count(*) FROM river_job") }
	assert.Equal(t, http.StatusOK, r.deliver(body))
	assert.Equal(t, http.StatusOK, r.deliver(body))
	assert.Equal(t, http.StatusConflict, r.deliver(bytes.Replace(body, []byte("success"), []byte("failed"), 1)))
	assert.Equal(t, http.StatusBadRequest, r.deliver([]byte("no event")))
	assert.Equal(t, 1, jobs())
	_, err := r.pool.Exec(t.Context(), "ALTER TABLE river_job RENAME TO gone")
	require.NoError(t, err)
	assert.Equal(t, http.StatusInternalServerError, r.deliver(webhooktest.Event{ID: "whkevt_2"}.Body()))
	_, err = r.pool.Exec(t.Context(), "ALTER TABLE gone RENAME TO river_job")
	require.NoError(t, err)
	assert.Equal(t, http.StatusOK, r.deliver(webhooktest.Event{ID: "whkevt_2"}.Body()), "what could not be queued was not marked as seen")
	assert.Equal(t, 2, jobs())
	webhooktest.Hostile(t, signer, r.handler)
}

func TestRunSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	nothing := func(string) string { return "" }
	require.ErrorContains(t, run(t.Context(), nil, nothing), "set DATABASE_URL")
	r := newRecipe(t)
	database := func(name string) string { return map[string]string{"DATABASE_URL": r.url}[name] }
	require.ErrorContains(t, run(t.Context(), []string{"-workers", "0"}, database), "set IDV_WEBHOOK_KEY_ID")
}
