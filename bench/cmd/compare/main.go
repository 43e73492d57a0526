// Command compare measures package idv against other libraries and prints the tables as Markdown.
//
// With -write it also writes results.md and results.svg, and puts the tables into README.md, in the directory that -dir names. A run
// takes about four minutes; -quick is for a first look only.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"example.com/idv/bench/internal/measure"
	"example.com/idv/bench/internal/report"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	write := flag.Bool("write", false, "write results.md and results.svg, and the tables into README.md")
	dir := flag.String("dir", ".", "where -write writes: the directory bench of the repository")
	quick := flag.Bool("quick", false, "few and short rounds: for a look, not for a result")
	rounds := flag.Int("rounds", 101, "turns of each contender; the median is taken over these")
	slice := flag.Duration("slice", 5*time.Millisecond, "length of a turn")
	only := flag.String("only", "", "measure only the part of this name, such as calls or webhooks; not with -write")
	flag.Parse()
	if *only != "" && *write {
		return errors.New("-only would write half of the results")
	}

	s := &suite{plan: measure.Plan{Rounds: *rounds, Slice: *slice}, calls: 1000, requests: 2000}
	if *quick {
		s.plan, s.calls = measure.Plan{Rounds: 11, Slice: 2 * time.Millisecond}, 200
	}
	if err := s.measure(ctx, *only); err != nil {
		return err
	}
	text := s.markdown()
	fmt.Print(text)
	if !*write {
		return nil
	}
	return save(*dir, text)
}

// markdown is everything that was measured. The budgets come first: they are what a reader asks for.
func (s *suite) markdown() string {
	budgets, _ := report.Budgets("Those of the project that are measured here. A failure is a fact of this run, and left standing.", s.budgets)
	var b strings.Builder
	fmt.Fprintf(&b, "Measured with %s on %s/%s, GOMAXPROCS %d: medians of %d rounds of %v for each contender, interleaved in one process "+
		"in changing order; a ratio is the median of the ratios within a round. Times are processor times, which the load of a machine does "+
		"not lengthen; over loopback they are those of client and server together, without the waiting that is the same for all. Rows within 10 %% of each other are not ranked. A row without "+
		"numbers is a library that could not be had.\n\n",
		runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0), s.plan.Rounds, s.plan.Slice)
	fmt.Fprintf(&b, "The libraries: %s.\n\n", versions())
	for _, t := range append([]report.Table{budgets}, s.tables...) {
		b.WriteString(t.Markdown() + "\n")
	}
	return b.String()
}

// Marks in README.md between which the tables stand.
const begin, end = "<!-- results -->\n", "<!-- end of results -->\n"

func save(dir, text string) error {
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(readme), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("README.md has not the marks %q and %q", begin, end)
	}
	for name, content := range map[string]string{
		"results.md":  text,
		"results.svg": report.SVG(report.Parse(text)),
		"README.md":   before + begin + "\n" + text + end + after,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
