package main

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// mark is a place in the order of (created_at, id). Without an id it is before the whole second.
type mark struct {
	second int64 // Unix seconds
	id     string
}

func parseMark(text string) (mark, error) {
	when, id, _ := strings.Cut(text, "/")
	second, err := parseSecond(when)
	return mark{second, id}, err
}

// parseSecond reads the form of the service, Unix seconds, and the one that people write. A fraction is dropped: an object that was
// created in that second must not be passed over.
func parseSecond(text string) (int64, error) {
	if second, err := strconv.ParseInt(text, 10, 64); err == nil {
		if second < 0 || second > maxSecond {
			return 0, errors.New("it is not between the years 1970 and 9999; Unix seconds are meant, not milliseconds")
		}
		return second, nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, errors.New("it is neither Unix seconds nor a time such as 2025-01-31T12:00:00Z")
	}
	return t.Unix(), nil
}

const maxSecond = 253402300799 // the end of the year 9999

func (m mark) String() string {
	if m.id == "" {
		return time.Unix(m.second, 0).UTC().Format(time.RFC3339)
	}
	return fmt.Sprintf("%d/%s", m.second, m.id)
}

func (m mark) compare(o mark) int {
	return cmp.Or(cmp.Compare(m.second, o.second), cmp.Compare(m.id, o.id))
}
