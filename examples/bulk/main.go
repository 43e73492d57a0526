// Bulk verifies the people of a CSV file, each once, however often it is stopped, killed or run again.
//
//	go run . -sample 500 > people.csv
//	go run . -in people.csv > results.csv
//
// IDV_BASE_URL and IDV_API_KEY name the service; without them it starts a test service in its own process. A live key is refused
// unless -live is given: each new row is billed then.
//
// The file has a column reference, a text of your own that names a row for ever, and the columns of idv.PersonParams by their names
// in the contract. It is checked as a whole first: a bad row is reported by line and column, never by value, and nothing is spent.
//
// # Why nothing is paid for twice
//
// Before a row is sent, the journal (a SQLite file, -journal) says so; after the answer, it has the result. A row that the journal
// calls sent, and of which it knows no result, was under way when the program died. It is looked for before it is sent again:
// reference and the journal's batch are in its note, and CreateOnce finds it by that. The look comes no sooner than the settling
// time (-settling) after the row was sent, since a dead program's request may still be on its way.
//
// So keep the journal, and give it to every run over the same people. It holds references, ids and results, and a hash of each row
// that tells changed data; no names and no documents. Two runs cannot have it at once.
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
	context.AfterFunc(ctx, stop) // the second Ctrl-C ends it at once; the journal can take that
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bulk:", err)
		os.Exit(1)
	}
}

type settings struct {
	in, out, journal string
	rate             float64
	parallel, giveUp int
	settling         time.Duration
	live             bool
	sample           int
}

func parse(args []string, messages io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bulk", flag.ContinueOnError)
	flags.SetOutput(messages)
	flags.StringVar(&s.in, "in", "", "`file` with the people")
	flags.StringVar(&s.out, "out", "", "`file` for the results (default: standard output)")
	flags.StringVar(&s.journal, "journal", "", "`file` that remembers what was sent (default: that of -in with .journal behind it)")
	flags.Float64Var(&s.rate, "rate", 5, "verifications per second; look-ups come on top")
	flags.IntVar(&s.parallel, "parallel", 4, "`number` of verifications at a time")
	flags.IntVar(&s.giveUp, "give-up", 10, "stop after this `number` of rows whose outcome is left open")
	flags.DurationVar(&s.settling, "settling", 30*time.Second, "`time` that the service is given to show what a broken request has made")
	flags.BoolVar(&s.live, "live", false, "take a live key: verifications are billed")
	flags.IntVar(&s.sample, "sample", 0, "print a file with this `number` of made-up people, and do nothing else")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	return s, s.check(flags.NArg())
}

func (s settings) check(arguments int) error {
	switch {
	case arguments > 0:
		return errors.New("there are arguments that are no flags")
	case s.in == "" && s.sample <= 0:
		return errors.New("-in is missing: it names the file with the people (-sample makes one)")
	case s.rate <= 0 || s.parallel < 1 || s.giveUp < 1 || s.settling < 0:
		return errors.New("-rate, -parallel and -give-up must be positive, and -settling not negative")
	}
	return nil
}

func run(ctx context.Context, args []string, out, messages io.Writer) (err error) {
	set, err := parse(args, messages)
	if err != nil {
		return err
	}
	if set.sample > 0 {
		return writeSample(out, set.sample)
	}
	rows, err := readFile(set.in)
	if err != nil {
		return err
	}
	service, err := connect(set)
	if err != nil {
		return err
	}
	defer service.close()
	j, err := openJournal(service.journal, service.name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.close()) }()
	b, err := newBatch(set, service.client, j, rows, messages)
	if err != nil {
		return err
	}
	return errors.Join(b.run(ctx), b.report(out, messages))
}

// connection is the service that a run talks to.
type connection struct {
	client  *idv.Client
	name    string // that a journal keeps: results of one service are none of another
	journal string
	close   func()
}

func connect(set settings) (connection, error) {
	c := connection{journal: set.journal, close: func() {}}
	base := os.Getenv("IDV_BASE_URL")
	var err error
	if base == "" && os.Getenv("IDV_API_KEY") == "" {
		service := idvtest.NewServer()
		base, c.close = service.URL, service.Close
		if c.journal == "" {
			c.journal = ":memory:" // the service forgets as well
		}
		c.client, err = idv.New(service.URL, service.TestKey)
	} else {
		c.client, err = idv.NewFromEnv(keys(set)...)
	}
	if err != nil {
		c.close()
		return c, err
	}
	if c.journal == "" {
		c.journal = set.in + ".journal"
	}
	c.name = fmt.Sprintf("%s, %s mode", base, c.client.Mode())
	return c, nil
}

func keys(set settings) []idv.Option {
	if set.live {
		return nil
	}
	return []idv.Option{idv.WithTestModeOnly()}
}
