// Package servertest starts database servers for tests: real ones, from the binaries of the machine, each on a free port of
// loopback with its data in a directory of its own. A test can kill its server at any moment and start it again with the data that
// it has left behind.
//
// Where no binary is installed the test is skipped with a line that says what to install. IDV_TEST_REDIS and IDV_TEST_POSTGRES, both
// URLs, name servers that are there already; those are not killed, so that the tests about crashes skip.
package servertest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// startTimeout bounds a start, the recovery after a crash included, on a machine with much else to do.
const startTimeout = 30 * time.Second

// Server is a server of one test, which ends with it.
type Server struct {
	URL string // redis:// or postgres://, as the clients parse them

	tb      testing.TB
	name    string
	command func() *exec.Cmd
	ready   func() error
	process *exec.Cmd // nil for a server that is not ours
	ended   chan struct{}
	output  bytes.Buffer // of process; to be read after ended
}

// Own skips the test where the server is one of the environment, which is not the test's to kill.
func (s *Server) Own() *Server {
	s.tb.Helper()
	if s.command == nil {
		s.tb.Skipf("servertest: the %s of the environment is not this test's to kill", s.name)
	}
	return s
}

// Kill ends the server as a crash would, without a chance to write anything more. The server is the test's [Server.Own].
func (s *Server) Kill() {
	_ = s.process.Process.Kill()
	<-s.ended
}

// Start starts the server again after [Server.Kill], at the same URL, and returns once it answers. It may be called from any
// goroutine; where the server does not start, it marks the test as failed.
func (s *Server) Start() {
	s.tb.Helper()
	deadline := time.Now().Add(startTimeout)
	for {
		err := s.launch()
		for err == nil && time.Now().Before(deadline) {
			if s.ready() == nil {
				return
			}
			select {
			case <-s.ended:
				err = fmt.Errorf("it has ended: %s", &s.output)
			case <-time.After(20 * time.Millisecond):
			}
		}
		if time.Now().After(deadline) {
			s.tb.Errorf("servertest: %s did not start: %v", s.name, err)
			return
		}
		time.Sleep(50 * time.Millisecond) // a killed server's children may hold its data for a moment
	}
}

// Restart kills the server and starts it again.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	s.Start()
}

// launch starts the process. The goroutine that starts it keeps its thread until it has ended: the process is to die with this
// one, and the kernel looks at the thread.
func (s *Server) launch() error {
	s.output.Reset()
	s.process, s.ended = s.command(), make(chan struct{})
	s.process.Stdout, s.process.Stderr = &s.output, &s.output
	dieWithParent(s.process)
	process, ended, started := s.process, s.ended, make(chan error)
	go func() {
		runtime.LockOSThread()
		defer close(ended)
		err := process.Start()
		started <- err
		if err == nil {
			_ = process.Wait()
		}
	}()
	return <-started
}

// run starts a server for the test, and ends it with the test.
func (s *Server) run(dir string) *Server {
	s.tb.Cleanup(func() {
		if s.process != nil && s.process.Process != nil {
			s.Kill()
		}
		_ = os.RemoveAll(dir)
	})
	s.Start()
	if s.tb.Failed() {
		s.tb.FailNow()
	}
	return s
}

// directory is a new one that the server's user can reach, which testing's TempDir is not.
func directory(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "idv-servertest-")
	if err != nil {
		tb.Fatalf("servertest: %v", err)
	}
	return dir
}

// freePort returns a port below those that the kernel gives to outgoing connections: while the server is down, one of its own clients
// could get its port, and even connect to itself.
func freePort(tb testing.TB) string {
	tb.Helper()
	for range 100 {
		port := strconv.Itoa(12_000 + rand.IntN(18_000))
		if l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	tb.Fatal("servertest: found no free port")
	return ""
}
