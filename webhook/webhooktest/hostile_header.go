package webhooktest

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"example.com/idv/internal/signature"
)

// authorizations is group B.
func authorizations() []attempt {
	attempts := []attempt{
		{name: "B18 Authorization missing", change: without("Authorization")},
		{name: "B18 Authorization empty", change: with("Authorization", "")},
		{name: "B18 Bearer", change: with("Authorization", "Bearer abc")},
		{name: "B18 Basic", change: with("Authorization", "Basic YTpi")},
		{name: "B19 second Authorization line after", change: func(r *http.Request) { r.Header.Add("Authorization", "Basic YTpi") }},
		{name: "B19 second Authorization line before", change: func(r *http.Request) {
			r.Header["Authorization"] = append([]string{"Basic YTpi"}, r.Header["Authorization"]...)
		}},
		{name: "B27 signature in the header Signature", change: moved("Signature")},
		{name: "B27 signature in the header X-Authorization", change: moved("X-Authorization")},
		{name: "B27 signature in the query", sign: func(s Signer, body []byte) *http.Request {
			header := s.Header(body)
			value := header.Get("Authorization")
			header.Del("Authorization")
			r := s.requestTo(s.path(), body, header)
			r.URL.RawQuery = "Authorization=" + strings.ReplaceAll(value, " ", "+")
			r.RequestURI += "?" + r.URL.RawQuery
			return r
		}},
		{name: "B32 header of one delivery, body of another", want: unlikeDigest, altered: func([]byte) []byte { return Event{}.Body() }},
		{name: "B32 header of one delivery, Date of another", change: redated(-time.Minute)},
	}
	for _, f := range forms {
		attempts = append(attempts, attempt{name: f.name, change: func(r *http.Request) {
			r.Header.Set("Authorization", f.change(r.Header.Get("Authorization")))
		}})
	}
	return append(attempts, coveredLists()...)
}

// moved puts the signature where it is not looked for.
func moved(header string) func(*http.Request) {
	return func(r *http.Request) {
		r.Header.Set(header, r.Header.Get("Authorization"))
		r.Header.Del("Authorization")
	}
}

// forms change a correct Authorization value.
var forms = []struct {
	name   string
	change func(value string) string
}{
	{"B20 lowercase scheme", swap("Signature ", "signature ")},
	{"B20 no scheme", swap("Signature ", "")},
	{"B20 two blanks", swap("Signature ", "Signature  ")},
	{"B20 tab", swap("Signature ", "Signature\t")},
	{"B21 blank after a comma", swap(`",`, `", `)},
	{"B21 parameters reordered", func(value string) string {
		id, rest, _ := strings.Cut(strings.TrimPrefix(value, "Signature "), ",")
		return "Signature " + rest + "," + id
	}},
	{"B21 unquoted value", swap(`"hmac-sha256"`, "hmac-sha256")},
	{"B21 single quotes", func(value string) string { return strings.ReplaceAll(value, `"`, "'") }},
	{"B21 backslash before a quote", swap(`sha256"`, `sha256\"`)},
	{"B21 last quote missing", func(value string) string { return value[:len(value)-1] }},
	{"B21 trailing blank", func(value string) string { return value + " " }},
	{"B21 trailing byte", func(value string) string { return value + "x" }},
	{"B22 algorithm none", swap("hmac-sha256", "none")},
	{"B22 algorithm hs2019", swap("hmac-sha256", "hs2019")},
	{"B22 algorithm hmac-sha1", swap("hmac-sha256", "hmac-sha1")},
	{"B22 algorithm rsa-sha256", swap("hmac-sha256", "rsa-sha256")},
	{"B22 algorithm in upper case", swap("hmac-sha256", "HMAC-SHA256")},
	{"B24 parameter created", func(value string) string { return value + ",created=1" }},
	{"B24 parameter expires", func(value string) string { return value + `,expires="9999999999"` }},
	{"B24 key id twice", swap(`",algorithm`, `",keyId="x",algorithm`)},
	{"B24 signature twice", func(value string) string { return value + `,signature="x"` }},
	{"B25 signature empty", resigned(func(string) string { return "" })},
	{"B25 signature one short", resigned(func(s string) string { return s[1:] })},
	{"B25 signature one long", resigned(func(s string) string { return s + "A" })},
	{"B25 signature all A", resigned(func(s string) string { return strings.Repeat("A", len(s)-1) + "=" })},
	{"B25 signature as base64url", resigned(func(s string) string { return "-_" + s[2:] })},
	{"B25 signature in the other case", resigned(swapCase)},
	{"B26 signature with other unused bits", resigned(otherTrailingBits)},
	{"B28 Authorization of 1 MiB", func(value string) string { return value + strings.Repeat(" ", 1<<20) }},
	{"B29 key id of 10 kB", func(value string) string { return withKeyID(value, strings.Repeat("k", 10_000)) }},
	{"B29 key id with a quote", func(value string) string { return withKeyID(value, `a"b`) }},
	{"B29 key id with a newline", func(value string) string { return withKeyID(value, "a\nb") }},
	{"B29 key id with NUL", func(value string) string { return withKeyID(value, "a\x00b") }},
	{"B29 key id with a path", func(value string) string { return withKeyID(value, "../../etc/passwd") }},
	{"B29 key id with SQL", func(value string) string { return withKeyID(value, "' OR 1=1 --") }},
	{"B30 first byte changed", func(value string) string { return string(value[0]^32) + value[1:] }},
	{"B30 last byte changed", func(value string) string { return value[:len(value)-1] + "#" }},
	{"B31 folded line", swap(",headers", ", headers")},
}

func swap(old, with string) func(string) string {
	return func(value string) string { return strings.Replace(value, old, with, 1) }
}

// resigned changes the signature within the value.
func resigned(change func(sig string) string) func(string) string {
	return func(value string) string {
		const before = `signature="`
		i := strings.LastIndex(value, before) + len(before)
		return value[:i] + change(value[i:len(value)-1]) + `"`
	}
}

func swapCase(s string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r ^ 32
		}
		return r
	}, s)
}

// otherTrailingBits returns another Base64 text of the same bytes: of the last character before the padding two bits are unused.
func otherTrailingBits(sig string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	last := len(sig) - 2
	i := strings.IndexByte(alphabet, sig[last])
	return sig[:last] + string(alphabet[i^1]) + "="
}

func withKeyID(value, id string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(value, `Signature keyId="`), `"`)
	return `Signature keyId="` + id + `"` + rest
}

// coveredLists are signatures over another list of headers than the contract's, correct for that list.
func coveredLists() []attempt {
	lists := []struct{ headers, text string }{
		{"date", "date: {date}"},
		{"", ""},
		{"date digest (request-target)", "date: {date}\ndigest: {digest}\n(request-target): post {path}"},
		{"(request-target) date digest host", "(request-target): post {path}\ndate: {date}\ndigest: {digest}\nhost: receiver.example"},
		{"(Request-Target) Date Digest", "(request-target): post {path}\ndate: {date}\ndigest: {digest}"},
	}
	var attempts []attempt
	for _, l := range lists {
		attempts = append(attempts, attempt{
			name: fmt.Sprintf("B23 signed over %q", l.headers),
			sign: func(s Signer, body []byte) *http.Request {
				r := s.Request(body)
				text := strings.NewReplacer("{path}", s.path(), "{date}", r.Header.Get("Date"), "{digest}", r.Header.Get("Digest")).Replace(l.text)
				r.Header.Set("Authorization", fmt.Sprintf(`Signature keyId="%s",algorithm="hmac-sha256",headers="%s",signature="%s"`,
					s.KeyID, l.headers, signature.NewKey(s.KeyID, s.Secret).SignText(text)))
				return r
			},
		})
	}
	return attempts
}

// keys is group C.
func keys() []attempt {
	const sameAs33 = refused
	return []attempt{
		{name: "C33 wrong secret", sign: signedBy(func(s *Signer) { s.Secret += "x" })},
		{name: "C33 empty secret", sign: signedBy(func(s *Signer) { s.Secret = "" })},
		{name: "C33 key id used as the secret", sign: signedBy(func(s *Signer) { s.Secret = s.KeyID })},
		{name: "C34 unknown key id", want: sameAs33, sign: signedBy(func(s *Signer) { s.KeyID = "nobody" })},
		{name: "C34 empty key id", want: sameAs33, sign: signedBy(func(s *Signer) { s.KeyID = "" })},
		{name: "C34 prefix of the key id", want: sameAs33, sign: signedBy(func(s *Signer) { s.KeyID = s.KeyID[:len(s.KeyID)-1] })},
		{name: "C34 key id in the other case", want: sameAs33, sign: signedBy(func(s *Signer) { s.KeyID = otherCase(s.KeyID) })},
	}
}

// otherCase is another key id, also where there are no letters.
func otherCase(id string) string {
	if other := swapCase(id); other != id {
		return other
	}
	return id + "x"
}

// signedBy signs with the keys of another account.
func signedBy(change func(s *Signer)) func(Signer, []byte) *http.Request {
	return func(s Signer, body []byte) *http.Request {
		change(&s)
		return s.Request(body)
	}
}
