// Package signature is the signing scheme that the service and its clients share: the Digest header, the signing
// string of three lines, and the Authorization header that carries an HMAC with SHA-256 over it.
//
// A [Key] signs ([Key.Authorization]) and verifies ([Key.Matches]) a [Request]; neither looks at a body, which takes
// part by its [Digest] only. Verification allocates nothing.
package signature

import (
	"encoding/base64"
	"strings"
)

// Request holds the parts of an HTTP request that a signature covers.
type Request struct {
	Method string // in any case: the signing string has it in lowercase
	Target string // the path as on the request line; path plus query where the query is signed as well
	Date   string // the Date header's value
	Digest string // the Digest header's value
}

// SigningString returns the three lines that are signed. There is no newline after the last.
func SigningString(r Request) string {
	return string(r.append(nil))
}

func (r Request) append(dst []byte) []byte {
	dst = append(dst, "(request-target): "...)
	if r.Method == "POST" {
		dst = append(dst, "post"...) // every webhook: spares strings.ToLower its allocation
	} else {
		dst = append(dst, strings.ToLower(r.Method)...)
	}
	dst = append(dst, ' ')
	dst = append(dst, r.Target...)
	dst = append(dst, "\ndate: "...)
	dst = append(dst, r.Date...)
	dst = append(dst, "\ndigest: "...)
	return append(dst, r.Digest...)
}

// The Authorization value is a constant for a key up to the signature, and a quote after it.
const (
	beforeID        = `Signature keyId="`
	beforeSignature = `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="`
	afterSignature  = `"`
)

// Authorization returns the whole value of the Authorization header for r.
func (k *Key) Authorization(r Request) string {
	var buf [512]byte
	sig := k.sign(r.append(buf[:0]))
	return k.prefix + string(sig[:]) + afterSignature
}

// Matches reports whether authorization is the header value that [Key.Authorization] gives for r. The whole value is
// compared, without parsing it, in a time that depends on its length alone.
func (k *Key) Matches(authorization string, r Request) bool {
	var buf [512]byte
	want := k.sign(r.append(buf[:0]))
	n := len(k.prefix)
	if len(authorization) != n+len(want)+len(afterSignature) {
		return false
	}
	got := []byte(authorization)
	return differ(got[:n], []byte(k.prefix))|
		differ(got[n:n+len(want)], want[:])|
		uint64(got[len(got)-1]^'"') == 0
}

// SignText returns the standard Base64 of the HMAC over text: how a customer reference is signed for the client-side
// integration (observed, not in the written contract).
func (k *Key) SignText(text string) string {
	sig := k.sign([]byte(text))
	return string(sig[:])
}

func (k *Key) sign(message []byte) (sig [sumLen]byte) {
	mac := k.mac(message)
	base64.StdEncoding.Encode(sig[:], mac[:])
	return sig
}

// KeyID returns the key id of an Authorization value that has the scheme's one form to the letter, whatever its id and
// signature are. It says nothing about the signature being right: it finds the key to try, or the words for a refusal.
func KeyID(authorization string) (id string, ok bool) {
	rest, ok := strings.CutPrefix(authorization, beforeID)
	if !ok {
		return "", false
	}
	id, rest, ok = strings.Cut(rest, beforeSignature)
	if !ok || strings.ContainsRune(id, '"') {
		return "", false
	}
	sig, ok := strings.CutSuffix(rest, afterSignature)
	return id, ok && len(sig) == sumLen && !strings.ContainsRune(sig, '"')
}
