package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	header = "reference,name_first,name_last,birth_day,birth_month,birth_year,document_type,document_value,address_street1,address_city,address_subdivision,address_postal_code,address_country_code"
	ada    = ",Ada,Secretname,10,12,1985,ssn,0000,1 Secret Way,Springfield,IL,62701,US"
)

func TestBadRowsAreNamedByLineAndColumn(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"nothing at all":           {"", []string{"the first line must name the columns"}},
		"no header":                {"r1" + ada, []string{"line 1: the name of column 1 is not one of"}},
		"no reference":             {"name_first\nSecretname", []string{"line 1: column reference is missing"}},
		"a column twice":           {"reference,name_first,name_first", []string{"line 1: column name_first is there twice"}},
		"a column nobody knows":    {"reference,secret_column", []string{"line 1: the name of column 2 is not one of"}},
		"an empty reference":       {header + "\n " + ada, []string{"line 2: reference is empty"}},
		"a reference twice":        {header + "\nr1" + ada + "\nr2" + ada + "\nr1" + ada, []string{"line 4: reference is that of line 2"}},
		"a number that is none":    {header + "\nr1" + strings.Replace(ada, "1985", "Secret1985", 1), []string{"line 2: birth_year is no whole number"}},
		"a date that is none":      {header + "\nr1" + strings.Replace(ada, "12,1985", "13,1985", 1), []string{"line 2: birth_"}},
		"a missing value":          {header + "\nr1" + strings.Replace(ada, "Ada", "", 1), []string{"line 2: name_first can't be blank"}},
		"another country's paper":  {header + "\nr1" + strings.Replace(ada, "ssn", "voter_id", 1), []string{"line 2: document_type"}},
		"a value too many":         {header + "\nr1" + ada + ",Secretname", []string{"line 2"}},
		"a quote in the middle":    {header + "\nr1" + strings.Replace(ada, "Ada", `A"Secretname`, 1), []string{"line 2"}},
		"several rows, all named":  {header + "\nr1" + strings.Replace(ada, "Ada", "", 1) + "\nr2" + ada + "\n" + ada, []string{"line 2: name_first", "line 4: reference"}},
		"lines count as in a file": {header + "\n\n\"r\n1\"" + ada + "\nr2" + strings.Replace(ada, "10", "x", 1), []string{"line 5: birth_day is no whole number"}},
	} {
		_, err := readRows([]byte(tt.text))
		require.Error(t, err, name)
		for _, want := range tt.want {
			assert.ErrorContains(t, err, want, name)
		}
		assert.Len(t, strings.Split(err.Error(), "\n"), len(tt.want), name)
		assert.NotContains(t, strings.ToLower(err.Error()), "secret", name)

	}
}

func TestRowsAreRead(t *testing.T) {
	t.Parallel()
	rows, err := readRows([]byte("\ufeff" + header + ",phone_number\nr1" + ada + ",+1 555\n\nr2" + ada + ",\n"))
	require.NoError(t, err)
	require.Len(t, rows, 2)
	assert.Equal(t, []any{2, "r1", 1985, "0000", "+1 555"},
		[]any{rows[0].line, rows[0].reference, rows[0].params.BirthYear, rows[0].params.DocumentValue, rows[0].params.PhoneNumber})
	assert.Equal(t, []any{4, "r2", ""}, []any{rows[1].line, rows[1].reference, rows[1].params.PhoneNumber})
	assert.NotEqual(t, rows[0].digest, rows[1].digest)
}

func TestEveryColumnHasAFieldOfItsOwn(t *testing.T) {
	t.Parallel()
	plain, _ := readRow(2, nil, nil)
	seen := map[[32]byte]string{plain.digest: "no column"}
	for _, name := range columnNames() {
		if name == referenceColumn {
			continue
		}
		r, _ := readRow(2, []string{name}, []string{"7"})
		assert.Empty(t, seen[r.digest], name)
		seen[r.digest] = name
	}
}

func FuzzRows(f *testing.F) {
	f.Add(header + "\nr1" + ada)
	f.Add("reference\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := readRows([]byte(text))
		if err != nil {
			return
		}
		references := map[string]bool{}
		for _, r := range rows {
			require.NotEmpty(t, r.reference)
			require.False(t, references[r.reference])
			require.NoError(t, r.params.Validate())
			references[r.reference] = true
		}
	})
}
