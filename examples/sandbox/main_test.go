package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sandbox runs the program and returns the settings it prints, the lines after them, and what ends it.
func sandbox(t *testing.T, args ...string) (env map[string]string, lines *bufio.Scanner, stop func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := run(ctx, append([]string{"-addr", "127.0.0.1:0"}, args...), w)
		_ = w.CloseWithError(io.EOF)
		done <- err
	}()
	env, lines = map[string]string{}, bufio.NewScanner(r)
	for lines.Scan() && lines.Text() != "" {
		name, value, _ := strings.Cut(lines.Text(), "=")
		env[name] = value
	}
	return env, lines, func() error {
		cancel()
		_, _ = io.Copy(io.Discard, r)
		return <-done
	}
}

func TestSandboxServes(t *testing.T) {
	t.Parallel()
	env, lines, stop := sandbox(t)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, env["IDV_BASE_URL"]+"/people?filter[note]=secret", nil)
	require.NoError(t, err)
	req.SetBasicAuth(env["IDV_API_KEY"], "")
	status := make(chan int, 1)
	go func() { status <- do(t, http.DefaultClient, req) }()
	require.True(t, lines.Scan())
	assert.Regexp(t, `^\d\d:\d\d:\d\d GET    /people 200`, lines.Text())
	assert.NotContains(t, lines.Text(), "secret")
	assert.Equal(t, 200, <-status)
	require.NoError(t, stop())
}

func TestSandboxServesTLS(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "sandbox.pem")
	env, lines, stop := sandbox(t, "-tls", "-cert", file)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(text))
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, env["IDV_BASE_URL"]+"/people", nil)
	require.NoError(t, err)
	req.SetBasicAuth(env["IDV_LIVE_KEY"], "")
	status := make(chan int, 1)
	go func() { status <- do(t, client, req) }()
	require.True(t, lines.Scan())
	assert.Equal(t, 200, <-status)
	require.NoError(t, stop())
}

func TestSandboxPlaysASession(t *testing.T) {
	t.Parallel()
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.Contains(t, r.Header.Get("Authorization"), "Signature keyId=")
	}))
	defer receiver.Close()
	_, lines, stop := sandbox(t, "-webhook", receiver.URL)
	for _, want := range []string{"flow_session.step.updated", "flow_session.step.updated", "flow_session.status.updated"} {
		require.True(t, lines.Scan())
		assert.Equal(t, "webhook "+want+": 200 <nil>", lines.Text())
	}
	require.NoError(t, stop())
}

func TestSandboxRefuses(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-port", "1"}, {"-addr", "nowhere"}, {"-addr", "127.0.0.1:0", "-webhook", "not a url"},
		{"-addr", "127.0.0.1:0", "-tls", "-cert", "/no/such/folder/x.pem"},
	} {
		assert.Error(t, run(t.Context(), args, io.Discard), args)
	}
}

func do(t *testing.T, client *http.Client, req *http.Request) int {
	resp, err := client.Do(req)
	if !assert.NoError(t, err) {
		return 0
	}
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}
