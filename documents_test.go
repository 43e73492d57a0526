package idv_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contractRows reads a table out of the copy of the contract, by the form of its rows.
func contractRows(t *testing.T, form string) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/rest-api.md")
	require.NoError(t, err)
	return regexp.MustCompile(form).FindAllStringSubmatch(string(text), -1)
}

func TestTheCountryTableIsTheContracts(t *testing.T) {
	t.Parallel()
	rows := contractRows(t, `(?m)^\| ([A-Z]{2}) \| (yes|no) \| (.+) \|$`)
	require.Len(t, rows, 94)
	assert.Len(t, idv.Countries(), len(rows))
	for _, row := range rows {
		country, postal, documents := row[1], row[2], strings.Split(row[3], ", ")
		var got []string
		for _, d := range idv.SupportedDocuments(country) {
			got = append(got, string(d))
		}
		assert.Equal(t, documents, got, country)
		assert.Equal(t, postal == "yes", idv.PostalCodeRequired(country), country)
	}
	assert.Nil(t, idv.SupportedDocuments("XX"))
	assert.False(t, idv.PostalCodeRequired("XX"))
}

func TestSupportedDocumentsHandsOutACopy(t *testing.T) {
	t.Parallel()
	idv.SupportedDocuments("US")[0] = "changed"
	assert.Equal(t, []idv.DocumentType{idv.DocumentSSN, idv.DocumentDriversLicense}, idv.SupportedDocuments("US"))
}
