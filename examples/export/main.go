// Export writes all people, or all candidates, to standard output as JSON Lines or CSV.
//
//	go run ./examples/export > people.jsonl
//	go run ./examples/export -what candidates -format csv > candidates.csv
//
// It starts a test service with 50,000 objects (-n) in its own process. With IDV_BASE_URL and IDV_API_KEY in the environment it
// exports from the service there. Reading costs nothing; what it writes is personal data.
//
// # After a break
//
// The lines come in the order of (created_at, id), oldest first, whatever the order of the service. So the last whole line says
// how far an export has got:
//
//	go run ./examples/export -since 1735689600/5f2a9c >> people.jsonl     after created_at 1735689600 and id 5f2a9c
//	go run ./examples/export -since 2025-01-01T00:00:00Z >> people.jsonl  created at that second or later
//
// With the id nothing comes twice: of the objects of that second, only those behind the id are written. With the time alone, the
// whole second comes again. Ctrl-C, and any error, ends the export at a whole line and prints the -since to go on with. After a
// kill or a full disk take it from the last whole line yourself, and first remove the broken line behind it, if there is one. An
// export that goes on in a CSV file needs -header=false.
//
// The latest ten minutes are left out: an object can appear in lists some seconds after its creation (observed), and behind a line
// that is already written it would be missed. At its end an export prints the -since for what comes later.
//
// # What is in the lines
//
// JSON Lines are the objects as the service sent them, unknown members included, one per line. CSV has the members of the contract,
// null and "" both as an empty cell, and no escaping but that of CSV. A name that begins with = is data and stays so; a
// spreadsheet would run it as a formula: -spreadsheet puts an apostrophe before such cells.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // the second Ctrl-C ends it at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "export:", err)
		os.Exit(1)
	}
}

type settings struct {
	what, format        string
	since               mark
	until               int64 // Unix seconds, 0 for none
	parallel, page, n   int
	header, spreadsheet bool
	chunk               int // objects that are held in memory and sorted
}

const defaultChunk = 10_000

func parse(args []string, out io.Writer) (settings, error) {
	s := settings{chunk: defaultChunk}
	flags := flag.NewFlagSet("export", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&s.what, "what", "people", "people or candidates")
	flags.StringVar(&s.format, "format", "jsonl", "jsonl or csv")
	flags.Func("since", "`time` (RFC 3339 or Unix seconds), or time/id of the last line, to go on from", func(text string) (err error) {
		s.since, err = parseMark(text)
		return err
	})
	flags.Func("until", "`time` (RFC 3339 or Unix seconds) of the last objects", func(text string) (err error) {
		s.until, err = parseSecond(text)
		return err
	})
	flags.IntVar(&s.parallel, "parallel", 4, "`number` of requests at a time")
	flags.IntVar(&s.page, "page", 100, "`number` of objects asked for at a time (observed, not in the written contract); 0 leaves it to the service")
	flags.IntVar(&s.n, "n", 50_000, "`number` of objects of the test service")
	flags.BoolVar(&s.header, "header", true, "begin CSV with the names of the columns")
	flags.BoolVar(&s.spreadsheet, "spreadsheet", false, "in CSV, put an apostrophe before what a spreadsheet would run as a formula")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, errors.New("there are arguments that are no flags")
	}
	return s, nil
}

func run(ctx context.Context, args []string, out, messages io.Writer) error {
	set, err := parse(args, messages)
	if err != nil {
		return err
	}
	client, done, err := connect(set.n)
	if err != nil {
		return err
	}
	defer done()
	return export(ctx, client, set, out, messages)
}

// connect makes a client for the service of the environment, or else for a test service with n people and n candidates.
func connect(n int) (client *idv.Client, done func(), err error) {
	if os.Getenv("IDV_BASE_URL") != "" || os.Getenv("IDV_API_KEY") != "" {
		client, err = idv.NewFromEnv()
		return client, func() {}, err
	}
	service := idvtest.NewServer(idvtest.WithSeed(1)) // so that the next run can go on where this one was stopped
	seed(service, n)
	client, err = idv.New(service.URL, service.TestKey)
	done = func() {
		client.CloseIdleConnections()
		service.Close()
	}
	return client, done, err
}

// seed adds objects over two years, some of them within one second.
func seed(service *idvtest.Server, n int) {
	end := service.Clock.Now().Add(-time.Hour)
	step := 2 * 365 * 24 * time.Hour / time.Duration(max(n, 1))
	created := func(i int) time.Time { return end.Add(-step * time.Duration(n-i+i%3)) }
	service.AddPeople(n, func(i int) idvtest.Person {
		return idvtest.Person{NameFirst: "Ada", NameLast: fmt.Sprint("Number", i), CreatedAt: created(i)}
	})
	service.AddCandidates(n, func(i int) idvtest.Candidate {
		return idvtest.Candidate{NameFirst: "Ada", NameLast: fmt.Sprint("Number", i), CreatedAt: created(i)}
	})
}
