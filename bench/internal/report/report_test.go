package report_test

import (
	"encoding/xml"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"example.com/idv/bench/internal/report"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func sample() []report.Table {
	return []report.Table{
		{Title: "One", Text: "About | nothing", Head: []string{"library", "time", "× floor"}, Rows: [][]string{
			{"floor: <none>", "1 µs", "1.00"}, {"idv", "500 ns", "0.50"}, {"other", "", ""},
		}},
		{Title: "Two", Head: []string{"library", "× at 1", "× at 2"}, Rows: [][]string{{"idv", "2.00", "3.00"}}},
	}
}

func TestMarkdownCanBeReadBack(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, table := range sample() {
		text.WriteString(table.Markdown() + "\nwords\n\n")
	}
	want := sample()
	want[0].Text = ""
	assert.Equal(t, want, report.Parse(text.String()))
}

func TestSVG(t *testing.T) {
	t.Parallel()
	svg := report.SVG(sample())
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		_, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err, "well-formed")
	}
	assert.Contains(t, svg, "One: × floor")
	assert.Contains(t, svg, "Two: × at 2")
	assert.Contains(t, svg, "floor: &lt;none&gt;")
	assert.NotContains(t, svg, "other", "there is no bar where nothing was measured")
}

func TestBudgets(t *testing.T) {
	t.Parallel()
	table, broken := report.Budgets("", []report.Budget{
		{Work: "a", Limit: 0.6, Got: 0.6},
		{Work: "b", Limit: 40, Got: 41, Show: report.Whole},
	})
	assert.Equal(t, 1, broken)
	assert.Equal(t, [][]string{{"a", "≤ 0.60", "0.60", "pass"}, {"b", "≤ 40", "41", "**fail**"}}, table.Rows)
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "283 ns", report.Duration(283*time.Nanosecond))
	assert.Equal(t, "11.9 µs", report.Duration(11900*time.Nanosecond))
	assert.Equal(t, "1.85 ms", report.Duration(1850*time.Microsecond))
	assert.Equal(t, "2.50 s", report.Duration(2500*time.Millisecond))
	assert.Equal(t, "2.20 MiB", report.Bytes(2.2*(1<<20)))
	assert.Equal(t, "208 B", report.Bytes(208))
	assert.Equal(t, "0.00039", report.Ratio(0.00039))
}

// The plot is that of the table it stands beside, and the README quotes both as they are.
func TestTheCommittedPlotAndReadmeAreThoseOfTheCommittedTables(t *testing.T) {
	t.Parallel()
	tables := file(t, "../../results.md")
	assert.Equal(t, report.SVG(report.Parse(tables)), file(t, "../../results.svg"))
	assert.Contains(t, file(t, "../../README.md"), strings.TrimSpace(tables))
}

func file(t *testing.T, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(content)
}
