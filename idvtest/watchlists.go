package idvtest

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

var watchlistForm = form{
	{"candidate_id", text, always},
	{"match_type", optional(oneOf("person", "company")), never},
	{"similarity_threshold", unset(fraction), never},
}

// defaultThreshold applies when a search names none.
const defaultThreshold = 0.75

// fraction takes a number from 0 to 1.
func fraction(v any) (any, bool) {
	s, ok := text(v)
	if !ok {
		return nil, false
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s.(string)), 64)
	return f, err == nil && f >= 0 && f <= 1
}

// match is an entry that is similar to a candidate.
type match struct {
	entry      SanctionedEntry
	info       []string
	confidence float64
}

// storedHit is a match that GET hits shows from a moment on.
type storedHit struct {
	match
	live  bool
	shown time.Time
}

// searchWatchlists compares a stored candidate with the entries; the matches appear among its hits a little later.
func (a *rest) searchWatchlists(c *call) (any, error) {
	values, err := watchlistForm.read(c.params)
	if err != nil {
		return nil, err
	}
	candidate, err := a.candidates.find(values["candidate_id"].(string), c.live)
	if err != nil {
		return nil, err
	}
	threshold, given := values["similarity_threshold"].(float64)
	if !given {
		threshold = defaultThreshold
	}
	matches := a.compareWithEntries(candidate, threshold, values["match_type"])
	a.fileHits(candidate, matches)
	found := make([]object, len(matches))
	for i, m := range matches {
		found[i] = m.searchObject()
	}
	return object{
		{"livemode", c.live}, {"searched_lists", watchlistNames(a.watchlist)}, {"count", len(found)}, {"matches", found},
	}, nil
}

func (a *rest) compareWithEntries(candidate *record, threshold float64, matchType any) []match {
	var found []match
	for _, entry := range a.watchlist {
		if matchType == "person" && entry.EntryType != "individual" || matchType == "company" && entry.EntryType != "entity" {
			continue
		}
		if m, ok := compareEntry(candidate, entry); ok && m.confidence >= threshold {
			found = append(found, m)
		}
	}
	slices.SortStableFunc(found, func(x, y match) int { return cmp.Compare(y.confidence, x.confidence) })
	return found
}

// compareEntry looks at names first; an identity number that is the same makes a match sure whatever the name. A candidate without
// a name and a number matches nothing.
func compareEntry(candidate *record, entry SanctionedEntry) (match, bool) {
	m := match{entry: entry, info: []string{}}
	name := strings.Join(strings.Fields(candidate.text("name_first")+" "+candidate.text("name_middle")+" "+candidate.text("name_last")), " ")
	for _, known := range append([]string{entry.Name}, entry.AlternateNames...) {
		m.confidence = max(m.confidence, similarity(name, known))
	}
	if m.confidence > 0.5 {
		m.info = append(m.info, "name")
	}
	if born := candidate.text("date_of_birth"); born != "" && born == entry.born() {
		m.info = append(m.info, "date_of_birth")
	}
	for _, id := range []struct{ attribute, number string }{{"passport", entry.Passport}, {"ssn", entry.SSN}} {
		if id.number != "" && candidate.text(id.attribute) == id.number {
			m.info, m.confidence = append(m.info, id.attribute), 1
		}
	}
	m.confidence = math.Round(m.confidence*1000) / 1000
	return m, m.confidence > 0
}

// similarity of two names is 1 for the same words in any order and falls with each letter that differs. Names that differ in
// more than half of their letters have none.
func similarity(a, b string) float64 {
	x, y := sortedWords(a), sortedWords(b)
	longest := max(len(x), len(y))
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	d := distance(x, y, longest/2)
	if d > longest/2 {
		return 0
	}
	return 1 - float64(d)/float64(longest)
}

func sortedWords(name string) []rune {
	words := splitWords(name)
	slices.Sort(words)
	return []rune(strings.Join(words, " "))
}

// fileHits keeps the matches that are not among the candidate's hits yet.
func (a *rest) fileHits(candidate *record, matches []match) {
	for _, m := range matches {
		known := slices.ContainsFunc(a.hits[candidate.id], func(h *storedHit) bool { return h.entry.ID == m.entry.ID })
		if !known {
			hit := &storedHit{match: m, live: candidate.live, shown: a.clock.Now().Add(a.config.hitDelay)}
			a.hits[candidate.id] = append(a.hits[candidate.id], hit)
		}
	}
}

// candidateHits is a list without total_count and has_more (observed, not in the written contract).
func (a *rest) candidateHits(c *call) (any, error) {
	candidate, err := a.candidates.find(c.id(), c.live)
	if err != nil {
		return nil, err
	}
	now := a.clock.Now()
	shown := []object{}
	for _, h := range a.hits[candidate.id] {
		if !h.shown.After(now) {
			shown = append(shown, h.hitObject())
		}
	}
	return object{{"object", "list"}, {"data", shown}}, nil
}
