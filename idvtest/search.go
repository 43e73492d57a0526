package idvtest

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// vocabulary gives each word of a collection a number, so that a search compares itself with each word once and not with each object.
type vocabulary struct {
	numbers map[string]uint32
	words   []word
}

type word struct {
	letters []rune
	exact   bool // matches without typos only
}

// exactly are the attributes whose words the service chose: with typos allowed, a search for Peterson would find every person.
var exactly = []string{"object", "id", "status", "details", "question_sets", "person_id", "created_at", "updated_at"}

// farApart stands for words that are not similar.
const farApart = 255

// search returns the records in which every word of the text has a similar one, the best first; among equals the given order stays.
func (v *vocabulary) search(records []*record, text string) []*record {
	for _, r := range records {
		if r.words == nil {
			r.words = v.index(r)
		}
	}
	score := make(map[*record]int, len(records))
	for _, wanted := range splitWords(text) {
		distances := v.distances([]rune(wanted))
		records = keep(records, func(r *record) bool {
			best := nearest(r.words, distances)
			score[r] += best
			return best < farApart
		})
	}
	slices.SortStableFunc(records, func(a, b *record) int { return cmp.Compare(score[a], score[b]) })
	return records
}

func nearest(words []uint32, distances []uint8) int {
	best := uint8(farApart)
	for _, w := range words {
		best = min(best, distances[w])
	}
	return int(best)
}

// distances compares one word with the whole vocabulary.
func (v *vocabulary) distances(wanted []rune) []uint8 {
	list := make([]uint8, len(v.words))
	for i, w := range v.words {
		list[i] = w.distance(wanted)
	}
	return list
}

func (w word) distance(wanted []rune) uint8 {
	limit := typos(len(wanted))
	switch {
	case slices.Equal(wanted, w.letters):
		return 0
	case w.exact:
		return farApart
	}
	if d := distance(wanted, w.letters, limit); d <= limit {
		return uint8(d)
	}
	return farApart
}

// typos is how many letters of a word may be wrong: in a short word a wrong letter makes another word.
func typos(letters int) int {
	switch {
	case letters < 3:
		return 0
	case letters < 5:
		return 1
	}
	return 2
}

// index gives the numbers of all words of a record.
func (v *vocabulary) index(r *record) []uint32 {
	numbers := []uint32{}
	for i, name := range r.kind.attributes {
		exact := slices.Contains(exactly, name)
		for _, w := range splitWords(words(r.values[i])) {
			numbers = append(numbers, v.number(w, exact))
		}
	}
	return numbers
}

func (v *vocabulary) number(w string, exact bool) uint32 {
	key := w
	if exact {
		key = "=" + w
	}
	n, known := v.numbers[key]
	if !known {
		if v.numbers == nil {
			v.numbers = map[string]uint32{}
		}
		n = uint32(len(v.words))
		v.numbers[key] = n
		v.words = append(v.words, word{letters: []rune(w), exact: exact})
	}
	return n
}

// words is the text of a value: of texts, numbers, lists and objects of these.
func words(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case percent:
		return v.String()
	case []string:
		return strings.Join(v, " ")
	case object:
		return joined(v, func(m member) string { return words(m.value) })
	case []object:
		return joined(v, func(o object) string { return words(o) })
	}
	return ""
}

func joined[T any](list []T, text func(T) string) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = text(v)
	}
	return strings.Join(parts, " ")
}

func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
}
