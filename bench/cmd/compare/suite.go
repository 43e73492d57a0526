package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"

	"example.com/idv/bench/internal/calls"
	"example.com/idv/bench/internal/measure"
	"example.com/idv/bench/internal/queries"
	"example.com/idv/bench/internal/report"
	"example.com/idv/bench/internal/sample"
	"example.com/idv/bench/internal/webhooks"
)

// suite is a run of all measurements.
type suite struct {
	plan     measure.Plan
	calls    int // of each library, at each share of faults
	requests int // of which connections are counted
	tables   []report.Table
	budgets  []report.Budget
}

// measure runs the parts, or only the one that is named.
func (s *suite) measure(ctx context.Context, only string) error {
	for _, part := range []struct {
		name string
		run  func(context.Context) error
	}{
		{"calls", s.callsInProcess}, {"calls over loopback", s.callsOverLoopback}, {"query strings", s.queries},
		{"webhooks", s.webhooks}, {"forged webhooks", s.forged}, {"webhook handlers", s.handlers},
		{"retries", s.retries}, {"connections", s.connections}, {"idle connections", s.idle},
	} {
		if only != "" && only != part.name {
			continue
		}
		fmt.Fprintln(os.Stderr, "measuring", part.name)
		if err := part.run(ctx); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	if len(s.tables) == 0 {
		return fmt.Errorf("no part is called %q", only)
	}
	return nil
}

func (s *suite) add(t report.Table) { s.tables = append(s.tables, t) }

func (s *suite) budget(work string, limit, got float64) {
	s.budgets = append(s.budgets, report.Budget{Work: work, Limit: limit, Got: got})
}

func (s *suite) count(work string, limit, got float64) {
	s.budgets = append(s.budgets, report.Budget{Work: work, Limit: limit, Got: got, Show: report.Whole})
}

// missing is the row of a library that could not be had.
func missing(columns int) []string {
	row := make([]string, columns)
	row[0] = "workos-go"
	return row
}

// readers gives the contenders that read one person, and those that read a list.
func readers(ctx context.Context, clients []calls.Client) (get, list []measure.Contender) {
	for _, c := range clients {
		get = append(get, contender(c.Name, func() (any, error) { return c.Get(ctx) }))
		list = append(list, contender(c.Name, func() (any, error) { return c.List(ctx) }))
	}
	return get, list
}

func contender(name string, f func() (any, error)) measure.Contender {
	return measure.Contender{Name: name, Run: func() error {
		_, err := f()
		return err
	}}
}

func (s *suite) callsInProcess(ctx context.Context) error {
	one, err := s.read(ctx, "GET one person, in process", sample.PersonJSONs(), true)
	if err != nil {
		return err
	}
	if _, err := s.read(ctx, "GET a list of 25, in process", sample.PeopleJSONs(25), false); err != nil {
		return err
	}
	hundred, err := s.read(ctx, "GET a list of 100, in process", sample.PeopleJSONs(100), false)
	if err != nil {
		return err
	}
	s.budget("GET one person, in process", 0.60, one.Ratio)
	s.count("GET one person: allocations", 40, one.Allocs)
	s.budget("GET a list of 100 people, in process, raw JSON kept per item", 0.60, hundred.Ratio)
	return nil
}

// read measures all clients on the same answers, and returns ours.
func (s *suite) read(ctx context.Context, title string, answers [][]byte, one bool) (measure.Result, error) {
	clients, err := calls.All("https://api.example", func() http.RoundTripper { return sample.Successes(answers...) })
	if err != nil {
		return measure.Result{}, err
	}
	return s.table(s.plan, title, fmt.Sprintf("An answer of %s.", report.Bytes(float64(len(answers[0])))), pick(ctx, clients, one))
}

func pick(ctx context.Context, clients []calls.Client, one bool) []measure.Contender {
	get, list := readers(ctx, clients)
	if one {
		return get
	}
	return list
}

// table measures contenders, adds their table, and returns the result of the second, which is ours.
func (s *suite) table(plan measure.Plan, title, text string, contenders []measure.Contender) (measure.Result, error) {
	results, err := plan.Compare(contenders)
	if err != nil {
		return measure.Result{}, err
	}
	t := report.Table{Title: title, Text: text, Head: []string{"", "CPU time", "× floor", "allocations", "bytes"}}
	for _, r := range results {
		t.Rows = append(t.Rows, []string{r.Name, report.Duration(r.Time), report.Ratio(r.Ratio), report.Whole(r.Allocs), report.Bytes(r.Bytes)})
	}
	if len(contenders) == len(calls.Makers()) {
		t.Rows = append(t.Rows, missing(len(t.Head)))
	}
	s.add(t)
	return results[1], nil
}

// overConnection takes longer turns: who gets which processor when is part of every exchange, and has to even out.
func (s *suite) overConnection() measure.Plan {
	return measure.Plan{Rounds: s.plan.Rounds, Slice: 4 * s.plan.Slice}
}

const overConnection = "Turns four times as long. Time, allocations and bytes are those of both ends together."

func (s *suite) callsOverLoopback(ctx context.Context) error {
	for _, w := range []struct {
		title   string
		answers [][]byte
		one     bool
	}{
		{"GET one person, over loopback", sample.PersonJSONs(), true},
		{"GET a list of 100, over loopback", sample.PeopleJSONs(100), false},
	} {
		if err := s.overLoopback(ctx, w.title, w.answers, w.one); err != nil {
			return err
		}
	}
	return nil
}

// overLoopback gives every client connections of its own to one server.
func (s *suite) overLoopback(ctx context.Context, title string, answers [][]byte, one bool) error {
	server := httptest.NewServer(sample.Successes(answers...))
	defer server.Close()
	var pools []*http.Transport
	clients, err := calls.All(server.URL, func() http.RoundTripper {
		pools = append(pools, http.DefaultTransport.(*http.Transport).Clone())
		return pools[len(pools)-1]
	})
	if err != nil {
		return err
	}
	_, err = s.table(s.overConnection(), title, overConnection, pick(ctx, clients, one))
	for _, p := range pools {
		p.CloseIdleConnections()
	}
	return err
}

func (s *suite) queries(context.Context) error {
	ours, err := s.table(s.plan, "Query string of four parameters", "", queries.Contenders())
	s.budget("query string of four parameters", 2.7, ours.Ratio)
	return err
}

// webhooks is one table for all sizes: the ratios of one library stand side by side.
func (s *suite) webhooks(context.Context) error {
	t := report.Table{Title: "Webhook verification", Head: []string{"", "CPU time at 340 B"}}
	limits := []float64{1.25, 1.10, 1.05, 1.05}
	allocations := 0.0
	for i, size := range webhooks.Sizes {
		results, err := s.verify(size)
		if err != nil {
			return err
		}
		t.Head = append(t.Head, fmt.Sprintf("%s at %s", report.Times, report.Bytes(float64(size))))
		for row, r := range results {
			if i == 0 {
				t.Rows = append(t.Rows, []string{r.Name, report.Duration(r.Time)})
			}
			t.Rows[row] = append(t.Rows[row], report.Ratio(r.Ratio))
		}
		s.budget("VerifyMessage, "+report.Bytes(float64(size)), limits[i], results[1].Ratio)
		allocations = max(allocations, results[1].Allocs)
		if i == 0 || i == len(webhooks.Sizes)-1 {
			t.Head = append(t.Head, "allocations, bytes")
			for row, r := range results {
				t.Rows[row] = append(t.Rows[row], report.Whole(r.Allocs)+", "+report.Bytes(r.Bytes))
			}
		}
	}
	t.Rows = append(t.Rows, missing(len(t.Head)))
	s.add(t)
	s.count("VerifyMessage: allocations at any size", 0, allocations)
	return nil
}

func (s *suite) verify(size int) ([]measure.Result, error) {
	d := webhooks.Genuine(webhooks.Event(size))
	var contenders []measure.Contender
	for _, v := range webhooks.Verifiers() {
		verify, err := v.New(d)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", v.Name, err)
		}
		contenders = append(contenders, measure.Contender{Name: v.Name, Run: verify})
	}
	return s.plan.Compare(contenders)
}

func (s *suite) forged(context.Context) error {
	refusals, err := webhooks.Refusals(1 << 20)
	if err != nil {
		return err
	}
	var contenders []measure.Contender
	for _, r := range refusals {
		contenders = append(contenders, measure.Contender{Name: r.Name, Run: r.Refuse})
	}
	ours, err := s.table(s.plan, "A forged request of 1 MiB", "Its body is at hand and costs nothing to receive.", contenders)
	s.budget("refuse a forged 1 MiB request", 1.0/500, ours.Ratio)
	return err
}

func (s *suite) handlers(context.Context) error {
	receivers, err := webhooks.Receivers()
	if err != nil {
		return err
	}
	for _, size := range []int{340, 64 << 10} {
		var contenders []measure.Contender
		for _, r := range receivers {
			deliver, stop := webhooks.Deliver(r.Handler, webhooks.Genuine(webhooks.Event(size)), http.StatusOK)
			defer stop()
			contenders = append(contenders, measure.Contender{Name: r.Name, Run: deliver})
		}
		title := "The whole handler, over loopback, " + report.Bytes(float64(size))
		if _, err := s.table(s.overConnection(), title, overConnection, contenders); err != nil {
			return err
		}
	}
	return nil
}
