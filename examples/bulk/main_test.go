package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRunAgainstItsOwnService(t *testing.T) {
	t.Setenv("IDV_BASE_URL", "")
	t.Setenv("IDV_API_KEY", "")
	for range 2 {
		var out, messages strings.Builder
		in := sampleFile(t, 20)
		require.NoError(t, run(t.Context(), []string{"-in", in, "-rate", "1000"}, &out, &messages))
		assert.Len(t, table(t, out.String()), 20)
		assert.Contains(t, messages.String(), "20 verified (20 now, 0 before)")
		assert.NoFileExists(t, in+".journal", "the journal of a service that is gone is of no use")
	}
}

func TestRunAgainstTheServiceOfTheEnvironment(t *testing.T) {
	service := idvtest.Start(t)
	t.Setenv("IDV_BASE_URL", service.URL)
	t.Setenv("IDV_API_KEY", service.TestKey)
	in := sampleFile(t, 20)
	results := filepath.Join(t.TempDir(), "results.csv")
	for range 2 {
		require.NoError(t, run(t.Context(), []string{"-in", in, "-out", results, "-rate", "1000"}, io.Discard, io.Discard))
		text, err := os.ReadFile(results)
		require.NoError(t, err)
		assert.Len(t, table(t, string(text)), 20)
	}
	assert.Equal(t, 20, service.Executions()["POST /people"])
	assert.FileExists(t, in+".journal")
}

func TestABadFileIsRefusedBeforeAnythingIsSpent(t *testing.T) {
	service := idvtest.Start(t)
	t.Setenv("IDV_BASE_URL", service.URL)
	t.Setenv("IDV_API_KEY", service.TestKey)
	in := file(t, header+"\nr1"+ada+"\nr2"+strings.Replace(ada, "US", "XX", 1))
	err := run(t.Context(), []string{"-in", in}, io.Discard, io.Discard)
	assert.ErrorContains(t, err, "line 3: ")
	assert.Empty(t, service.Requests())
	assert.NoFileExists(t, in+".journal")
}

func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"": "-in is missing", "-in x people": "no flags", "-in x -rate 0": "-rate", "-in x -parallel 0": "-parallel",
		"-in x -settling -1s": "-settling", "-in x -give-up 0": "-give-up", "-inn x": "-inn",
	} {
		_, err := parse(strings.Fields(args), io.Discard)
		assert.ErrorContains(t, err, want, args)
	}
	assert.ErrorIs(t, run(t.Context(), []string{"-in", filepath.Join(t.TempDir(), "no.csv")}, io.Discard, io.Discard), os.ErrNotExist)
}

func TestTheSampleIsAFileThatCanBeRead(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-sample", "12"}, &out, io.Discard))
	rows, err := readRows([]byte(out.String()))
	require.NoError(t, err)
	assert.Len(t, rows, 12)
}
