package webhook_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// agree holds the verifier against the plain one written from the contract, and the way of a request against that of a message.
func agree(t *testing.T, m webhook.Message, now time.Time) {
	t.Helper()
	v := sampleVerifier(t, webhook.WithClock(func() time.Time { return now }))
	err := v.VerifyMessage(t.Context(), m)

	pathOnly := m
	pathOnly.Path, _, _ = strings.Cut(m.Path, "?")
	require.Equal(t, referenceVerify(pathOnly, now) || referenceVerify(m, now), err == nil, "%v for %#v", err, m)

	r := requestOf(signedMessage(m.Body)) // the parts are put in as they are: no parser in between
	r.Method, r.RequestURI = m.Method, m.Path
	r.Header.Set("Date", m.Date)
	r.Header.Set("Digest", m.Digest)
	r.Header.Set("Authorization", m.Authorization)
	_, requestErr := v.Verify(r)
	require.Equal(t, err, requestErr)
}

// FuzzVerify gives any parts to both, as they are or correctly signed.
func FuzzVerify(f *testing.F) {
	sample := signedMessage([]byte(sampleBody))
	f.Add("POST", sample.Path, sample.Date, sample.Digest, sample.Authorization, sample.Body, int64(0), false)
	f.Add("POST", "/hook?tenant=7", sample.Date, "", "", sample.Body, int64(899), true)
	f.Add("GET", "/", "Saturday, 23-Jan-21 21:43:14 GMT", digestOf(nil), "", []byte{}, int64(-900), true)
	f.Add("post", "/\n", "Sat Jan 23 21:43:14 2021", "SHA-256=", "Signature ", []byte("x"), int64(900), false)
	f.Fuzz(func(t *testing.T, method, path, date, digest, authorization string, body []byte, off int64, sign bool) {
		if len(path) > 4000 {
			path = path[:4000] // above 8 KiB it is refused unread, whatever the signature
		}
		m := webhook.Message{Method: method, Path: "/" + path, Date: date, Digest: digest, Authorization: authorization, Body: body}
		if sign {
			m.Digest = digestOf(body)
			m = resign(m)
		}
		agree(t, m, sentAt.Add(time.Duration(off%2000)*time.Second))
	})
}

// TestAgreesWithTheReference does the same with messages near the valid ones, where accidents are likelier than in random bytes.
func TestAgreesWithTheReference(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		m := signedMessage(randomBytes(random, random.IntN(200)))
		m.Path = []string{"/", "/hook", "/hook?a=b", "/a%20b", "/%e2%82%ac?"}[random.IntN(5)]
		layouts := []string{"Mon, 02 Jan 2006 15:04:05 GMT", "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC, time.RFC3339}
		m.Date = sentAt.Add(time.Duration(random.IntN(5)-2) * time.Minute).Format(layouts[random.IntN(4)])
		m = resign(m)
		parts := []*string{&m.Method, &m.Path, &m.Date, &m.Digest, &m.Authorization}
		for range random.IntN(3) {
			part := parts[random.IntN(len(parts))]
			*part = damaged(random, *part)
		}
		if !strings.HasPrefix(m.Path, "/") {
			continue // another form of target, which the plain verifier does not know
		}
		now := sentAt.Add(time.Duration(random.IntN(2100)-1050) * time.Second)
		agree(t, m, now)
	}
}

func damaged(random *rand.Rand, s string) string {
	if s == "" {
		return s
	}
	b, i := []byte(s), random.IntN(len(s))
	switch random.IntN(3) {
	case 0:
		b[i] ^= 1 << random.IntN(8)
	case 1:
		b = append(b[:i], b[i+1:]...)
	case 2:
		b = bytes.Join([][]byte{b[:i], b[i:]}, []byte{s[i]})
	}
	return string(b)
}

func randomBytes(random *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	return b
}
