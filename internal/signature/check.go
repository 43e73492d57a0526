package signature

import (
	"crypto/fips140"
	"fmt"
	"strings"
)

// The longest key id and secret that are taken; those of the service have about 40 and 80 characters.
const (
	maxKeyID  = 256
	maxSecret = 4096
)

// CheckID says what is wrong with a key id, reading on from its name, or nothing. It keeps an id harmless wherever it may
// be put: a header, a query, a path, a cache key, a log.
func CheckID(id string) (problem string) {
	valid := id != "" && len(id) <= maxKeyID && isAlphanumeric(id[0])
	for i := 0; valid && i < len(id); i++ {
		c := id[i]
		valid = isAlphanumeric(c) || c == '_' || c == '-' || c == '.'
	}
	if valid {
		return ""
	}
	return fmt.Sprintf("must be 1 to %d letters, digits, %q, %q or %q, and start with a letter or digit", maxKeyID, '_', '-', '.')
}

// CheckSecret says what is wrong with a secret, reading on from its name, or nothing: above all what a slip in a
// configuration leaves behind.
func CheckSecret(secret string) (problem string) {
	switch {
	case secret == "":
		return "is empty"
	case len(secret) > maxSecret:
		return fmt.Sprintf("is longer than %d bytes", maxSecret)
	case strings.TrimSpace(secret) != secret:
		return "starts or ends with a blank or a newline: trim what was read from the file or the environment"
	case strings.ContainsFunc(secret, isControl):
		return "holds a control character"
	case fips140.Enabled() && len(secret) < 112/8:
		return "is shorter than the 112 bits that FIPS 140 mode asks for"
	}
	return ""
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }
