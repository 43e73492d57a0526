// Package seentest is the suite that every [webhook.SeenStore] must pass, whatever it keeps its events in: memory, Redis, a SQL
// database. A test of such a store is a few lines:
//
//	func TestStore(t *testing.T) {
//		seentest.Run(t, func(t *testing.T) seentest.Subject {
//			db := openEmptyDatabase(t)
//			return seentest.Subject{Store: mystore.New(db), Lease: time.Minute, Retention: 7 * 24 * time.Hour}
//		})
//	}
//
// Where the store takes a clock, set Subject.Advance: the cases about leases and retention need it. A store whose time is that of a
// database server leaves it nil and sets a short Lease and Retention instead; Advance then sleeps.
//
// [RunCrash] is for stores whose events live in a server: it kills the server under load and counts what was lost or handled twice.
package seentest
