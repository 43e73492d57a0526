package servertest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Postgres starts a PostgreSQL server with its default settings: a transaction is on the disk when it is acknowledged. Where the test
// runs as root, which PostgreSQL refuses, the server runs as the user postgres.
func Postgres(tb testing.TB) *Server {
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
		asServerUser(command)
		return command
	}
	s.ready = func() error { return exec.Command(isReady, "-q", "-h", "127.0.0.1", "-p", port).Run() }
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
