package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

var errOutput = errors.New("writing the output failed")

// lines writes objects in a format.
type lines interface {
	begin() error
	// write returns nil only after every line has left the process.
	write(objects []object) error
}

func newLines(out io.Writer, set settings) (lines, error) {
	switch set.format {
	case "jsonl":
		return &jsonLines{bufio.NewWriterSize(out, 64<<10)}, nil
	case "csv":
		return &csvLines{w: csv.NewWriter(out), columns: columns[set.what], header: set.header, guard: set.spreadsheet}, nil
	}
	return nil, fmt.Errorf("-format %q: it is jsonl or csv", set.format)
}

type jsonLines struct{ w *bufio.Writer }

func (l *jsonLines) begin() error { return nil }

func (l *jsonLines) write(objects []object) error {
	var line bytes.Buffer
	for _, o := range objects {
		line.Reset()
		if err := json.Compact(&line, o.raw); err != nil { // a newline of the service would end the line
			return err
		}
		line.WriteByte('\n')
		if _, err := l.w.Write(line.Bytes()); err != nil {
			return fmt.Errorf("%w: %w", errOutput, err)
		}
	}
	if err := l.w.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}

type csvLines struct {
	w             *csv.Writer
	columns       []string
	header, guard bool
}

func (l *csvLines) begin() error {
	if !l.header {
		return nil
	}
	_ = l.w.Write(l.columns) // its error stays in the writer
	return l.flush()
}

func (l *csvLines) write(objects []object) error {
	row := make([]string, len(l.columns))
	for _, o := range objects {
		if err := l.fill(row, o.raw); err != nil {
			return err
		}
		_ = l.w.Write(row)
	}
	return l.flush()
}

func (l *csvLines) fill(row []string, raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // numbers stay as they are written
	var members map[string]any
	if err := decoder.Decode(&members); err != nil {
		return err
	}
	for i, column := range l.columns {
		row[i] = cell(members, column)
		if l.guard {
			row[i] = guarded(row[i])
		}
	}
	return nil
}

func (l *csvLines) flush() error {
	l.w.Flush()
	if err := l.w.Error(); err != nil {
		return fmt.Errorf("%w: %w", errOutput, err)
	}
	return nil
}
