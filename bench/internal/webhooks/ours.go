package webhooks

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/go-fed/httpsig"
)

// KeyID and Path are those of the receiver in this package.
const (
	KeyID = "ak_0123456789abcdef"
	Path  = "/webhooks/flow"
)

// Request is a delivery signed by the service's scheme, as a handler gets it, with a body that can be wound back.
func Request(d Delivery) (*http.Request, *Body) {
	r := webhooktest.Signer{KeyID: KeyID, Secret: d.Secret, Path: Path}.Request(d.Signed)
	body := &Body{content: d.Delivered}
	r.Body, r.ContentLength = body, int64(len(d.Delivered))
	return r, body
}

// Body is a request body that is read many times.
type Body struct {
	bytes.Reader
	content []byte
}

// Rewind gives the body to r, unread.
func (b *Body) Rewind(r *http.Request) {
	b.Reset(b.content)
	r.Body = b
}

// Close does nothing.
func (b *Body) Close() error { return nil }

// NewVerifier is ours, with the one key.
func NewVerifier() (*webhook.Verifier, error) {
	key, err := webhook.NewSigningKey(KeyID, Secret)
	if err != nil {
		return nil, err
	}
	return webhook.NewVerifier(webhook.StaticKeys(key))
}

func oursMessage(d Delivery) (func() error, error) {
	v, err := NewVerifier()
	r, _ := Request(d)
	m := webhook.Message{
		Method: r.Method, Path: r.RequestURI, Body: d.Delivered,
		Date: r.Header.Get("Date"), Digest: r.Header.Get("Digest"), Authorization: r.Header.Get("Authorization"),
	}
	ctx := context.Background()
	return func() error { return v.VerifyMessage(ctx, m) }, err
}

func oursRequest(d Delivery) (func() error, error) {
	v, err := NewVerifier()
	r, body := Request(d)
	return func() error {
		body.Rewind(r)
		r.ContentLength = int64(len(d.Delivered))
		_, err := v.Verify(r)
		return err
	}, err
}

// floor is the arithmetic of the scheme and nothing else: the signing string is at hand, the key schedule computed, no memory is
// asked for, no header looked up and no clock read.
func floor(d Delivery) (func() error, error) {
	r, _ := Request(d)
	digest := []byte(r.Header.Get("Digest"))[len("SHA-256="):]
	authorization := []byte(r.Header.Get("Authorization"))
	signature := authorization[len(authorization)-45 : len(authorization)-1]
	text := []byte(SigningString(r))
	mac := hmac.New(sha256.New, []byte(Secret))
	var sum [sha256.Size]byte
	var encoded [44]byte
	return func() error {
		mac.Reset()
		mac.Write(text)
		base64.StdEncoding.Encode(encoded[:], mac.Sum(sum[:0]))
		ok := subtle.ConstantTimeCompare(encoded[:], signature)
		sum = sha256.Sum256(d.Delivered)
		base64.StdEncoding.Encode(encoded[:], sum[:])
		return verdict(ok&subtle.ConstantTimeCompare(encoded[:], digest) == 1)
	}, nil
}

// SigningString is the text that is signed for r.
func SigningString(r *http.Request) string {
	return fmt.Sprintf("(request-target): %s %s\ndate: %s\ndigest: %s",
		strings.ToLower(r.Method), r.URL.EscapedPath(), r.Header.Get("Date"), r.Header.Get("Digest"))
}

// VerifyNaively is the scheme as one writes it after reading its description once.
func VerifyNaively(r *http.Request, body []byte) error {
	sum := sha256.Sum256(body)
	if r.Header.Get("Digest") != "SHA-256="+base64.StdEncoding.EncodeToString(sum[:]) {
		return errors.New("digest")
	}
	mac := hmac.New(sha256.New, []byte(Secret))
	mac.Write([]byte(SigningString(r)))
	want := fmt.Sprintf(`Signature keyId="%s",algorithm="hmac-sha256",headers="(request-target) date digest",signature="%s"`,
		KeyID, base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	if subtle.ConstantTimeCompare([]byte(want), []byte(r.Header.Get("Authorization"))) != 1 {
		return errors.New("signature")
	}
	return checkDate(r)
}

func checkDate(r *http.Request) error {
	sent, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil {
		return err
	}
	return verdict(time.Since(sent).Abs() < 15*time.Minute)
}

func naive(d Delivery) (func() error, error) {
	r, _ := Request(d)
	return func() error { return VerifyNaively(r, d.Delivered) }, nil
}

// goFed verifies this very scheme, headers only. The digest and the date are left to its user.
func goFed(d Delivery) (func() error, error) {
	r, _ := Request(d)
	return func() error {
		if err := goFedHeader(r); err != nil {
			return err
		}
		sum := sha256.Sum256(d.Delivered)
		return verdict(r.Header.Get("Digest") == "SHA-256="+base64.StdEncoding.EncodeToString(sum[:]))
	}, nil
}

func goFedHeader(r *http.Request) error {
	v, err := httpsig.NewVerifier(r)
	if err != nil {
		return err
	}
	if err := v.Verify([]byte(Secret), httpsig.HMAC_SHA256); err != nil {
		return err
	}
	return checkDate(r)
}

func readNaively(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	return VerifyNaively(r, body)
}
