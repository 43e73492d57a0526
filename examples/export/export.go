package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"example.com/idv"
	"example.com/idv/examples/internal/bar"
)

// lag is how far behind the service's clock an export ends: what is older can no longer change its place.
const lag = 10 * time.Minute

// exporter reads span by span, oldest first, and writes each in order once it has all of it.
type exporter struct {
	set    settings
	source source
	lines  lines
	bar    *bar.Bar

	last        mark // of what is written, or where it was to begin
	written     int
	seen, total int // for the bar; seen counts what since has left out, too
}

func export(ctx context.Context, client *idv.Client, set settings, out, messages io.Writer) error {
	src, err := newSource(client, set.what)
	if err != nil {
		return err
	}
	l, err := newLines(out, set)
	if err != nil {
		return err
	}
	e := &exporter{set: set, source: src, lines: l, bar: bar.New(messages, set.what), last: set.since}
	until, err := e.run(ctx)
	e.bar.Clear()
	if err != nil {
		return e.stopped(ctx, err)
	}
	fmt.Fprintf(messages, "%d %s, complete to %s. For what comes later:%s\n", e.written, set.what, mark{second: until}, e.goOn(mark{second: until + 1}))
	return nil
}

// run returns the second up to which everything is written.
func (e *exporter) run(ctx context.Context) (int64, error) {
	now, err := e.source.now(ctx)
	if err != nil {
		return 0, err
	}
	until := now - int64(lag/time.Second)
	if e.set.until != 0 {
		until = min(until, e.set.until)
	}
	if err := e.lines.begin(); err != nil {
		return 0, err
	}
	if e.set.since.second > until {
		return until, nil
	}
	return until, e.span(ctx, e.set.since.second, until)
}

// span exports what was created in [from, to]: at once if that is little enough to be held in memory, else in halves.
func (e *exporter) span(ctx context.Context, from, to int64) error {
	n, err := e.source.count(ctx, &idv.ListParams{CreatedAt: between(from, to)})
	if err != nil {
		return err
	}
	e.total = max(e.total, n) // the first span is the whole
	switch {
	case n == 0:
		return nil
	case n <= e.set.chunk || from == to:
		return e.chunk(ctx, from, to)
	}
	middle := from + (to-from)/2
	if err := e.span(ctx, from, middle); err != nil {
		return err
	}
	return e.span(ctx, middle+1, to)
}

// chunk writes a span that is read whole. An incomplete one ends the export: a later line would hide that something is missing.
func (e *exporter) chunk(ctx context.Context, from, to int64) error {
	params := &idv.ListParams{CreatedAt: between(from, to), Count: e.set.page}
	progress := idv.OnProgress(func(done, _ int) { e.bar.Show(e.seen+done, e.total) })
	var chunk []object
	seen := 0
	for o, err := range e.source.all(ctx, params, idv.Parallel(e.set.parallel), progress) {
		if err != nil {
			return err
		}
		seen++
		if o.compare(e.set.since) > 0 {
			chunk = append(chunk, o)
		}
	}
	slices.SortFunc(chunk, func(a, b object) int { return a.compare(b.mark) })
	if err := e.lines.write(chunk); err != nil {
		return err
	}
	e.seen += seen
	e.written += len(chunk)
	if len(chunk) > 0 {
		e.last = chunk[len(chunk)-1].mark
	}
	return nil
}

var errInterrupted = errors.New("interrupted")

// stopped adds to the reason how to go on.
func (e *exporter) stopped(ctx context.Context, err error) error {
	if errors.Is(err, errOutput) {
		return fmt.Errorf("%w\nThe output may end within a line. Remove that, and go on with -since and created_at/id of the last whole line", err)
	}
	if ctx.Err() != nil {
		err = errInterrupted
	}
	if e.last == (mark{}) {
		return fmt.Errorf("%w before anything was written", err)
	}
	return fmt.Errorf("%w\n%d %s are written. To go on:%s", err, e.written, e.set.what, e.goOn(e.last))
}

// goOn is the flags for the next run.
func (e *exporter) goOn(from mark) string {
	flags := fmt.Sprintf(" -what %s -format %s -since %s", e.set.what, e.set.format, from)
	if e.set.format == "csv" {
		flags += " -header=false"
	}
	return flags
}
