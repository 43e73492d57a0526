package servertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// QuickRecovery is a setting for servers that are to be killed. What a process has written survives its death in any case, the kernel
// has it; what the setting leaves out is for the death of the machine, and takes most of the time of a recovery.
const QuickRecovery = "fsync=off"

// Postgres starts a PostgreSQL server with its default settings, by which a transaction is on the disk when it is acknowledged, and
// those given here, as name=value. Where the test runs as root, which PostgreSQL refuses, the server runs as the user postgres.
func Postgres(tb testing.TB, settings ...string) *Server {
	tb.Helper()
	if url := os.Getenv("IDV_TEST_POSTGRES"); url != "" {
		return &Server{URL: url, tb: tb, name: "PostgreSQL server"}
	}
	initdb, postgres, isReady := binary("initdb"), binary("postgres"), binary("pg_isready")
	if initdb == "" || postgres == "" || isReady == "" {
		tb.Skip("servertest: there is no PostgreSQL server: install it (Debian: postgresql), or set IDV_TEST_POSTGRES to the URL of one")
	}
	dir, port := directory(tb), freePort(tb)
	asServerUser := serverUser(tb, dir)
	data := filepath.Join(dir, "data")
	create := exec.Command(initdb, "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
	asServerUser(create)
	if output, err := create.CombinedOutput(); err != nil {
		_ = os.RemoveAll(dir)
		tb.Fatalf("servertest: initdb: %v\n%s", err, output)
	}
	s := &Server{URL: "postgres://postgres@127.0.0.1:" + port + "/postgres?sslmode=disable", tb: tb, name: "postgres"}
	s.command = func() *exec.Cmd {
		command := exec.Command(postgres, "-D", data, "-p", port, "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=")
		for _, setting := range settings {
			command.Args = append(command.Args, "-c", setting)
		}
		asServerUser(command)
		return command
	}
	s.ready = func() error {
		return exec.Command(isReady, "-q", "-h", "127.0.0.1", "-p", port, "-U", "postgres").Run()
	}
	return s.run(dir)
}

// binary finds a program of PostgreSQL: on the path, or where Debian has the newest of its versions.
func binary(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}
