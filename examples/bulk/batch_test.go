package main

import (
	"context"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestABatchIsVerifiedOnce(t *testing.T) {
	t.Parallel()
	b := newBench(t, 30)
	first := b.run(t.Context())
	require.NoError(t, first.err)
	assert.Equal(t, "30 people: 30 verified (30 now, 0 before), 0 refused, 0 open, 0 not sent. 27 valid, 3 invalid, 0 otherwise.\n", first.messages)
	assert.Equal(t, []string{"2", "customer-00001", "verified", "valid", "low", ""}, []string{
		first.rows[0]["line"], first.rows[0]["reference"], first.rows[0]["outcome"], first.rows[0]["status"], first.rows[0]["address_risk"], first.rows[0]["problem"]})

	second := b.run(t.Context())
	require.NoError(t, second.err)
	assert.Equal(t, first.rows, second.rows)
	assert.Contains(t, second.messages, "30 verified (0 now, 30 before)")
	assert.Equal(t, 30, b.created())
}

func TestRowsThatAreAddedLaterAreVerified(t *testing.T) {
	t.Parallel()
	b := newBench(t, 5)
	require.NoError(t, b.run(t.Context()).err)
	b.set.in = sampleFile(t, 8)
	r := b.run(t.Context())
	require.NoError(t, r.err)
	assert.Contains(t, r.messages, "8 verified (3 now, 5 before)")
	assert.Equal(t, 8, b.created())
}

func TestDataThatChangedAfterTheyWereSentAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t, 5)
	require.NoError(t, b.run(t.Context()).err)
	text, err := os.ReadFile(b.set.in)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(b.set.in, []byte(strings.Replace(string(text), "Sample3", "Otherwise", 1)), 0o600))
	r := b.run(t.Context())
	assert.EqualError(t, r.err, "line 4: the journal has other data for its reference: for a new verification give it a new one")
	assert.Equal(t, 5, b.created())
}

// underWay writes down what a program that died had under way.
func (b *bench) underWay(since time.Duration, made bool) {
	b.t.Helper()
	rows, err := readFile(b.set.in)
	require.NoError(b.t, err)
	j, err := openJournal(b.set.journal, "the service")
	require.NoError(b.t, err)
	for _, r := range rows {
		require.NoError(b.t, j.put(b.t.Context(), r.reference, entry{state: stateSent, digest: r.digest, sentAt: time.Now().Add(-since)}))
		if made {
			b.service.AddPerson(idvtest.Person{ID: "made-" + r.reference, Note: j.note(r.reference)})
		}
	}
	require.NoError(b.t, j.close())
}

func TestWhatWasUnderWayIsLookedForFirst(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]bool{"and found": true, "and sent, if it is not there": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, 3)
			b.underWay(time.Hour, made)
			r := b.run(t.Context())
			require.NoError(t, r.err)
			assert.Equal(t, map[string]int{outcomeVerified: 3}, tally(r.rows, "outcome"))
			if made {
				assert.Equal(t, 0, b.created())
				assert.Equal(t, 1, tally(r.rows, "person_id")["made-customer-00002"])
			} else {
				assert.Equal(t, 3, b.created())
			}
			assert.Equal(t, http.MethodGet, b.service.Requests()[0].Method)
		})
	}
}

// The request of a program that died a moment ago may still be on its way: its person appears while the next run waits.
func TestWhatWasUnderWayGetsTimeToSettle(t *testing.T) {
	t.Parallel()
	b := newBench(t, 1)
	b.set.settling = 1500 * time.Millisecond
	b.underWay(0, false)
	rows, err := readFile(b.set.in)
	require.NoError(t, err)
	j, err := openJournal(b.set.journal, "the service")
	require.NoError(t, err)
	note := j.note(rows[0].reference)
	require.NoError(t, j.close())
	late := time.AfterFunc(200*time.Millisecond, func() { b.service.AddPerson(idvtest.Person{ID: "late", Note: note}) })
	defer late.Stop()
	r := b.run(t.Context())
	require.NoError(t, r.err)
	assert.Equal(t, "late", r.rows[0]["person_id"])
	assert.Equal(t, 0, b.created())
}

func TestAnAnswerThatIsLostIsLookedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t, 10)
	b.service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Drop: true, Work: true, Times: 3})
	r := b.run(t.Context())
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int{outcomeVerified: 10}, tally(r.rows, "outcome"))
	assert.Equal(t, 10, b.created())
}

func TestARefusalOfTheServiceIsARowOfTheResults(t *testing.T) {
	t.Parallel()
	b := newBench(t, 4)
	b.set.parallel = 1
	body := `{"error":{"type":"invalid_request_error","param":"birth_year","code":"is_invalid","message":"Secret is wrong"}}`
	b.service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 400, Body: body, Skip: 1})
	r := b.run(t.Context())
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int{outcomeVerified: 3, outcomeRefused: 1}, tally(r.rows, "outcome"))
	assert.Equal(t, `refused with status 400, param "birth_year", code "is_invalid"`, r.rows[1]["problem"])

	again := b.run(t.Context())
	require.NoError(t, again.err)
	assert.Equal(t, r.rows, again.rows, "the same data are refused again: they are not sent")
	assert.Equal(t, 3, b.created())

	text, err := os.ReadFile(b.set.in)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(b.set.in, []byte(strings.Replace(string(text), "Sample2", "Mended", 1)), 0o600))
	mended := b.run(t.Context())
	require.NoError(t, mended.err)
	assert.Equal(t, map[string]int{outcomeVerified: 4}, tally(mended.rows, "outcome"))
	assert.Equal(t, 4, b.created())
}

func TestAServiceThatHasNoTimeIsWaitedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t, 2)
	b.service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 429, Header: http.Header{"Retry-After": {"1"}}})
	r := b.run(t.Context())
	require.NoError(t, r.err)
	assert.Equal(t, map[string]int{outcomeVerified: 2}, tally(r.rows, "outcome"))
}

func TestAKeyThatIsRefusedEndsTheRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, 50)
	b.set.parallel = 1
	b.service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 401, Skip: 5, Times: -1})
	r := b.run(t.Context())
	require.ErrorIs(t, r.err, idv.ErrUnauthorized)
	assert.ErrorContains(t, r.err, "run it again to go on")
	assert.Equal(t, map[string]int{outcomeVerified: 5, outcomeOpen: 1, outcomeNotSent: 44}, tally(r.rows, "outcome"))
	b.service.ClearFaults()
	require.NoError(t, b.run(t.Context()).err)
	assert.Equal(t, 50, b.created())
}

func TestAServiceThatIsDownEndsTheRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, 50)
	b.set.parallel, b.set.giveUp = 1, 3
	b.service.Fail(idvtest.Fault{Status: 503, Times: -1})
	r := b.run(t.Context())
	require.ErrorIs(t, r.err, idv.ErrServer)
	assert.Equal(t, map[string]int{outcomeOpen: 3, outcomeNotSent: 47}, tally(r.rows, "outcome"))
	b.service.ClearFaults()
	require.NoError(t, b.run(t.Context()).err)
	assert.Equal(t, 50, b.created())
}

func TestAFewOpenRowsDoNotEndTheRun(t *testing.T) {
	t.Parallel()
	b := newBench(t, 20)
	b.set.parallel = 1
	b.service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 503, Work: true},
		idvtest.Fault{Method: "GET", Path: "/people", Status: 503, Times: 1})
	r := b.run(t.Context())
	assert.EqualError(t, r.err, "1 rows are open: run it again, and they are looked for")
	assert.Equal(t, map[string]int{outcomeVerified: 19, outcomeOpen: 1}, tally(r.rows, "outcome"))
	require.NoError(t, b.run(t.Context()).err)
	assert.Equal(t, 20, b.created())
}

func TestAnInterruptLetsWhatIsUnderWayEnd(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var requests atomic.Int32
	b := newBench(t, 100, idvtest.WithObserver(func(idvtest.Request) {
		if requests.Add(1) == 7 {
			interrupt()
		}
	}))
	r := b.run(ctx)
	require.ErrorIs(t, r.err, context.Canceled)
	outcomes := tally(r.rows, "outcome")
	assert.Zero(t, outcomes[outcomeOpen], "no answer is thrown away")
	assert.Equal(t, b.created(), outcomes[outcomeVerified])
	assert.Positive(t, outcomes[outcomeNotSent])
}

func TestTheRateIsKept(t *testing.T) {
	t.Parallel()
	b := newBench(t, 6)
	b.set.rate = 20
	began := time.Now()
	require.NoError(t, b.run(t.Context()).err)
	assert.GreaterOrEqual(t, time.Since(began), 250*time.Millisecond, "six at 20 a second: a machine can only be slower")
}
