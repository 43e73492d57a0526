package webhooktest

import (
	"net/http"
	"strings"
	"time"
)

// dates is group D: what can be said of any tolerance up to the contract's 15 minutes.
func dates() []attempt {
	attempts := []attempt{
		{name: "D42 16 minutes old", sign: sentBy(-16*time.Minute, http.TimeFormat)},
		{name: "D42 16 minutes ahead", sign: sentBy(16*time.Minute, http.TimeFormat)},
		{name: "D43 ten years old", sign: sentBy(-10*365*24*time.Hour, http.TimeFormat)},
		{name: "D43 ten years ahead", sign: sentBy(10*365*24*time.Hour, http.TimeFormat)},
		dated("D43 year 1", "Mon, 01 Jan 0001 00:00:00 GMT"),
		dated("D43 year 9999", "Fri, 31 Dec 9999 23:59:59 GMT"),
		{name: "D44 Date missing", change: without("Date")},
		{name: "D44 X-Date only", change: func(r *http.Request) {
			r.Header.Set("X-Date", r.Header.Get("Date"))
			r.Header.Del("Date")
		}},
		{name: "D45 another Date, the same signature", change: redated(time.Second)},
		{name: "D46 RFC 850", want: accepted, sign: sentBy(0, "Monday, 02-Jan-06 15:04:05 GMT")},
		{name: "D46 asctime", want: accepted, sign: sentBy(0, time.ANSIC)},
		{name: "D46 RFC 3339", sign: sentBy(0, time.RFC3339)},
		{name: "D46 numeric zone", sign: sentBy(0, time.RFC1123Z)},
		{name: "D46 UTC", sign: sentBy(0, "Mon, 02 Jan 2006 15:04:05 UTC")},
		dated("D46 Unix seconds", "1611438194"),
		dated("D46 30th of February", "Tue, 30 Feb 2021 21:43:14 GMT"),
		dated("D49 leap second", "Sat, 31 Dec 2016 23:59:60 GMT"),
		{name: "D46 another weekday", sign: sentAs(func(date string) string {
			if strings.HasPrefix(date, "Mon") {
				return "Tue" + date[3:]
			}
			return "Mon" + date[3:]
		})},
		{name: "D46 lowercase month", sign: sentAs(func(date string) string { return date[:8] + strings.ToLower(date[8:11]) + date[11:] })},
		{name: "D46 trailing blank", sign: sentAs(func(date string) string { return date + " " })},
		{name: "D47 two Date lines", change: func(r *http.Request) { r.Header.Add("Date", r.Header.Get("Date")) }},
		{name: "D48 Date split at its comma", want: accepted, change: func(r *http.Request) {
			day, rest, _ := strings.Cut(r.Header.Get("Date"), ", ")
			r.Header["Date"] = []string{day, rest}
		}},
		{name: "D51 old and forged", sign: sentBy(-16*time.Minute, http.TimeFormat), change: forge},
	}
	return attempts
}

// dated is a request signed for a fixed date.
func dated(name, date string) attempt {
	return attempt{name: name, sign: sentAs(func(string) string { return date })}
}

// redated changes the Date of a signed request.
func redated(d time.Duration) func(*http.Request) {
	return func(r *http.Request) {
		sent, _ := http.ParseTime(r.Header.Get("Date"))
		r.Header.Set("Date", sent.Add(d).Format(http.TimeFormat))
	}
}

func sentBy(d time.Duration, layout string) func(Signer, []byte) *http.Request {
	return func(s Signer, body []byte) *http.Request {
		sent, _ := http.ParseTime(s.sent(d))
		return s.signedAt(sent.UTC().Format(layout), body)
	}
}

func sentAs(change func(date string) string) func(Signer, []byte) *http.Request {
	return func(s Signer, body []byte) *http.Request { return s.signedAt(change(s.sent(0)), body) }
}

func (s Signer) signedAt(date string, body []byte) *http.Request {
	return s.signed(s.path(), date, s.Header(body).Get("Digest"), body)
}

// targets is group E.
func targets() []attempt {
	attempts := []attempt{
		{name: "E52 signed for another path", sign: signedFor(func(path string) string { return path + "x" })},
		{name: "E52 signed for the path in the other case", sign: signedFor(func(path string) string { return swapCase(path) + "/A" })},
		{name: "E52 signed with a slash added", sign: signedFor(func(path string) string { return path + "/" })},
		{name: "E53 query, the path signed", want: accepted, sign: sentTo("?tenant=7", "")},
		{name: "E53 query, path and query signed", want: accepted, sign: sentTo("?tenant=7", "?tenant=7")},
		{name: "E53 another query than the signed one", sign: sentTo("?tenant=7", "?tenant=8")},
		{name: "E54 bare question mark", want: accepted, sign: sentTo("?", "")},
		{name: "E55 sent with a slash twice, signed clean", want: turnedAway, sign: sentTo("//", "")},
		{name: "E56 lines written into the path", sign: signedFor(func(path string) string { return path + "\ndate: now" })},
		{name: "E57 asterisk form", want: turnedAway, sign: func(s Signer, body []byte) *http.Request {
			r := s.Request(body)
			r.RequestURI = "*"
			return r
		}},
		{name: "E65 delivery for another path sent here", sign: signedFor(func(string) string { return "/another" })},
	}
	for _, header := range []string{"X-Forwarded-Prefix", "X-Forwarded-Path", "X-Forwarded-Uri", "X-Original-Uri", "X-Original-Url", "X-Rewrite-Url", "Forwarded"} {
		attempts = append(attempts, attempt{
			name: "E61 path in " + header, sign: signedFor(func(string) string { return "/another" }), change: with(header, "/another"),
		})
	}
	for _, method := range []string{http.MethodGet, http.MethodPut, http.MethodPatch, "post"} {
		attempts = append(attempts, attempt{
			name: "E62 method " + method, want: notPost,
			change: func(r *http.Request) {
				r.Method = method
				r.Header.Set("X-Http-Method-Override", http.MethodPost)
			},
		})
	}
	return append(attempts, unsigned()...)
}

// unsigned are changes to what no signature covers. They pass, and are therefore not to be trusted; a router that serves one host, and
// a receiver that wants JSON, may turn two of them away.
func unsigned() []attempt {
	return []attempt{
		{name: "E63 HTTP/1.0", want: accepted, change: func(r *http.Request) { r.Proto, r.ProtoMinor = "HTTP/1.0", 0 }},
		{name: "E64 another Host", want: authentic, change: func(r *http.Request) { r.Host = "another.example" }},
		{name: "E64 another Content-Type", want: authentic, change: with("Content-Type", "text/plain")},
		{name: "E64 another Service-Version", want: accepted, change: with("Service-Version", "1999-12-31")},
		{name: "E64 another User-Agent", want: accepted, change: with("User-Agent", "another")},
	}
}

func signedFor(target func(path string) string) func(Signer, []byte) *http.Request {
	return func(s Signer, body []byte) *http.Request {
		header := s.Header(body)
		return s.signed(target(s.path()), header.Get("Date"), header.Get("Digest"), body)
	}
}

// sentTo appends to the path on the request line, and to the signed one.
func sentTo(sent, signed string) func(Signer, []byte) *http.Request {
	return func(s Signer, body []byte) *http.Request {
		header := s.Header(body)
		header.Set("Authorization", s.authorization(s.path()+signed, header.Get("Date"), header.Get("Digest")))
		return s.requestTo(s.path()+sent, body, header)
	}
}
