// Package scan enumerates a collection completely, given only a list that filters by created_at and answers with total_count,
// has_more and a first page. There is no cursor, no page parameter and no promised order. It knows neither HTTP nor JSON.
//
//	for object, err := range scan.All(ctx, scan.Config[*Object]{List: list, ID: id, Created: created, Bounds: scan.Window{scan.Past, scan.Future}}) {
//
// # What is certain
//
// An object is yielded only
//
//   - from an answer without has_more: the window is seen whole, or
//   - from a part of a page that is as large as the difference of two exact counts: nothing else can be there.
//
// The windows are disjoint and created_at never changes, so nothing comes twice and no identifiers are remembered. A count is exact
// only where no insert can reach: up to Margin before the Date of the first answer (the frozen range). The newer rest, the hot zone,
// is read by has_more alone. A deletion makes an older count too large beside a newer one, never too small: it can spoil a proof,
// not fake one. At the end as many objects were yielded from the frozen range as total_count said, or Incomplete says so. A count
// that contradicts its own answer ends all trust in counts. Counts that are wrong and agree with every answer stay unnoticed.
//
// # How it goes
//
//   - start.go asks for everything: often that is one page. Else it reads the hot zone and hands on the frozen range.
//   - walk.go follows a service whose pages are ordered by created_at, about one request a page. Each step asks for the rest behind
//     the page, and the two counts must differ by what the page showed. If not, the page cut a second in two, or the order is a lie.
//   - sweep.go takes every other service: from old to new, in ranges that should hold nearly a page. What an overfull range shows
//     is kept: its count as a mark, its objects as samples (marks.go). They guide the next cut (aim.go), as does the density of the
//     ranges before (pace.go), and often settle a range without a request.
//   - plain.go divides a window until no answer has more: the hot zone, and everything once counts are not to be trusted.
//   - second.go ends where nothing can be divided: one second that holds more than a page.
//   - parallel.go runs the same in several workers. A worker that has nothing to do gets half of another's window.
//
// Where N objects come in pages of P, an ordered service costs about N/P requests, an unordered one 1.3 to 1.7 times that while the
// density changes slowly and up to 2.5 times in bursts; an order by another timestamp may cost more. Memory is a few pages for each
// worker. A collection that grows faster than its hot zone can be read has no end; Bounds or MaxRequests give it one.
package scan
