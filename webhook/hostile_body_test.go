package webhook_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// requestCase is one request and the error that Verify has to return; nil accepts.
type requestCase struct {
	name    string
	request func() *http.Request
	want    error
}

func runRequestCases(t *testing.T, tests []requestCase, opts ...webhook.Option) {
	t.Helper()
	v := sampleVerifier(t, opts...)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d, err := v.Verify(tt.request())
			if tt.want == nil {
				require.NoError(t, err)
				assert.Equal(t, sampleKeyID, d.KeyID)
				return
			}
			require.ErrorIs(t, err, tt.want)
			assert.Nil(t, d)
		})
	}
}

// delivery is the sample's request with another body, signed.
func delivery(body string) func() *http.Request {
	return func() *http.Request { return requestOf(signedMessage([]byte(body))) }
}

// altered is the sample's request with something changed after it was signed.
func altered(change func(m *webhook.Message)) func() *http.Request {
	return func() *http.Request {
		m := signedMessage([]byte(sampleBody))
		change(&m)
		return requestOf(m)
	}
}

// resigned is the sample's request with something changed before it was signed.
func resigned(change func(m *webhook.Message)) func() *http.Request {
	return func() *http.Request {
		m := signedMessage([]byte(sampleBody))
		change(&m)
		return requestOf(resign(m))
	}
}

// tampered is the sample's request with its headers changed.
func tampered(change func(r *http.Request)) func() *http.Request {
	return func() *http.Request {
		r := requestOf(signedMessage([]byte(sampleBody)))
		change(r)
		return r
	}
}

func TestHostileBodies(t *testing.T) {
	t.Parallel()
	body := func(s string) func() *http.Request {
		return altered(func(m *webhook.Message) { m.Body = []byte(s) })
	}
	runRequestCases(t, []requestCase{
		{"A1 valid 340 B", delivery(sampleBody), nil},
		{"A1 empty body", delivery(""), nil},
		{"A1 non-UTF-8 body", delivery("\xff\xfe\x00"), nil},
		{"A1 trailing newline", delivery(sampleBody + "\n"), nil},
		{"A2 one bit flipped, Digest kept", body(strings.Replace(sampleBody, "failed", "failee", 1)), webhook.ErrDigestMismatch},
		{"A3 re-serialised, a space added", body(strings.Replace(sampleBody, ":", ": ", 1)), webhook.ErrDigestMismatch},
		{"A3 BOM prepended", body("\ufeff" + sampleBody), webhook.ErrDigestMismatch},
		{"A3 body emptied", body(""), webhook.ErrDigestMismatch},
		{"A4 body and Digest both replaced, signature kept", altered(func(m *webhook.Message) {
			m.Body = []byte("forged")
			m.Digest = digestOf(m.Body)
		}), webhook.ErrSignatureMismatch},
		{"A6 Digest missing", tampered(func(r *http.Request) { r.Header.Del("Digest") }), webhook.ErrNotSigned},
		{"A6 Digest empty", tampered(func(r *http.Request) { r.Header.Set("Digest", "") }), webhook.ErrNotSigned},
		{"A8 second Digest line", tampered(func(r *http.Request) { r.Header.Add("Digest", digestOf(nil)) }), webhook.ErrSignatureMismatch},
		{"A9 Digest only as a trailer", tampered(func(r *http.Request) {
			r.Trailer = http.Header{"Digest": r.Header["Digest"]}
			r.Header.Del("Digest")
		}), webhook.ErrNotSigned},
		{"A10 body shorter than Content-Length", tampered(func(r *http.Request) { r.ContentLength++ }), webhook.ErrBodyRead},
	})
}

func TestHostileDigestForms(t *testing.T) {
	t.Parallel()
	sum, long := sha256.Sum256([]byte(sampleBody)), sha512.Sum512([]byte(sampleBody))
	standard := base64.StdEncoding.EncodeToString(sum[:])
	url := base64.URLEncoding.EncodeToString(sum[:])
	require.NotEqual(t, standard, url, "the sample's digest has a slash")
	digest := func(value string) func() *http.Request {
		return func() *http.Request {
			r := resigned(func(m *webhook.Message) { m.Digest = value })()
			if len(value) != len(digestOf(nil)) {
				r.Body = io.NopCloser(untouchable{t}) // no body can match: the header decides
			}
			return r
		}
	}
	runRequestCases(t, []requestCase{
		{"A7 sha-256=", digest("sha-256=" + standard), webhook.ErrDigestMismatch},
		{"A7 SHA-512", digest("SHA-512=" + base64.StdEncoding.EncodeToString(long[:])), webhook.ErrDigestMismatch},
		{"A7 two algorithms", digest("SHA-256=" + standard + ",MD5=" + standard), webhook.ErrDigestMismatch},
		{"A7 unpadded", digest("SHA-256=" + strings.TrimRight(standard, "=")), webhook.ErrDigestMismatch},
		{"A7 base64url", digest("SHA-256=" + url), webhook.ErrDigestMismatch},
		{"A7 hex", digest("SHA-256=" + hex.EncodeToString(sum[:])), webhook.ErrDigestMismatch},
		{"A7 Base64 of the hex", digest("SHA-256=" + base64.StdEncoding.EncodeToString([]byte(hex.EncodeToString(sum[:])))), webhook.ErrDigestMismatch},
		{"A7 of absurd length", digest("SHA-256=" + strings.Repeat("A", 1000)), webhook.ErrMalformed},
	})
}

func TestHostileSizes(t *testing.T) {
	t.Parallel()
	const limit = 1000
	v := sampleVerifier(t, webhook.WithMaxBody(limit))
	chunked := func(size int) (*http.Request, *countingReader) {
		r := delivery(strings.Repeat("x", size))()
		body := &countingReader{Reader: r.Body}
		r.Body, r.ContentLength = io.NopCloser(body), -1
		return r, body
	}
	t.Run("A5 body exactly at the limit", func(t *testing.T) {
		t.Parallel()
		_, err := v.Verify(delivery(strings.Repeat("x", limit))())
		require.NoError(t, err)
		r, _ := chunked(limit)
		_, err = v.Verify(r)
		require.NoError(t, err, "of unknown length")
	})
	t.Run("A5 one byte over the limit", func(t *testing.T) {
		t.Parallel()
		m := signedMessage([]byte(strings.Repeat("x", limit+1)))
		r := requestOf(m)
		r.Body = io.NopCloser(untouchable{t})
		_, err := v.Verify(r)
		require.ErrorIs(t, err, webhook.ErrBodyTooLarge)
		require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrBodyTooLarge)
		assert.Equal(t, http.StatusRequestEntityTooLarge, webhook.StatusCode(err))
	})
	t.Run("A11 chunked over the limit is read to limit+1", func(t *testing.T) {
		t.Parallel()
		r, body := chunked(100 * limit)
		_, err := v.Verify(r)
		require.ErrorIs(t, err, webhook.ErrBodyTooLarge)
		assert.Equal(t, limit+1, body.n)
	})
	t.Run("A11 an outer MaxBytesHandler is a limit too", func(t *testing.T) {
		t.Parallel()
		r, _ := chunked(limit)
		r.Body = http.MaxBytesReader(nil, r.Body, 10)
		_, err := v.Verify(r)
		require.ErrorIs(t, err, webhook.ErrBodyTooLarge)
	})
	t.Run("A12 Content-Length 1 GiB, bad signature", func(t *testing.T) {
		t.Parallel()
		r := altered(func(m *webhook.Message) { m.Authorization = strings.Replace(m.Authorization, "sig", "gis", 1) })()
		r.ContentLength, r.Body = 1<<30, io.NopCloser(untouchable{t})
		_, err := v.Verify(r)
		require.ErrorIs(t, err, webhook.ErrMalformed)
	})
	t.Run("A12 Content-Length is no promise", func(t *testing.T) {
		t.Parallel()
		large := sampleVerifier(t, webhook.WithMaxBody(1<<30))
		r := delivery(sampleBody)()
		room := &roomReader{Reader: r.Body}
		r.Body, r.ContentLength = io.NopCloser(room), 1<<30 // replayed with a length that would exhaust the memory
		_, err := large.Verify(r)
		require.ErrorIs(t, err, webhook.ErrBodyRead)
		assert.LessOrEqual(t, room.most, 64<<10+1)
	})
	t.Run("A12 a body larger than any first buffer", func(t *testing.T) {
		t.Parallel()
		body := strings.Repeat("0123456789", 70_000)
		r := delivery(body)()
		r.Body, r.ContentLength = io.NopCloser(io.MultiReader(strings.NewReader(body[:1]), strings.NewReader(body[1:]))), -1
		d, err := sampleVerifier(t).Verify(r)
		require.NoError(t, err)
		assert.Equal(t, body, string(d.Body))
	})
}

type countingReader struct {
	io.Reader
	n int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += n
	return n, err
}

// roomReader knows the largest buffer it was given.
type roomReader struct {
	io.Reader
	most int
}

func (r *roomReader) Read(p []byte) (int, error) {
	r.most = max(r.most, len(p))
	return r.Reader.Read(p)
}

func TestHostileBodyReads(t *testing.T) {
	t.Parallel()
	failing := func(cause error) *http.Request {
		r := delivery(sampleBody)()
		r.Body = io.NopCloser(io.MultiReader(io.LimitReader(r.Body, 100), errReader{cause}))
		return r
	}
	tests := []struct {
		name   string
		cause  error
		status int
	}{
		{"A10 the client dies", io.ErrUnexpectedEOF, http.StatusBadRequest},
		{"A14 an earlier middleware has closed it", http.ErrBodyReadAfterClose, http.StatusBadRequest},
		{"F70 it comes too slowly", os.ErrDeadlineExceeded, http.StatusRequestTimeout},
		{"the connection breaks", errors.New("read tcp 192.0.2.1:443: connection reset by peer"), http.StatusBadRequest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := sampleVerifier(t).Verify(failing(tt.cause))
			require.ErrorIs(t, err, webhook.ErrBodyRead)
			require.ErrorIs(t, err, tt.cause, "the cause can be found")
			require.NotErrorIs(t, err, webhook.ErrUnverified)
			assert.NotContains(t, err.Error(), "192.0.2.1", "but is not printed")
			assert.Equal(t, tt.status, webhook.StatusCode(err))
		})
	}
	t.Run("A14 body already consumed", func(t *testing.T) {
		t.Parallel()
		r := delivery(sampleBody)()
		_, _ = io.Copy(io.Discard, r.Body)
		_, err := sampleVerifier(t).Verify(r)
		require.ErrorIs(t, err, webhook.ErrDigestMismatch)
		assert.ErrorContains(t, err, "already consumed by a middleware")
	})
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

// TestHostilePayloads: what is signed is verified, whatever it is; reading it as an event is another step.
func TestHostilePayloads(t *testing.T) {
	t.Parallel()
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte(sampleBody))
	require.NoError(t, w.Close())
	tests := []struct{ name, body string }{
		{"A15 Content-Encoding: gzip", zipped.String()},
		{"A16 1 MiB of [", strings.Repeat("[", 1<<20)},
		{"A16 nested 10 000 deep", `{"id":"whkevt_1","data":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`},
		{"A17 duplicate JSON keys", strings.Replace(sampleBody, `"status":"failed"`, `"status":"failed","status":"success"`, 1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := delivery(tt.body)()
			r.Header.Set("Content-Encoding", "gzip") // never decoded: the digest is over the bytes that were sent
			d, err := sampleVerifier(t).Verify(r)
			require.NoError(t, err)
			_, err = webhook.ParseEvent(d.Body)
			require.ErrorIs(t, err, webhook.ErrPayload)
		})
	}
}
