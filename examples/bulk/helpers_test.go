package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/pem"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/require"
)

// asProgram makes the test binary the program itself: something that can be killed.
const asProgram = "BULK_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program is a run of the program in a process of its own, with the live key.
func program(t *testing.T, service *idvtest.Server, args ...string) *exec.Cmd {
	t.Helper()
	certificate := filepath.Join(t.TempDir(), "service.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: service.Certificate().Raw})
	require.NoError(t, os.WriteFile(certificate, text, 0o600))
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1", "SSL_CERT_FILE="+certificate, "IDV_BASE_URL="+service.URL, "IDV_API_KEY="+service.LiveKey)
	return cmd
}

// sampleFile is a file of n people.
func sampleFile(t *testing.T, n int) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, writeSample(&text, n))
	return file(t, text.String())
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "people.csv")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	return name
}

// bench is a batch over a file, against a service of its own.
type bench struct {
	t       *testing.T
	service *idvtest.Server
	client  *idv.Client
	set     settings
}

func newBench(t *testing.T, n int, opts ...idvtest.Option) *bench {
	t.Helper()
	service := idvtest.Start(t, opts...)
	client, err := idv.New(service.URL, service.TestKey, idv.WithMaxRetries(0))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	in := sampleFile(t, n)
	set, err := parse([]string{"-in", in, "-journal", in + ".journal", "-rate", "10000", "-settling", "0"}, io.Discard)
	require.NoError(t, err)
	return &bench{t, service, client, set}
}

// result is what a run has to say.
type result struct {
	err      error
	rows     []map[string]string // by column
	messages string
}

func (b *bench) run(ctx context.Context) result {
	b.t.Helper()
	rows, err := readFile(b.set.in)
	require.NoError(b.t, err)
	j, err := openJournal(b.set.journal, "the service")
	require.NoError(b.t, err)
	defer func() { require.NoError(b.t, j.close()) }()
	var out, messages strings.Builder
	batch, err := newBatch(b.set, b.client, j, rows, &messages)
	if err != nil {
		return result{err: err}
	}
	runErr := batch.run(ctx)
	reportErr := batch.report(&out, &messages)
	if runErr == nil {
		runErr = reportErr
	}
	return result{runErr, table(b.t, out.String()), messages.String()}
}

func (b *bench) created() int { return b.service.Executions()["POST /people"] }

func table(t *testing.T, text string) (rows []map[string]string) {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	for _, values := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = values[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// tally is the distinct values of a column, with how often each is there.
func tally(rows []map[string]string, name string) map[string]int {
	counts := map[string]int{}
	for _, r := range rows {
		counts[r[name]]++
	}
	return counts
}
