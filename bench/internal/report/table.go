// Package report writes measurements as Markdown, and draws the Markdown that it has written: the plot shows the table it stands
// beside, whatever was measured since.
package report

import (
	"fmt"
	"strings"
	"time"
)

// Table is one measurement, or several of the same contenders.
type Table struct {
	Title string
	Text  string // what stands above it
	Head  []string
	Rows  [][]string
}

// Times marks the head of a column of ratios to the floor. Such columns are plotted.
const Times = "×"

// Markdown is the table under its title.
func (t Table) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", t.Title)
	if t.Text != "" {
		fmt.Fprintf(&b, "%s\n\n", t.Text)
	}
	line(&b, t.Head)
	b.WriteString("|---" + strings.Repeat("|--:", len(t.Head)-1) + "|\n")
	for _, row := range t.Rows {
		line(&b, row)
	}
	return b.String()
}

func line(b *strings.Builder, cells []string) {
	fmt.Fprintf(b, "| %s |\n", strings.Join(cells, " | "))
}

// Parse reads the tables of a Markdown text that Markdown has written. The texts between are passed over.
func Parse(markdown string) []Table {
	var tables []Table
	for text := range strings.Lines(markdown) {
		text = strings.TrimSpace(text)
		if title, ok := strings.CutPrefix(text, "### "); ok {
			tables = append(tables, Table{Title: title})
			continue
		}
		if len(tables) == 0 || !strings.HasPrefix(text, "|") || strings.HasPrefix(text, "|---") {
			continue
		}
		t := &tables[len(tables)-1]
		if t.Head == nil {
			t.Head = cells(text)
		} else {
			t.Rows = append(t.Rows, cells(text))
		}
	}
	return tables
}

func cells(text string) []string {
	parts := strings.Split(strings.Trim(text, "|"), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// Ratio has two decimals, a great one fewer.
func Ratio(r float64) string {
	switch {
	case r >= 100:
		return fmt.Sprintf("%.0f", r)
	case r >= 10:
		return fmt.Sprintf("%.1f", r)
	case r < 0.01:
		return fmt.Sprintf("%.5f", r)
	}
	return fmt.Sprintf("%.2f", r)
}

// Duration has three figures.
func Duration(d time.Duration) string {
	switch {
	case d < time.Microsecond:
		return fmt.Sprintf("%d ns", d.Nanoseconds())
	case d < time.Millisecond:
		return figures(float64(d)/1e3) + " µs"
	case d < time.Second:
		return figures(float64(d)/1e6) + " ms"
	}
	return figures(d.Seconds()) + " s"
}

func figures(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

// Bytes is a size in the largest unit that leaves it above 1.
func Bytes(n float64) string {
	switch {
	case n >= 1<<20:
		return figures(n/(1<<20)) + " MiB"
	case n >= 1<<10:
		return figures(n/(1<<10)) + " KiB"
	}
	return fmt.Sprintf("%.0f B", n)
}
