// Package session folds the events about Flow sessions, which come in any order and any number (contract: events 3), into one
// state that depends on neither.
//
// A [State] follows one session, a [Customer] the sessions of one customer reference, retries included. Both are values
// to be kept in a database: their zero values are ready to use, and encoding/json writes and reads them without loss.
//
//	var c session.Customer
//	if err := load(reference, &c); err != nil { ... }
//	if err := c.Apply(event); err != nil { ... }
//	if current, ok := c.Current(); ok && current.Status() == webhook.StatusSuccess {
//		if why, fetch := c.NeedsFetch(); fetch { ... look the session up ... }
//	}
//
// # The algebra
//
// A State keeps, for each status that was reported, the earliest date and the greatest report: by timestamp, then by a fixed
// order. Folding takes the minimum of the one and the maximum of the other, so that Apply and Merge are commutative,
// associative and idempotent: every order, every duplicate and every split of the events into parts that are merged
// afterwards give an equal State. What a State says follows from these reports:
//
//   - A final status (success, failed, expired, canceled) beats pending_review and statuses that are not known, and those
//     beat active, whatever the dates.
//   - Of two statuses that are equally final, the later one wins; of the same second, success loses to expired, that to
//     canceled, and that to failed: in doubt nobody is approved.
//   - Of two steps of the same second, the one further on in the Flow wins.
//
// Where the reports contradict each other, NeedsFetch says so: look the session up, the events alone cannot tell. Resolve
// takes the answer (the client for it is package example.com/idv/flow):
//
//	for _, id := range c.ToFetch() {
//		s, err := client.Sessions.Get(ctx, id)
//		...
//		err = c.Resolve(session.Fetched{ID: s.ID, At: s.AsOf(), Status: webhook.Status(s.Status), Step: webhook.Step(s.CurrentStep()), ...})
//	}
//
// A look-up settles the reports that were known when it was made, and takes their place as one report of its own time. What
// comes later is folded with it by the rules above, and Merge of two states keeps the later look-up and what either has
// settled, so that it stays commutative, associative and idempotent.
package session
