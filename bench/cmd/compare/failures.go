package main

import (
	"context"
	"fmt"
	"time"

	"example.com/idv/bench/internal/connections"
	"example.com/idv/bench/internal/report"
	"example.com/idv/bench/internal/retries"
)

// retries runs in real time: all calls wait at once, and waiting disturbs nobody.
func (s *suite) retries(ctx context.Context) error {
	t := report.Table{
		Title: "Retries, each library as it comes",
		Text: fmt.Sprintf("%d GETs of each library at each share of failing requests: a third 503, a third 502, a third broken connections. "+
			"The service itself takes no time. Go-github and godo retry only if told to.", s.calls),
		Head: []string{"", "retries", "faults", "success", "requests per call", "median", "99 of 100 within"},
	}
	for _, fault := range retries.Faults {
		outcomes, err := retries.Run(ctx, fault, s.calls)
		if err != nil {
			return err
		}
		for _, o := range outcomes {
			t.Rows = append(t.Rows, []string{
				o.Name, o.Retries, percent(o.Fault), percent(o.Success), report.Ratio(o.Attempts), wait(o.Median), wait(o.P99),
			})
		}
	}
	s.add(t)
	return nil
}

func percent(share float64) string { return fmt.Sprintf("%.4g %%", 100*share) }

// wait shows what is no wait at all as 0: it is the noise of thousands of goroutines that start at once.
func wait(d time.Duration) string {
	if d < 50*time.Millisecond {
		return "0"
	}
	return report.Duration(d)
}

func (s *suite) connections(context.Context) error {
	t := report.Table{
		Title: "Connections opened, TLS and HTTP/1.1",
		Text:  fmt.Sprintf("%d requests to a service that answers after 5 ms.", s.requests),
		Head:  []string{"", "callers", "opened per 1000 requests", "of these after the first of each caller", "requests per second"},
	}
	for _, callers := range []int{1, 8, 64} {
		table, err := connections.Count(callers, s.requests, 5*time.Millisecond)
		if err != nil {
			return err
		}
		for _, o := range table {
			t.Rows = append(t.Rows, []string{
				o.Name, fmt.Sprint(o.Callers), fmt.Sprintf("%.4g", o.Connections), fmt.Sprintf("%.4g", o.Later), report.Whole(o.PerSecond),
			})
		}
		if callers == 64 {
			s.count("new connections per 1000 requests, 64 callers over TLS, HTTP/1.1", 40, table[0].Connections)
		}
	}
	s.add(t)
	return nil
}

func (s *suite) idle(context.Context) error {
	table, err := connections.Survivors(16)
	if err != nil {
		return err
	}
	t := report.Table{
		Title: "The idle pool after a failure",
		Text:  "As many connections idle as the pool keeps, then one call is answered 500, then 16 callers at once.",
		Head:  []string{"", "callers before", "connections used again"},
	}
	for _, row := range table {
		t.Rows = append(t.Rows, []string{row.Name, fmt.Sprint(row.Before), fmt.Sprint(row.Left)})
	}
	s.add(t)
	return nil
}
