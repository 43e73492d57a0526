package webhook_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// BenchmarkVerifyMessage stands beside the floor, the cryptography that no verifier can leave out: read the ratios within one run.
func BenchmarkVerifyMessage(b *testing.B) {
	for _, size := range []int{340, 4 << 10, 64 << 10, 1 << 20} {
		body := bytes.Repeat([]byte("x"), size)
		v := sampleVerifier(b)
		m := signedMessage(body)
		b.Run(fmt.Sprintf("verify/%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.VerifyMessage(context.Background(), m); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("floor/%d", size), func(b *testing.B) {
			f := newFloor(sampleSecret)
			b.ReportAllocs()
			for b.Loop() {
				if !f.verify(m) {
					b.Fatal("refused")
				}
			}
		})
	}
}

// floor is the bare cryptography: SHA-256 of the body, HMAC over the signing string with cached key states, Base64 of both, and the
// comparison of the whole header. The signing string and the header's constant part are given to it.
type floor struct{ inner, outer []byte }

func newFloor(secret string) floor {
	state := func(pad byte) []byte {
		block := make([]byte, sha256.BlockSize)
		sum := sha256.Sum256([]byte(secret))
		copy(block, sum[:]) // the secret of these tests is longer than a block
		for i := range block {
			block[i] ^= pad
		}
		h := sha256.New()
		h.Write(block)
		s, _ := h.(encoding.BinaryMarshaler).MarshalBinary()
		return s
	}
	return floor{inner: state(0x36), outer: state(0x5c)}
}

func (f floor) verify(m webhook.Message) bool {
	var digest, sig [44]byte
	sum := sha256.Sum256(m.Body)
	base64.StdEncoding.Encode(digest[:], sum[:])

	var buf [256]byte
	text := append(buf[:0], "(request-target): post "+samplePath+"\ndate: "+sampleDate+"\ndigest: SHA-256="...)
	text = append(text, digest[:]...)
	h := sha256.New()
	_ = h.(encoding.BinaryUnmarshaler).UnmarshalBinary(f.inner)
	h.Write(text)
	h.Sum(sum[:0])
	o := sha256.New()
	_ = o.(encoding.BinaryUnmarshaler).UnmarshalBinary(f.outer)
	o.Write(sum[:])
	o.Sum(sum[:0])
	base64.StdEncoding.Encode(sig[:], sum[:])

	var value [256]byte
	want := append(value[:0], `Signature keyId="`+sampleKeyID+`",algorithm="hmac-sha256",headers="(request-target) date digest",signature="`...)
	want = append(want, sig[:]...)
	want = append(want, '"')
	return subtle.ConstantTimeCompare(want, []byte(m.Authorization)) == 1
}

// BenchmarkForged refuses a forged request of 1 MiB, beside a receiver that reads before it verifies.
func BenchmarkForged(b *testing.B) {
	body := bytes.Repeat([]byte("x"), 1<<20)
	v := sampleVerifier(b)
	forged := signedMessage(body)
	forged.Authorization = authorization(sampleKeyID, "another secret", "post", samplePath, sampleDate, forged.Digest)
	r := requestOf(forged)
	b.Run("headers first", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := v.Verify(r); !errors.Is(err, webhook.ErrSignatureMismatch) {
				b.Fatal(err)
			}
		}
	})
	b.Run("read then verify", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			forged.Body, _ = io.ReadAll(bytes.NewReader(body))
			sum := sha256.Sum256(forged.Body)
			if forged.Digest != "SHA-256="+base64.StdEncoding.EncodeToString(sum[:]) {
				b.Fatal("digest")
			}
			if err := v.VerifyMessage(context.Background(), forged); !errors.Is(err, webhook.ErrSignatureMismatch) {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkUnknownKey: an id that nobody has must cost what a wrong secret costs. Compare the two of one run.
func BenchmarkUnknownKey(b *testing.B) {
	v := sampleVerifierOf(b, &recordingSource{keys: []*webhook.SigningKey{sampleKey(b)}})
	for name, m := range map[string]webhook.Message{
		"wrong secret": signedWith(sampleKeyID, "another secret"), "unknown id": signedWith("live_key_of_somebody_else_of_this_length", "another secret"),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				_ = v.VerifyMessage(context.Background(), m)
			}
		})
	}
}

// TestHostileCost pins what verifying may allocate.
func TestHostileCost(t *testing.T) {
	t.Run("F68 forged 1 MiB request", func(t *testing.T) {
		v := sampleVerifier(t)
		m := signedMessage(bytes.Repeat([]byte("x"), 1<<20))
		m.Authorization = authorization(sampleKeyID, "another secret", "post", m.Path, m.Date, m.Digest)
		r := requestOf(m)
		r.Body = io.NopCloser(untouchable{t})
		assert.Less(t, testing.AllocsPerRun(100, func() {
			if _, err := v.Verify(r); !errors.Is(err, webhook.ErrSignatureMismatch) {
				t.Error(err)
			}
		}), 5.0)
		result := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				_, _ = v.Verify(r)
			}
		})
		assert.Less(t, result.AllocedBytesPerOp(), int64(1024))
	})
	t.Run("F69 valid 340 B", func(t *testing.T) {
		v := sampleVerifier(t)
		m := signedMessage([]byte(sampleBody))
		require.Len(t, m.Body, 340)
		assert.Zero(t, allocations(t, v, m))
	})
	t.Run("F69 valid 340 B, the older of two keys, path plus query", func(t *testing.T) {
		v := sampleVerifierOf(t, webhook.StaticKeys(signingKey(t, sampleKeyID, "another secret"), sampleKey(t)))
		m := signedMessage([]byte(sampleBody))
		m.Path += "?tenant=7"
		assert.Zero(t, allocations(t, v, resign(m)))
	})
}

func allocations(t *testing.T, v *webhook.Verifier, m webhook.Message) float64 {
	return testing.AllocsPerRun(100, func() {
		if err := v.VerifyMessage(context.Background(), m); err != nil {
			t.Error(err)
		}
	})
}
