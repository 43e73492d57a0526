package idvtest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// listQuery is what the query of a list asks for.
type listQuery struct {
	filters       []filter
	search        string
	created       span
	updated       span
	count, offset int
}

// filter asks for an attribute, or for a member of the object that the attribute is, to equal a text.
type filter struct {
	position int
	member   string
	text     string
}

// maxCount is the longest page that can be asked for (hinted at, not in the written contract).
const maxCount = 100

// parseQuery reads the query of a list of objects of a kind. Keys it does not know are ignored, except below filter and below a
// timestamp (observed, not in the written contract).
func parseQuery(k *kind, query url.Values, pageSize int) (*listQuery, error) {
	q := &listQuery{created: anyTime, updated: anyTime, count: pageSize}
	for _, key := range sortedKeys(query) {
		name, path, _ := splitKey(key)
		value := query[key][len(query[key])-1]
		if err := q.parameter(k, name, path, value); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// sortedKeys makes the first refusal the same every time.
func sortedKeys(query url.Values) []string {
	keys := make([]string, 0, len(query))
	for key := range query {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func (q *listQuery) parameter(k *kind, name string, path []string, value string) (err error) {
	switch {
	case name == "filter" && len(path) > 0:
		return q.filter(k, path, value)
	case name == "created_at" && len(path) == 1:
		q.created, err = compare(q.created, name, path[0], value)
	case name == "updated_at" && len(path) == 1:
		q.updated, err = compare(q.updated, name, path[0], value)
	case name == "count" && len(path) == 0:
		q.count, err = number(name, value, 1)
		q.count = min(q.count, maxCount)
	case name == "offset" && len(path) == 0:
		q.offset, err = number(name, value, 0)
	}
	return err
}

func (q *listQuery) filter(k *kind, path []string, value string) error {
	if len(path) == 1 && path[0] == "q" {
		q.search = strings.TrimSpace(value)
		return nil
	}
	position, known := k.position[path[0]]
	if !known || len(path) > 2 || len(path) == 2 && !slices.Contains(k.members[path[0]], path[1]) {
		name := strings.Join(path, ".")
		return &refusal{status: http.StatusBadRequest, param: name, message: "Received unknown filter parameter: " + name}
	}
	q.filters = append(q.filters, filter{position: position, member: strings.Join(path[1:], ""), text: value})
	return nil
}

func compare(s span, name, directive, value string) (span, error) {
	if _, known := s.narrow(directive, 0); !known {
		return s, &refusal{status: http.StatusBadRequest, param: directive, message: "Received unknown filter directive: " + directive}
	}
	t, ok := integer(value)
	if !ok {
		return s, invalid(name)
	}
	s, _ = s.narrow(directive, t.(int64))
	return s, nil
}

// number reads a paging parameter. Below its least value the service misbehaves (observed); this one refuses.
func number(name, value string, least int64) (int, error) {
	n, ok := between(least, 1<<31)(value)
	if !ok {
		return 0, invalid(name)
	}
	return int(n.(int64)), nil
}
