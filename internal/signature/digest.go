package signature

import (
	"crypto/sha256"
	"encoding/base64"
)

const (
	digestPrefix = "SHA-256="
	sumLen       = 44 // standard Base64 of 32 bytes, with padding

	// DigestLen is the length of every Digest header value.
	DigestLen = len(digestPrefix) + sumLen
)

// Digest returns the value of the Digest header for a body: "SHA-256=" and the standard Base64 of the body's
// SHA-256. A request without a body is signed with the digest of zero bytes.
func Digest(body []byte) string {
	d := digest(body)
	return string(d[:])
}

// DigestMatches reports whether header is the Digest of body, to the letter.
func DigestMatches(header string, body []byte) bool {
	d := digest(body)
	return len(header) == len(d) && differ([]byte(header), d[:]) == 0
}

func digest(body []byte) (d [DigestLen]byte) {
	sum := sha256.Sum256(body)
	copy(d[:], digestPrefix)
	base64.StdEncoding.Encode(d[len(digestPrefix):], sum[:])
	return d
}
