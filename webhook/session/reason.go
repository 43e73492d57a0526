package session

import "example.com/idv/webhook"

// Reason says why a session should be looked up: its events alone cannot tell its state.
type Reason string

// The reasons of a State, then those that a Customer adds.
const (
	// ReasonContradiction: more than one final status was reported, such as success and failed.
	ReasonContradiction Reason = "contradiction"
	// ReasonUnknownStatus: a status was reported that this version does not know.
	ReasonUnknownStatus Reason = "unknown_status"
	// ReasonActiveAfterTerminal: an active report is dated after the terminal one. Late arrival alone is no reason.
	ReasonActiveAfterTerminal Reason = "active_after_terminal"
	// ReasonReviewAfterFinal: a pending review is dated after the final status.
	ReasonReviewAfterFinal Reason = "review_after_final"
	// ReasonUndated: an event had no timestamp that can be read.
	ReasonUndated Reason = "undated"
	// ReasonSameStart: two sessions of the customer seem to have started at the same time.
	ReasonSameStart Reason = "same_start"
	// ReasonUnknownStart: nothing but the expiry or the cancellation of another session is known, dated after the start of
	// the current one, or nothing of it is dated at all. It may be the newer one.
	ReasonUnknownStart Reason = "unknown_start"
)

// NeedsFetch tells whether the session should be looked up, and the first reason that holds, in the order above.
func (s State) NeedsFetch() (Reason, bool) {
	why := s.reason()
	return why, why != ""
}

func (s State) reason() Reason {
	finals, unknown, open := 0, false, s.open()
	for _, r := range open {
		if statusRank(r.status) == rankFinal {
			finals++
		}
		toldByLookUp := s.fetched.done && r.status == s.fetched.status
		unknown = unknown || !r.status.Known() && !toldByLookUp
	}
	standing := s.standing()
	switch {
	case finals > 1:
		return ReasonContradiction
	case unknown:
		return ReasonUnknownStatus
	case of(open, webhook.StatusActive).last.at.After(standing.last.at):
		return ReasonActiveAfterTerminal
	case of(open, webhook.StatusPendingReview).last.at.After(standing.last.at):
		return ReasonReviewAfterFinal
	case s.hasUndated():
		return ReasonUndated
	}
	return ""
}
