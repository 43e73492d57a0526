package webhook

import (
	"net/http"
	"strings"
)

// The longest headers that are looked at: several times what the contract's have, little enough to make a forged request cheap.
const (
	maxAuthorization = 512
	maxDate          = 64
	maxDigest        = 256
)

// claim is what a request says about itself, before anything of it is believed.
type claim struct {
	target
	date, digest, authorization string
}

func requestClaim(r *http.Request, fixedPath string) (claim, error) {
	t, err := requestTarget(r, fixedPath)
	if err != nil {
		return claim{}, err
	}
	c := claim{
		target:        t,
		date:          joined(r.Header["Date"]),
		digest:        joined(r.Header["Digest"]),
		authorization: joined(r.Header["Authorization"]),
	}
	return c, c.check()
}

// joined returns the value of a header of several lines as RFC 9110, 5.3 defines it. A second line therefore breaks the signature,
// while a Date that an adapter has cut at its comma comes out whole.
func joined(lines []string) string {
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return lines[0]
	}
	return strings.Join(lines, ", ")
}

// check refuses what cannot be verified at all, or only at a cost. A newline smuggled into a part needs no check: a signing string of
// more than three lines is one that the service has never signed.
func (c *claim) check() error {
	switch {
	case c.authorization == "" || c.date == "" || c.digest == "":
		return ErrNotSigned
	case len(c.authorization) > maxAuthorization:
		return ErrMalformed
	case len(c.date) > maxDate:
		return errDateHeader
	case len(c.digest) > maxDigest:
		return errDigestHeader
	}
	return nil
}

var (
	errDateHeader   error = &refusal{kind: ErrMalformed, detail: "the Date header is too long"}
	errDigestHeader error = &refusal{kind: ErrMalformed, detail: "the Digest header is too long"}
)
