package session

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"example.com/idv/webhook"
)

// report is what was reported of one status of a session.
type report struct {
	status webhook.Status
	first  time.Time // the earliest date; zero while no report has a date
	last   mark
}

// mark is one event, as far as it counts. Every field takes part in the order, so that only equal marks compare equal.
type mark struct {
	at        time.Time // zero for an event without a date
	step      webhook.Step
	kind      webhook.Kind
	eventID   string
	reference string
	settled   bool // a look-up was made after it was known
}

// join is the least report that knows what a and b know; they are of one status.
func (a report) join(b report) report {
	a.first = earliest(a.first, b.first)
	if a.last.compare(b.last) < 0 {
		a.last = b.last
	}
	return a
}

// earliest takes the zero time for no date at all.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func (a mark) compare(b mark) int {
	return cmp.Or(
		a.at.Compare(b.at),
		cmp.Compare(stepRank(a.step), stepRank(b.step)),
		cmp.Compare(a.step, b.step),
		cmp.Compare(a.kind, b.kind),
		cmp.Compare(a.eventID, b.eventID),
		cmp.Compare(a.reference, b.reference),
		compareBool(a.settled, b.settled),
	)
}

func byStatus(r report, s webhook.Status) int { return cmp.Compare(r.status, s) }

// joinReports merges two lists that are sorted by status into a new one.
func joinReports(a, b []report) []report {
	joined := slices.Clone(a)
	for _, r := range b {
		i, found := slices.BinarySearchFunc(joined, r.status, byStatus)
		if found {
			joined[i] = joined[i].join(r)
		} else {
			joined = slices.Insert(joined, i, r)
		}
	}
	return joined
}

// The ranks of statuses: a report of a higher rank wins whatever the dates.
const (
	rankActive  = iota
	rankInterim // pending_review, and what is not known: perhaps final, perhaps not
	rankFinal
)

func statusRank(s webhook.Status) int {
	switch s {
	case webhook.StatusActive:
		return rankActive
	case webhook.StatusSuccess, webhook.StatusFailed, webhook.StatusExpired, webhook.StatusCanceled:
		return rankFinal
	}
	return rankInterim
}

// doubt orders the statuses of one rank that are reported for the same instant: the last one wins.
var doubt = [...]webhook.Status{webhook.StatusSuccess, webhook.StatusExpired, webhook.StatusCanceled, webhook.StatusFailed}

// compareStanding orders the reports of one session by which of them tells its status.
func compareStanding(a, b report) int {
	return cmp.Or(
		cmp.Compare(statusRank(a.status), statusRank(b.status)),
		a.last.at.Compare(b.last.at),
		cmp.Compare(slices.Index(doubt[:], a.status), slices.Index(doubt[:], b.status)),
		strings.Compare(string(a.status), string(b.status)),
	)
}

// flow is the order in which a user comes to the steps.
var flow = [...]webhook.Step{
	"", webhook.StepAcceptTOS, webhook.StepVerifySMS, webhook.StepKYCScreen, webhook.StepKYCCheck,
	webhook.StepDocumentaryVerification, webhook.StepSelfieCheck, webhook.StepScreening, webhook.StepRiskCheck,
}

// stepRank puts the steps that are not known behind the others.
func stepRank(s webhook.Step) int {
	if i := slices.Index(flow[:], s); i >= 0 {
		return i
	}
	return len(flow)
}
