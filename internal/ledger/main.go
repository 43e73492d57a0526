// Ledger runs the tests that show the contract and writes which statement is shown by which.
//
//	go run ./internal/ledger            # run the tests, write docs/contract.md
//	go run ./internal/ledger -check     # run the tests, fail if a row is not shown or docs/contract.md is not up to date
//
// A statement is shown by passing subtests whose names begin with its id, below a test named TestContract. Which side
// must show it says the last column of ledger.md; the package of a test says which side it is on.
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
)

//go:embed ledger.md
var ledger string

const output = "docs/contract.md"

func main() {
	check := flag.Bool("check", false, "compare with "+output+" instead of writing it")
	flag.Parse()
	if err := run(*check); err != nil {
		fmt.Fprintln(os.Stderr, "ledger:", err)
		os.Exit(1)
	}
}

func run(check bool) error {
	cmd := exec.Command("go", "test", "-run", "^TestContract", "-json", "./...")
	cmd.Stderr = os.Stderr
	events, failed := cmd.Output()
	rows := parseLedger(ledger)
	shown, err := parseTests(bytes.NewReader(events))
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	if err := missing(rows, shown); err != nil {
		return err
	}
	table := render(rows, shown)
	if !check {
		return os.WriteFile(output, table, 0o644)
	}
	if have, err := os.ReadFile(output); err != nil || !bytes.Equal(have, table) {
		return errors.New(output + " is not what the tests show: run go run ./internal/ledger")
	}
	fmt.Printf("%d statements, each shown\n", len(rows))
	return nil
}

// row is one statement of the contract.
type row struct {
	id, statement string
	sides         []string // client, service, verifier
}

func parseLedger(text string) (rows []row) {
	form := regexp.MustCompile(`(?m)^\| ([RW]\d\d) \| (.+) \| ([a-z, ]+) \|$`)
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		rows = append(rows, row{m[1], m[2], strings.Split(m[3], ", ")})
	}
	return rows
}

// showing maps the id of a statement to the sides that show it, and those to the names of their tests.
type showing map[string]map[string][]string

var idForm = regexp.MustCompile(`^[RW]\d\d(?:(?:,|,?_and)?_[RW]\d\d)*`)

func parseTests(events io.Reader) (showing, error) {
	shown := showing{}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Action, Package, Test string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("go test -json: %w", err)
		}
		test, sub, _ := strings.Cut(e.Test, "/")
		ids := idForm.FindString(sub)
		if ids == "" || e.Action != "pass" && e.Action != "fail" && e.Action != "skip" {
			continue
		}
		if e.Action != "pass" {
			return nil, fmt.Errorf("%s %s: %s", e.Action, test, sub)
		}
		shown.add(ids, e.Package, test)
	}
	return shown, lines.Err()
}

func (s showing) add(ids, pkg, test string) {
	for _, id := range regexp.MustCompile(`[RW]\d\d`).FindAllString(ids, -1) {
		if s[id] == nil {
			s[id] = map[string][]string{}
		}
		_, short, _ := strings.Cut(pkg, "/") // without the host, so that a rename of the module leaves the table as it is
		name := short + "." + test
		for _, side := range sidesOf(pkg, test) {
			if !slices.Contains(s[id][side], name) {
				s[id][side] = append(s[id][side], name)
			}
		}
	}
}

// sidesOf tells which sides a test shows something of: a test through the service has the SDK at one end and the test
// service at the other.
func sidesOf(pkg, test string) []string {
	switch {
	case strings.Contains(pkg, "/idvtest"):
		return []string{"service"}
	case strings.Contains(pkg, "/webhook"):
		return []string{"verifier"}
	case strings.HasSuffix(test, "ThroughTheService"):
		return []string{"client", "service"}
	}
	return []string{"client"}
}

func missing(rows []row, shown showing) error {
	var errs []error
	for _, r := range rows {
		for _, side := range r.sides {
			if len(shown[r.id][side]) == 0 {
				errs = append(errs, fmt.Errorf("%s is not shown by the %s: %s", r.id, side, r.statement))
			}
		}
	}
	return errors.Join(errs...)
}

func render(rows []row, shown showing) []byte {
	var b bytes.Buffer
	b.WriteString("# The contract, statement by statement\n\n")
	fmt.Fprintf(&b, "All %d statements, and the tests whose passing subtests, named by the id, show them. Written by `go run ./internal/ledger` from a test run.\n\n", len(rows))
	b.WriteString("| id | statement | must be shown by | shown by |\n|---|---|---|---|\n")
	for _, r := range rows {
		var tests []string
		for _, names := range shown[r.id] {
			tests = append(tests, names...)
		}
		slices.Sort(tests)
		list := strings.Join(slices.Compact(tests), "`<br>`")
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` |\n", r.id, r.statement, strings.Join(r.sides, ", "), list)
	}
	return b.Bytes()
}
