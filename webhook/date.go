package webhook

import (
	"net/http"
	"strings"
	"time"
)

// parseDate reads an HTTP-date strictly: one of its three forms to the letter, the weekday being that of the date. Parsers of net/http
// take more (another weekday, lowercase names, dropped zeros); what the service never sends is refused.
func parseDate(s string) (time.Time, bool) {
	if t, ok := parseIMF(s); ok {
		return t, true
	}
	return parseObsolete(s)
}

const (
	weekdays = "SunMonTueWedThuFriSat"
	months   = "JanFebMarAprMayJunJulAugSepOctNovDec"
)

// parseIMF reads the one usual form, "Sat, 23 Jan 2021 21:43:14 GMT", a tenth of http.ParseTime's time.
func parseIMF(s string) (time.Time, bool) {
	if len(s) != len(http.TimeFormat) || s[3:5] != ", " || s[7] != ' ' || s[11] != ' ' || s[16] != ' ' ||
		s[19] != ':' || s[22] != ':' || s[25:] != " GMT" {
		return time.Time{}, false
	}
	day, okDay := digits(s[5:7])
	year, okYear := digits(s[12:16])
	hour, okHour := digits(s[17:19])
	minute, okMinute := digits(s[20:22])
	second, okSecond := digits(s[23:25])
	month := strings.Index(months, s[8:11])
	if !okDay || !okYear || !okHour || !okMinute || !okSecond || month%3 != 0 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, false
	}
	month = month/3 + 1
	if day < 1 || day > daysIn(year, month) {
		return time.Time{}, false
	}
	days := daysSince1970(year, month, day)
	if weekday := 3 * ((days%7 + 11) % 7); s[:3] != weekdays[weekday:weekday+3] { // 1 January 1970 was a Thursday
		return time.Time{}, false
	}
	return time.Unix(int64(days)*86400+int64(hour*3600+minute*60+second), 0).UTC(), true
}

func daysIn(year, month int) int {
	switch {
	case month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0):
		return 29
	case month == 2:
		return 28
	case month == 4 || month == 6 || month == 9 || month == 11:
		return 30
	}
	return 31
}

// daysSince1970 counts by years that begin in March, so that the leap day is their last: time.Date and the weekday of its
// result take three times as long. Fuzzing compares it with http.ParseTime.
func daysSince1970(year, month, day int) int {
	if month < 3 {
		year, month = year-1, month+12
	}
	era := year + 400 // never negative
	return 365*era + era/4 - era/100 + era/400 + (153*(month-3)+2)/5 + day - 1 - 719468 - 146097
}

// digits reads a decimal number of two or four places.
func digits(s string) (n int, ok bool) {
	for i := range len(s) {
		c := s[i] - '0'
		if c > 9 {
			return 0, false
		}
		n = 10*n + int(c)
	}
	return n, true
}

// parseObsolete reads the two older forms of HTTP-date, which a receiver must take (RFC 9110, 5.6.7): those that net/http reads and
// that come out again as they went in.
func parseObsolete(s string) (time.Time, bool) {
	t, err := http.ParseTime(s)
	if err != nil {
		return time.Time{}, false
	}
	t = t.UTC()
	const rfc850 = "Monday, 02-Jan-06 15:04:05 GMT"
	return t, s == t.Format(rfc850) || s == t.Format(time.ANSIC)
}
