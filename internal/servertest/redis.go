package servertest

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Redis starts a Redis server that acknowledges a write only after it is on the disk, with the settings given here, as name=value.
func Redis(tb testing.TB, settings ...string) *Server {
	tb.Helper()
	if url := os.Getenv("IDV_TEST_REDIS"); url != "" {
		return &Server{URL: url, tb: tb, name: "Redis server"}
	}
	path, err := exec.LookPath("redis-server")
	if err != nil {
		tb.Skip("servertest: there is no redis-server: install it (Debian: redis-server), or set IDV_TEST_REDIS to the URL of one")
	}
	dir, port := directory(tb), freePort(tb)
	s := &Server{URL: "redis://127.0.0.1:" + port + "/0", tb: tb, name: "redis-server"}
	s.command = func() *exec.Cmd {
		command := exec.Command(path, "--bind", "127.0.0.1", "--port", port, "--dir", dir,
			"--save", "", "--appendonly", "yes", "--appendfsync", "always")
		for _, setting := range settings {
			name, value, _ := strings.Cut(setting, "=")
			command.Args = append(command.Args, "--"+name, value)
		}
		return command
	}
	s.ready = func() error { return pingRedis(net.JoinHostPort("127.0.0.1", port)) }
	return s.run(dir)
}

// pingRedis fails also while the server reads its data.
func pingRedis(address string) error {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second))
	if _, err := conn.Write([]byte("PING\r\n")); err != nil {
		return err
	}
	answer := make([]byte, 16)
	if n, err := conn.Read(answer); err != nil || string(answer[:n]) != "+PONG\r\n" {
		return errors.New("not ready")
	}
	return nil
}
