package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/adapters/sqlite"
	"example.com/idv/webhook"
)

const (
	crashEvents, crashWorkers, crashTimes = 600, 4, 3
	crashFile                             = "IDV_SQLITE_CRASH_FILE" // set: this process is the one to be killed
)

func TestMain(m *testing.M) {
	path := os.Getenv(crashFile)
	if path == "" {
		os.Exit(m.Run())
	}
	if err := work(context.Background(), path); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Each event is handled in two ways. The work of the inbox is in the transaction of its claim. That of the receiver is not: where the
// process dies between work and commit, the event is handled again, and only there.
func TestTheProcessDiesAndNothingIsLostOrHandledTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "app.db")
	open(t, path)
	db := database(t, path)
	_, err := db.ExecContext(t.Context(), "CREATE TABLE inbox (event TEXT); CREATE TABLE handled (event TEXT); CREATE TABLE committed (event TEXT);")
	require.NoError(t, err)
	count := func(query string) (n int) {
		require.NoError(t, db.QueryRowContext(t.Context(), query).Scan(&n))
		return n
	}
	for kill := range crashTimes {
		process := worker(t, path)
		for count("SELECT count(*) FROM inbox") < (kill+1)*crashEvents/(crashTimes+1) {
			time.Sleep(5 * time.Millisecond)
		}
		require.NoError(t, process.Process.Kill())
		require.Error(t, process.Wait(), "it was killed in the middle of its work")
	}
	require.NoError(t, worker(t, path).Wait())

	twice := count("SELECT count(*) - count(DISTINCT event) FROM inbox")
	cutOff := count("SELECT count(*) - count(DISTINCT event) FROM handled")
	t.Logf("%d events, %d kills; inbox: %d lost, %d handled twice; "+
		"receiver: %d lost, %d handled again after the commit, %d cut off by a kill and handled again",
		crashEvents, crashTimes, crashEvents-count("SELECT count(DISTINCT event) FROM inbox"), twice,
		crashEvents-count("SELECT count(DISTINCT event) FROM handled"), count("SELECT count(*) - count(DISTINCT event) FROM committed"), cutOff)
	assert.Equal(t, crashEvents, count("SELECT count(DISTINCT event) FROM inbox"))
	assert.Zero(t, twice)
	assert.Equal(t, crashEvents, count("SELECT count(DISTINCT event) FROM handled"))
	assert.Zero(t, count("SELECT count(*) - count(DISTINCT event) FROM committed"))
	assert.LessOrEqual(t, cutOff, crashTimes*crashWorkers)
}

func worker(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), crashFile+"="+path)
	process.Stderr = os.Stderr
	require.NoError(t, process.Start())
	return process
}

// work is what the process does that is killed: it is delivered all events, as after every failure.
func work(ctx context.Context, path string) error {
	seen, err := sqlite.Open(ctx, path, sqlite.WithLease(300*time.Millisecond))
	if err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate&_pragma=busy_timeout(10000)")
	if err != nil {
		return err
	}
	events, failed := make(chan string), make(chan error, crashWorkers)
	var all sync.WaitGroup
	for range crashWorkers {
		all.Go(func() {
			for id := range events {
				if err := deliver(ctx, seen, db, id); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	go func() {
		defer close(events)
		for i := range crashEvents {
			events <- fmt.Sprintf("whkevt_%d", i)
		}
	}()
	all.Wait()
	close(failed)
	return <-failed
}

func deliver(ctx context.Context, seen *sqlite.Store, db *sql.DB, id string) error {
	if err := inbox(ctx, seen, db, id); err != nil {
		return err
	}
	for {
		outcome, err := receive(ctx, seen, db, id)
		if err != nil || outcome != webhook.InFlight {
			return err
		}
		time.Sleep(20 * time.Millisecond) // cut off by a kill: until its lease has run out
	}
}

func inbox(ctx context.Context, seen *sqlite.Store, db *sql.DB, id string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	claim, err := seen.ClaimTx(ctx, tx, webhook.SeenKey{KeyID: "inbox", EventID: id}, body)
	if err != nil {
		return err
	}
	if claim.Outcome == webhook.Claimed {
		if _, err := tx.ExecContext(ctx, "INSERT INTO inbox VALUES (?)", id); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func receive(ctx context.Context, seen *sqlite.Store, db *sql.DB, id string) (webhook.ClaimOutcome, error) {
	key := webhook.SeenKey{KeyID: "receiver", EventID: id}
	claim, err := seen.Claim(ctx, key, body)
	if err != nil || claim.Outcome != webhook.Claimed {
		return claim.Outcome, err
	}
	if _, err := db.ExecContext(ctx, "INSERT INTO handled VALUES (?)", id); err != nil {
		return 0, err
	}
	if err := seen.Commit(ctx, key, claim.Token); err != nil {
		return 0, err
	}
	_, err = db.ExecContext(ctx, "INSERT INTO committed VALUES (?)", id)
	return webhook.Claimed, err
}
