package signature

import (
	"bytes"
	"crypto/fips140"
	"crypto/hmac"
	"crypto/sha256"
	"encoding"
	"fmt"
	"io"
)

// Key is a key id and the HMAC states of its secret. It is immutable and safe for concurrent use, and prints without
// what it holds.
type Key struct {
	id     string
	prefix string // of the Authorization value, up to the signature

	// The two states of SHA-256 after the padded secret: restored on the stack they give an HMAC at no allocation and
	// half the time of hmac.New. As sensitive as the secret itself.
	inner, outer []byte

	// The secret itself is kept only where the validated module has to do the whole HMAC (FIPS 140 mode).
	secret []byte
}

// NewKey returns the key of a key id and its secret. The secret is taken as it is written, not decoded. NewKey checks
// neither of the two: what they may look like is for the callers to say.
func NewKey(id, secret string) *Key {
	k := &Key{id: id, prefix: beforeID + id + beforeSignature}
	if fips140.Enabled() {
		k.secret = []byte(secret)
		return k
	}
	k.inner = paddedState(secret, 0x36)
	k.outer = paddedState(secret, 0x5c)
	return k
}

// ID returns the key id, which is sent with every signature.
func (k *Key) ID() string { return k.id }

// Format keeps the key out of every text, whatever the verb.
func (k *Key) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, "signature.Key(redacted)") }

// paddedState returns the state of SHA-256 after one block of the secret, padded as RFC 2104 says.
func paddedState(secret string, pad byte) []byte {
	var block [sha256.BlockSize]byte
	if len(secret) > len(block) {
		sum := sha256.Sum256([]byte(secret))
		copy(block[:], sum[:])
	} else {
		copy(block[:], secret)
	}
	for i := range block {
		block[i] ^= pad
	}
	h := sha256.New()
	h.Write(block[:])
	state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
	if err != nil {
		panic("signature: crypto/sha256 promises to marshal its state: " + err.Error())
	}
	return state
}

// mac returns the HMAC with SHA-256 over message. The states are restored here and not in a helper: the compiler has to
// see the concrete hash, or both would go to the heap. They are of our own making, so that restoring cannot fail.
func (k *Key) mac(message []byte) (mac [sha256.Size]byte) {
	if k.secret != nil {
		return standardMAC(k.secret, message)
	}
	inner := sha256.New()
	_ = inner.(encoding.BinaryUnmarshaler).UnmarshalBinary(k.inner)
	inner.Write(message)
	inner.Sum(mac[:0])

	outer := sha256.New()
	_ = outer.(encoding.BinaryUnmarshaler).UnmarshalBinary(k.outer)
	outer.Write(mac[:])
	outer.Sum(mac[:0])
	return mac
}

func standardMAC(secret, message []byte) [sha256.Size]byte {
	h := hmac.New(sha256.New, secret)
	h.Write(bytes.Clone(message)) // the caller's buffer stays on its stack
	return [sha256.Size]byte(h.Sum(nil))
}
