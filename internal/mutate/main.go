// Mutate measures what the tests notice: it changes one operator, condition, constant or statement at a time and runs the tests of
// the package. A mutant that they let through is a line that could be wrong without anybody knowing.
//
//	go run ./internal/mutate                    every mutant: hours
//	go run ./internal/mutate -sample 100        100 of them, the same ones for the same -seed
//	go run ./internal/mutate -only transport    those whose position matches
//
// It touches no file: a mutant is an overlay of the go command. It fails if fewer than 95 % are noticed. docs/mutation.md lists what
// survives, and why.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// target is a set of files and the packages whose tests have to notice a change to them, the quickest first.
type target struct {
	files string // as for filepath.Glob
	tests []string
}

var targets = []target{
	{"internal/signature/*.go", []string{"./internal/signature", "./webhook"}},
	{"internal/transport/*.go", []string{"./internal/transport", "."}},
	{"webhook/*.go", []string{"./webhook"}},
	{"list.go", []string{"."}},
	{"scan.go", []string{"."}},
	{"internal/scan/*.go", []string{"./internal/scan", "."}},
	{"errors.go", []string{"."}},
	{"outcome.go", []string{"."}},
}

const wanted = 0.95

func main() {
	sample := flag.Int("sample", 0, "how many mutants to try; 0 is all")
	seed := flag.Uint64("seed", 1, "which ones")
	only := flag.String("only", "", "a regular expression for their positions")
	flag.Parse()
	mutants, err := all(regexp.MustCompile(*only))
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	}
	if *sample > 0 && *sample < len(mutants) {
		r := rand.New(rand.NewPCG(*seed, 0))
		r.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:*sample]
	}
	if !report(mutants) {
		os.Exit(1)
	}
}

// all finds the mutants of every target.
func all(only *regexp.Regexp) (mutants []mutant, err error) {
	for _, t := range targets {
		files, err := filepath.Glob(t.files)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || filepath.Base(file) == "doc.go" {
				continue
			}
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			found, err := find(file, source)
			if err != nil {
				return nil, err
			}
			for i := range found {
				found[i].tests = t.tests
			}
			mutants = append(mutants, found...)
		}
	}
	return slices.DeleteFunc(mutants, func(m mutant) bool { return !only.MatchString(m.position) }), nil
}

// report tries every mutant and tells what became of it.
func report(mutants []mutant) bool {
	counts := map[verdict]int{}
	for i, m := range mutants {
		v, err := m.try()
		if err != nil {
			fmt.Fprintln(os.Stderr, "mutate:", err)
			return false
		}
		counts[v]++
		fmt.Printf("%4d/%d  %-16s  %s: %s\n", i+1, len(mutants), v, m.position, m.what)
	}
	tried := counts[killed] + counts[survived]
	score := float64(counts[killed]) / float64(max(tried, 1))
	fmt.Printf("%d mutants: %d killed, %d survived, %d do not compile: %.1f %%\n", len(mutants), counts[killed], counts[survived], counts[broken], 100*score)
	return score >= wanted
}
