package signature_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/internal/signature"
)

const (
	keyID  = "live_key_deadbeefcafedeadbeefcafedeadbeef"
	secret = "live_secret_abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234abcd1234"
	date   = "Sat, 23 Jan 2021 21:43:14 GMT"
	digest = "SHA-256=xZI8wiAi5crBdZt7l10plN7Q8bScB6r/OV5PjxjKtTw="
	empty  = "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	body   = `{"id":"whkevt_11111111111111","timestamp":"2021-01-01T00:00:00Z","event":"flow_session.status.updated","data":{"object":"flow_session","id":"flwses_11111111111111","status":"failed","step":null,"customer_reference":"cafecafe-beef-beef-beef-cafecafecafe","_meta":"This API format is not v1.0 and is subject to change."},"environment":"live"}`
)

// TestVectors repeats the published samples, and two that were computed beside them.
func TestVectors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name      string
		request   signature.Request
		signed    string
		signature string
	}{
		{
			name:      "documented delivery",
			request:   signature.Request{Method: "POST", Target: "/webhook_receivers/flow", Date: date, Digest: digest},
			signed:    "(request-target): post /webhook_receivers/flow\ndate: " + date + "\ndigest: " + digest,
			signature: "PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8=",
		},
		{
			name:      "target with a query",
			request:   signature.Request{Method: "POST", Target: "/webhook_receivers/flow?tenant=7", Date: date, Digest: digest},
			signed:    "(request-target): post /webhook_receivers/flow?tenant=7\ndate: " + date + "\ndigest: " + digest,
			signature: "SWgpxg3SnY+0lbXBLTg97Ief445pbzqxRO0nGNmoNdQ=",
		},
		{
			name:      "GET without a body",
			request:   signature.Request{Method: "GET", Target: "/flow_sessions/flwses_11111111111111", Date: date, Digest: empty},
			signed:    "(request-target): get /flow_sessions/flwses_11111111111111\ndate: " + date + "\ndigest: " + empty,
			signature: "2UT64MnaP23yPuFEEAnIayqJ9ZPZyPAOXVwjrySJAvs=",
		},
	}
	key := signature.NewKey(keyID, secret)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			want := `Signature keyId="` + keyID + `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="` + tt.signature + `"`
			assert.Equal(t, tt.signed, signature.SigningString(tt.request))
			assert.Equal(t, want, key.Authorization(tt.request))
			assert.True(t, key.Matches(want, tt.request))
		})
	}
}

func TestDigest(t *testing.T) {
	t.Parallel()
	assert.Equal(t, digest, signature.Digest([]byte(body)))
	assert.Equal(t, empty, signature.Digest(nil), "zero bytes have a digest too")
	assert.Len(t, digest, signature.DigestLen)
	assert.True(t, signature.DigestMatches(digest, []byte(body)))
	assert.False(t, signature.DigestMatches(digest, []byte(body+"\n")))
	assert.False(t, signature.DigestMatches("", nil))
	assert.False(t, signature.DigestMatches(strings.TrimSuffix(digest, "="), []byte(body)), "the padding belongs to it")
}

func TestSignText(t *testing.T) {
	t.Parallel()
	key := signature.NewKey(keyID, secret)
	assert.Equal(t, "yw0hqBPOIWcHPFZBsaMPnxktOrWwWkZcWP+TneV5D48=", key.SignText("3a409367-a417-4d46-9a92-3d7bc5dc4605"))
}

// TestAnySecretLength compares the restored states with crypto/hmac around the block size, where the padding changes.
func TestAnySecretLength(t *testing.T) {
	t.Parallel()
	random := rand.NewChaCha8([32]byte{1})
	for n := 1; n <= 200; n++ {
		secret, text := make([]byte, n), make([]byte, 3*n)
		_, _ = random.Read(secret)
		_, _ = random.Read(text)
		h := hmac.New(sha256.New, secret)
		h.Write(text)
		want := base64.StdEncoding.EncodeToString(h.Sum(nil))
		require.Equal(t, want, signature.NewKey("id", string(secret)).SignText(string(text)), "a secret of %d bytes", n)
	}
}

// TestLongTarget: what does not fit the buffer on the stack is signed all the same.
func TestLongTarget(t *testing.T) {
	t.Parallel()
	key := signature.NewKey(keyID, secret)
	r := signature.Request{Method: "PATCH", Target: "/" + strings.Repeat("a", 4096), Date: date, Digest: digest}
	assert.True(t, key.Matches(key.Authorization(r), r))
	assert.True(t, strings.HasPrefix(signature.SigningString(r), "(request-target): patch /aaa"))
}

func TestMatchesRefusesEveryChangedByte(t *testing.T) {
	t.Parallel()
	key := signature.NewKey(keyID, secret)
	r := signature.Request{Method: "POST", Target: "/hook", Date: date, Digest: digest}
	value := key.Authorization(r)
	for i := range value {
		for _, mask := range []byte{1, 2, 32, 128} {
			changed := []byte(value)
			changed[i] ^= mask
			require.False(t, key.Matches(string(changed), r), "byte %d ^ %d", i, mask)
		}
		require.False(t, key.Matches(value[:i], r), "cut at %d", i)
	}
	assert.False(t, key.Matches(value+" ", r))
	assert.False(t, key.Matches(" "+value, r))
}

func TestKeyID(t *testing.T) {
	t.Parallel()
	const sig = "PkvXq6CcH0d5HA7hiK5JWsA+e7G+7fuZPLtM2rMe4/8="
	const rest = `",algorithm="hmac-sha256",headers="(request-target) date digest",signature="`
	tests := []struct {
		name, value, id string
		ok              bool
	}{
		{"the one form", `Signature keyId="k1` + rest + sig + `"`, "k1", true},
		{"empty id", `Signature keyId="` + rest + sig + `"`, "", true},
		{"nothing", "", "", false},
		{"lowercase scheme", `signature keyId="k1` + rest + sig + `"`, "", false},
		{"quote in the id", `Signature keyId="k"1` + rest + sig + `"`, "", false},
		{"two key ids", `Signature keyId="k1",keyId="k2` + rest + sig + `"`, "", false},
		{"short signature", `Signature keyId="k1` + rest + sig[1:] + `"`, "", false},
		{"quote in the signature", `Signature keyId="k1` + rest + sig[1:] + `""`, "", false},
		{"no last quote", `Signature keyId="k1` + rest + sig, "", false},
		{"more after it", `Signature keyId="k1` + rest + sig + `" `, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			id, ok := signature.KeyID(tt.value)
			assert.Equal(t, tt.ok, ok)
			if tt.ok {
				assert.Equal(t, tt.id, id)
			}
		})
	}
}

func TestKeyPrintsNothing(t *testing.T) {
	t.Parallel()
	key := signature.NewKey(keyID, secret)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		assert.Equal(t, "signature.Key(redacted)", fmt.Sprintf(verb, key))
	}
	assert.Equal(t, keyID, key.ID())
}

// TestMatchesAllocatesNothing also with a header that is wrong.
func TestMatchesAllocatesNothing(t *testing.T) {
	key := signature.NewKey(keyID, secret)
	r := signature.Request{Method: "POST", Target: "/webhook_receivers/flow", Date: date, Digest: digest}
	value := key.Authorization(r)
	payload := []byte(body)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if !key.Matches(value, r) || key.Matches("Basic", r) || !signature.DigestMatches(digest, payload) {
			t.Error("wrong verdict")
		}
	}))
}

// TestFIPS runs the vectors again in FIPS 140 mode, which only a new process can enter.
func TestFIPS(t *testing.T) {
	t.Parallel()
	if os.Getenv("SIGNATURE_FIPS") != "" {
		assert.NotEmpty(t, signature.CheckSecret(strings.Repeat("x", 13)), "104 bits")
		assert.Empty(t, signature.CheckSecret(strings.Repeat("x", 14)), "112 bits")
		return // this is the process started below
	}
	assert.Empty(t, signature.CheckSecret("x"))
	cmd := exec.Command(os.Args[0], "-test.run=^(TestVectors|TestSignText|TestAnySecretLength|TestMatchesRefuses.*|TestFIPS)$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=on", "SIGNATURE_FIPS=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	assert.Contains(t, string(out), "--- PASS: TestVectors")
}

func BenchmarkMatches(b *testing.B) {
	key := signature.NewKey(keyID, secret)
	r := signature.Request{Method: "POST", Target: "/webhook_receivers/flow", Date: date, Digest: digest}
	value := key.Authorization(r)
	b.ReportAllocs()
	for b.Loop() {
		if !key.Matches(value, r) {
			b.Fatal("refused")
		}
	}
}
