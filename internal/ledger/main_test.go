package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLedgerHasItsRows(t *testing.T) {
	t.Parallel()
	rows := parseLedger(ledger)
	assert.Len(t, rows, 67)
	assert.Equal(t, row{"R04", "HTTP Basic: key as username, empty password", []string{"client", "service"}}, rows[3])
}

func TestWhatShowsAStatement(t *testing.T) {
	t.Parallel()
	events := strings.Join([]string{
		`{"Action":"pass","Package":"example.com/idv","Test":"TestContractA/R01_x"}`,
		`{"Action":"pass","Package":"example.com/idv","Test":"TestContractA/R01_of_/people"}`,
		`{"Action":"pass","Package":"example.com/idv","Test":"TestContractListsThroughTheService/R05_R06_x"}`,
		`{"Action":"pass","Package":"example.com/idv/idvtest","Test":"TestContractB/R01,_R02_and_W03_x"}`,
		`{"Action":"run","Package":"example.com/idv","Test":"TestContractA/R04_x"}`,
		`{"Action":"pass","Package":"example.com/idv/webhook/session","Test":"TestContractC/W28_x"}`,
	}, "\n")
	shown, err := parseTests(strings.NewReader(events))
	require.NoError(t, err)
	assert.Equal(t, showing{
		"R01": {"client": {"idv.TestContractA"}, "service": {"idv/idvtest.TestContractB"}},
		"R02": {"service": {"idv/idvtest.TestContractB"}}, "W03": {"service": {"idv/idvtest.TestContractB"}},
		"R05": {"client": {"idv.TestContractListsThroughTheService"}, "service": {"idv.TestContractListsThroughTheService"}},
		"R06": {"client": {"idv.TestContractListsThroughTheService"}, "service": {"idv.TestContractListsThroughTheService"}},
		"W28": {"verifier": {"idv/webhook/session.TestContractC"}},
	}, shown)
	assert.ErrorContains(t, missing([]row{{"R02", "s", []string{"client", "service"}}}, shown), "R02 is not shown by the client: s")
	assert.NoError(t, missing([]row{{"R01", "s", []string{"client", "service"}}}, shown))
	assert.Contains(t, string(render([]row{{"R01", "s", []string{"client"}}}, shown)), "| R01 | s | client | `idv.TestContractA`<br>`idv/idvtest.TestContractB` |")

	_, err = parseTests(strings.NewReader(`{"Action":"fail","Package":"p","Test":"TestContractA/R01_x"}`))
	assert.EqualError(t, err, "fail TestContractA: R01_x")
	_, err = parseTests(strings.NewReader(`{"Action":"skip","Package":"p","Test":"TestContractA/R01_x"}`))
	assert.Error(t, err, "a test that was skipped shows nothing")
}
