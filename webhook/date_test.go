package webhook

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseDate(t *testing.T) {
	t.Parallel()
	at := time.Date(2021, time.January, 23, 21, 43, 14, 0, time.UTC)
	tests := []struct {
		name, value string
		want        time.Time // zero: refused
	}{
		{"the usual form", "Sat, 23 Jan 2021 21:43:14 GMT", at},
		{"RFC 850", "Saturday, 23-Jan-21 21:43:14 GMT", at},
		{"asctime", "Sat Jan 23 21:43:14 2021", at},
		{"asctime, one digit", "Sat Jan  2 21:43:14 2021", at.AddDate(0, 0, -21)},
		{"leap day", "Thu, 29 Feb 2024 00:00:00 GMT", time.Date(2024, time.February, 29, 0, 0, 0, 0, time.UTC)},
		{"last second", "Fri, 31 Dec 9999 23:59:59 GMT", time.Date(9999, time.December, 31, 23, 59, 59, 0, time.UTC)},
		{"no leap day", "Mon, 29 Feb 2021 00:00:00 GMT", time.Time{}},
		{"another weekday", "Sun, 23 Jan 2021 21:43:14 GMT", time.Time{}},
		{"another weekday, RFC 850", "Sunday, 23-Jan-21 21:43:14 GMT", time.Time{}},
		{"another weekday, asctime", "Sun Jan 23 21:43:14 2021", time.Time{}},
		{"another zone, RFC 850", "Saturday, 23-Jan-21 21:43:14 EST", time.Time{}},
		{"day 0", "Sat, 00 Jan 2021 21:43:14 GMT", time.Time{}},
		{"hour 24", "Sat, 23 Jan 2021 24:43:14 GMT", time.Time{}},
		{"minute 60", "Sat, 23 Jan 2021 21:60:14 GMT", time.Time{}},
		{"second 60", "Sat, 23 Jan 2021 21:43:60 GMT", time.Time{}},
		{"lowercase month", "Sat, 23 jan 2021 21:43:14 GMT", time.Time{}},
		{"letters of two months", "Sat, 23 anF 2021 21:43:14 GMT", time.Time{}},
		{"sign instead of a digit", "Sat, +3 Jan 2021 21:43:14 GMT", time.Time{}},
		{"empty", "", time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, ok := parseDate(tt.value)
			require.Equal(t, !tt.want.IsZero(), ok)
			if ok {
				assert.Equal(t, tt.want, got)
			}
		})
	}
}

// TestParseDateEveryDay walks through leap years, centuries and weekdays.
func TestParseDateEveryDay(t *testing.T) {
	t.Parallel()
	for d := time.Date(1896, time.January, 1, 23, 59, 59, 0, time.UTC); d.Year() < 2110; d = d.AddDate(0, 0, 1) {
		got, ok := parseIMF(d.Format(http.TimeFormat))
		require.True(t, ok && got.Equal(d), "%v", d)
	}
}

// FuzzParseDate holds the parser against net/http's: what it takes, net/http takes as the same time; and what net/http takes
// and would write itself, it takes.
func FuzzParseDate(f *testing.F) {
	for _, s := range []string{
		"Sat, 23 Jan 2021 21:43:14 GMT", "Saturday, 23-Jan-21 21:43:14 GMT", "Sat Jan 23 21:43:14 2021",
		"Sat, 23 Jan 2021 1:43:14 GMT", "sat, 23 jan 2021 21:43:14 gmt", "Mon, 01 Jan 0001 00:00:00 GMT", "Sat, 31 Dec 2016 23:59:60 GMT",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, ok := parseDate(s)
		want, err := http.ParseTime(s)
		if ok {
			require.NoError(t, err)
			require.True(t, want.Equal(got), "%v and %v", want, got)
		}
		if err == nil && want.Format(http.TimeFormat) == s {
			require.True(t, ok)
		}
		usual, isUsual := parseIMF(s)
		require.Equal(t, err == nil && want.Format(http.TimeFormat) == s, isUsual)
		if isUsual {
			require.True(t, want.Equal(usual))
		}
	})
}

func BenchmarkParseDate(b *testing.B) {
	const s = "Sat, 23 Jan 2021 21:43:14 GMT"
	b.Run("strict", func(b *testing.B) {
		for b.Loop() {
			_, _ = parseDate(s)
		}
	})
	b.Run("http.ParseTime", func(b *testing.B) {
		for b.Loop() {
			_, _ = http.ParseTime(s)
		}
	})
}
