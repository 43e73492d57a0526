package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"example.com/idv"
)

var resultColumns = []string{
	"line", referenceColumn, "outcome", "person_id", "status",
	"address", "address_risk", "identification", "date_of_birth", "ofac", "pep", "problem",
}

// Outcomes of a row, in the results.
const (
	outcomeVerified = "verified"
	outcomeRefused  = "refused"
	outcomeOpen     = "open" // sent, and what came of it is not known: the next run looks for it
	outcomeNotSent  = "not sent"
)

// report writes a result for every row, those of earlier runs too, and a summary.
func (b *batch) report(out, messages io.Writer) error {
	outcomes, statuses := map[string]int{}, map[idv.Status]int{}
	results := [][]string{resultColumns}
	for _, r := range b.rows {
		e := b.entry(r)
		outcome := e.outcome()
		outcomes[outcome]++
		if outcome == outcomeVerified {
			statuses[e.status]++
		}
		d := e.details
		results = append(results, []string{
			strconv.Itoa(r.line), r.reference, outcome, e.personID, string(e.status), string(d.Address), string(d.AddressRisk),
			string(d.Identification), string(d.DateOfBirth), string(d.OFAC), string(d.PEP), e.problem,
		})
	}
	fmt.Fprintf(messages, "%d people: %d verified (%d now, %d before), %d refused, %d open, %d not sent. %d valid, %d invalid, %d otherwise.\n",
		len(b.rows), outcomes[outcomeVerified], b.now, outcomes[outcomeVerified]-b.now, outcomes[outcomeRefused], outcomes[outcomeOpen], outcomes[outcomeNotSent],
		statuses[idv.StatusValid], statuses[idv.StatusInvalid], outcomes[outcomeVerified]-statuses[idv.StatusValid]-statuses[idv.StatusInvalid])
	err := b.write(out, results)
	if outcomes[outcomeOpen] > 0 {
		err = errors.Join(err, fmt.Errorf("%d rows are open: run it again, and they are looked for", outcomes[outcomeOpen]))
	}
	return err
}

func (e entry) outcome() string {
	switch e.state {
	case stateDone:
		return outcomeVerified
	case stateRefused:
		return outcomeRefused
	case stateSent:
		return outcomeOpen
	}
	return outcomeNotSent
}

// write puts the results in the place of those of an earlier run only once they are whole.
func (b *batch) write(out io.Writer, results [][]string) error {
	if b.set.out == "" {
		return csv.NewWriter(out).WriteAll(results)
	}
	part := b.set.out + ".part"
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err := errors.Join(csv.NewWriter(f).WriteAll(results), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(part, b.set.out)
}
