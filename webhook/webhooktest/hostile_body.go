package webhooktest

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"strings"
)

// bodies is group A.
func bodies() []attempt {
	return append([]attempt{
		{name: "A1 valid", want: accepted},
		{name: "A1 valid with a trailing newline", want: accepted, event: suffixed("\n")},
		{name: "A1 authentic and empty", want: authentic, event: replaced("")},
		{name: "A1 authentic and not UTF-8", want: authentic, event: replaced("\xff\xfe")},
		{name: "A2 one bit flipped", want: unlikeDigest, altered: flipBit},
		{name: "A3 re-serialised with a blank", want: unlikeDigest, altered: func(b []byte) []byte { return bytes.Replace(b, []byte(":"), []byte(": "), 1) }},
		{name: "A3 byte order mark put before", want: unlikeDigest, altered: func(b []byte) []byte { return append([]byte("\ufeff"), b...) }},
		{name: "A3 emptied", want: unlikeDigest, altered: replaced("")},
		{name: "A4 body and Digest replaced, signature kept", altered: flipBit, change: func(r *http.Request) {
			r.Header.Set("Digest", Signer{}.Header([]byte("another"))["Digest"][0])
		}},
		{name: "A6 Digest missing", change: without("Digest")},
		{name: "A6 Digest empty", change: with("Digest", "")},
		{name: "A8 second Digest line", change: func(r *http.Request) { r.Header.Add("Digest", r.Header.Get("Digest")) }},
		{name: "A9 Digest only as a trailer", change: func(r *http.Request) {
			r.Trailer = http.Header{"Digest": r.Header["Digest"]}
			r.Header.Del("Digest")
		}},
		{name: "A10 the body ends early", want: broken, change: brokenBody(io.ErrUnexpectedEOF)},
		{name: "A11 endless body of unknown length", want: tooLarge, change: endlessBody},
		{name: "A12 Content-Length of 1 GiB, forged", change: func(r *http.Request) {
			forge(r)
			r.ContentLength = 1 << 30
		}},
		{name: "A13 Expect: 100-continue, forged", change: func(r *http.Request) {
			forge(r)
			r.Header.Set("Expect", "100-continue")
		}},
		{name: "A14 body already consumed", want: unlikeDigest, change: func(r *http.Request) { r.Body = http.NoBody }},
		{name: "A15 Content-Encoding: gzip", want: authentic, event: replaced("\x1f\x8b\x08"), change: with("Content-Encoding", "gzip")},
		{name: "A16 512 KiB of [", want: authentic, event: replaced(strings.Repeat("[", 512<<10))},
		{name: "A17 a member twice", want: authentic, event: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`"status":`), []byte(`"status":"failed","status":`), 1)
		}},
	}, digests()...)
}

// digests are forms of the Digest header that rule 1 of the contract does not have, each correctly signed.
func digests() []attempt {
	const body = "a body whose Base64 and base64url differ: 2"
	sum, long := sha256.Sum256([]byte(body)), sha512.Sum512([]byte(body))
	standard := "SHA-256=" + base64.StdEncoding.EncodeToString(sum[:])
	return []attempt{
		digestForm("lowercase name", body, "sha-256="+standard[8:]),
		digestForm("SHA-512", body, "SHA-512="+base64.StdEncoding.EncodeToString(long[:])),
		digestForm("two algorithms", body, standard+",MD5="+base64.StdEncoding.EncodeToString(sum[:16])),
		digestForm("unpadded", body, strings.TrimRight(standard, "=")),
		digestForm("base64url", body, "SHA-256="+base64.URLEncoding.EncodeToString(sum[:])),
		digestForm("hex", body, "SHA-256="+hex.EncodeToString(sum[:])),
	}
}

func digestForm(name, body, digest string) attempt {
	return attempt{name: "A7 Digest signed as " + name, want: unlikeDigest, sign: func(s Signer, _ []byte) *http.Request {
		return s.signed(s.path(), s.sent(0), digest, []byte(body))
	}}
}

// connections is what group F can show without a connection.
func connections() []attempt {
	return []attempt{{name: "F70 the body comes too slowly", want: broken, change: brokenBody(os.ErrDeadlineExceeded)}}
}

// signed returns a request to the signer's path that is signed for whatever target, date and digest are.
func (s Signer) signed(target, date, digest string, body []byte) *http.Request {
	r := s.Request(body)
	r.Header.Set("Date", date)
	r.Header.Set("Digest", digest)
	r.Header.Set("Authorization", s.authorization(target, date, digest))
	return r
}

func replaced(body string) func([]byte) []byte {
	return func([]byte) []byte { return []byte(body) }
}

func suffixed(end string) func([]byte) []byte {
	return func(body []byte) []byte { return append(body, end...) }
}

func flipBit(body []byte) []byte {
	body = bytes.Clone(body)
	body[len(body)/2] ^= 1
	return body
}

func with(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func without(name string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Del(name) }
}

// forge leaves the form of the signature intact and its value wrong.
func forge(r *http.Request) {
	value := []byte(r.Header.Get("Authorization"))
	value[len(value)-10] ^= 1
	r.Header.Set("Authorization", string(value))
}

// brokenBody lets the body fail half-way.
func brokenBody(err error) func(*http.Request) {
	return func(r *http.Request) {
		r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, r.ContentLength/2), failing{err}))
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// endless is as much of an endless body as there is, should anybody read on.
const endless = 128 << 20

func endlessBody(r *http.Request) {
	r.Body = io.NopCloser(io.LimitReader(zeros{}, endless))
	r.ContentLength = -1
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
