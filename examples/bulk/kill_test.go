package main

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os/exec"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The program is killed twenty times, each time about when the answer to some request leaves: the work is done and billed, and the program
// may or may not get to know. Then it may finish.
func TestKilledTwentyTimesItPaysOnceForEachRow(t *testing.T) {
	const people, kills = 400, 20
	var left atomic.Int32
	due := make(chan struct{}, 1)
	service := idvtest.Start(t, idvtest.WithTLS(), idvtest.WithWallClock(), idvtest.WithObserver(func(idvtest.Request) {
		if left.Add(-1) == 0 {
			due <- struct{}{}
		}
	}))
	// So that several rows are under way when it happens.
	service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Delay: 3 * time.Millisecond, Times: -1})
	in := sampleFile(t, people)
	args := []string{"-in", in, "-live", "-rate", "100000", "-parallel", "4", "-settling", "2s"}

	for range kills {
		left.Store(1 + rand.Int32N(15))
		var messages bytes.Buffer
		cmd := program(t, service, args...)
		cmd.Stderr = &messages
		var exit *exec.ExitError
		require.True(t, errors.As(killed(cmd, due), &exit), "it came to its end: %s", &messages)
		require.Equal(t, syscall.SIGKILL, exit.Sys().(syscall.WaitStatus).Signal(), "%s", &messages)
	}
	assert.Less(t, service.Billed(), people)
	left.Store(0)
	var out, messages bytes.Buffer
	last := program(t, service, args...)
	last.Stdout, last.Stderr = &out, &messages
	require.NoError(t, last.Run(), "%s", &messages)

	assert.Equal(t, people, service.Billed())
	assert.Equal(t, people, service.Executions()["POST /people"])
	rows := table(t, out.String())
	assert.Equal(t, map[string]int{outcomeVerified: people}, tally(rows, "outcome"))
	assert.Equal(t, map[string]int{"valid": people - people/10, "invalid": people / 10}, tally(rows, "status"))
	assert.Len(t, tally(rows, "person_id"), people)

	require.NoError(t, program(t, service, args...).Run())
	assert.Equal(t, people, service.Billed(), "a run too many costs nothing")
	service.ClearFaults()
}

// killed runs the program until it is due.
func killed(cmd *exec.Cmd, due <-chan struct{}) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-due:
		time.Sleep(rand.N(6 * time.Millisecond)) // before the answer, while it is written down, or in the next row
		_ = cmd.Process.Kill()
		return <-ended
	case err := <-ended:
		return err
	}
}

func TestALiveKeyNeedsTheFlag(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t, idvtest.WithTLS())
	var messages bytes.Buffer
	cmd := program(t, service, "-in", sampleFile(t, 3))
	cmd.Stderr = &messages
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Run(), &exit)
	assert.Contains(t, messages.String(), "is a live key")
	assert.Empty(t, service.Requests())
}
