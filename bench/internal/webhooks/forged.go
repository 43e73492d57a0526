package webhooks

import (
	"errors"

	"example.com/idv/webhook"
)

// Refusal is a library that gets a forged request, its body still to be read.
type Refusal struct {
	Name   string
	Refuse func() error // an error if the request was accepted
}

var errAccepted = errors.New("a forged delivery was accepted")

func refused(err error) error {
	if err == nil {
		return errAccepted
	}
	return nil
}

// Refusals are what there is to do with a forged request of size bytes. The first reads and then verifies, as most do.
func Refusals(size int) ([]Refusal, error) {
	d := Genuine(Event(size))
	d.Secret = "another secret of the same length"
	v, err := NewVerifier()
	if err != nil {
		return nil, err
	}
	r, body := Request(d)
	refusals := []Refusal{
		{"floor: ReadAll, then verify naively", func() error {
			body.Rewind(r)
			return refused(readNaively(r))
		}},
		{"idv, Verify(*http.Request)", func() error {
			body.Rewind(r)
			_, err := v.Verify(r)
			if !errors.Is(err, webhook.ErrSignatureMismatch) || body.Len() != len(d.Delivered) {
				return errors.New("not refused for its signature, or only after reading")
			}
			return nil
		}},
		{"go-fed/httpsig, headers first by hand", func() error { return refused(goFedHeader(r)) }},
	}
	for _, reads := range []Verifier{{"go-github ValidatePayload", goGithub}, {"paddle-go-sdk", paddleGo}} {
		verify, err := reads.New(d)
		if err != nil {
			return nil, err
		}
		refusals = append(refusals, Refusal{reads.Name, func() error { return refused(verify()) }})
	}
	return refusals, nil
}
