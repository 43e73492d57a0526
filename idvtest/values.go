package idvtest

import (
	"encoding/json"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A check turns a parameter into the value that is kept, or reports that it is incorrectly formatted.
type check func(v any) (any, bool)

// text takes a string; a number counts as its digits.
func text(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	}
	return nil, false
}

// integer takes a number without a fraction, which may come as a string and is kept as a number (observed, not in the written
// contract).
func integer(v any) (any, bool) {
	s, ok := text(v)
	if !ok {
		return nil, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(s.(string)), 10, 64)
	return n, err == nil
}

// between takes an integer from low to high.
func between(low, high int64) check {
	return func(v any) (any, bool) {
		n, ok := integer(v)
		return n, ok && n.(int64) >= low && n.(int64) <= high
	}
}

// optional has the empty string stand for "none", which is kept as it came.
func optional(c check) check {
	return func(v any) (any, bool) {
		if v == "" {
			return "", true
		}
		return c(v)
	}
}

// unset has the empty string stand for null: for numbers, which cannot be empty.
func unset(c check) check {
	return func(v any) (any, bool) {
		if v == "" {
			return nil, true
		}
		return c(v)
	}
}

// matching takes a text that a predicate accepts.
func matching(ok func(string) bool) check {
	return func(v any) (any, bool) {
		s, isText := text(v)
		return s, isText && ok(s.(string))
	}
}

func oneOf(values ...string) check {
	return matching(func(s string) bool { return slices.Contains(values, s) })
}

var (
	date        = matching(isDate)
	countryCode = matching(isCountryCode)
	digits      = matching(isDigits)
	ipAddress   = matching(isIPAddress)
)

// isDate reports whether s is a day of the calendar in the form YYYY-MM-DD.
func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// isCountryCode reports whether s has the form of an ISO code: two capital letters.
func isCountryCode(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func isIPAddress(s string) bool {
	_, err := netip.ParseAddr(s)
	return err == nil
}
