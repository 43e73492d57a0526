package webhook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"example.com/idv/internal/signature"
)

// Verifier tells the service's webhooks from forged, altered and replayed ones. It is immutable and safe for concurrent use.
type Verifier struct {
	static []*SigningKey // of StaticKeys: nothing is looked up
	keys   KeySource     // any other source; nil with static keys
	decoy  *SigningKey   // makes an unknown key id cost what a wrong secret costs

	tolerance     time.Duration
	now           func() time.Time
	path          string // fixed by WithPath, or ""
	maxBody       int64
	environments  []Environment // nil: any
	bodyTimeout   time.Duration
	lookupTimeout time.Duration
	refused       func(context.Context, error)
}

// NewVerifier returns a Verifier for the keys of one account ([StaticKeys]) or of many ([KeySource]). It refuses missing keys and
// every bad setting, so that no request ever fails for one.
func NewVerifier(keys KeySource, opts ...Option) (*Verifier, error) {
	decoy, err := NewSigningKey("unknown", "the key of an id that nobody has")
	if err != nil {
		return nil, err
	}
	v := &Verifier{
		keys: keys, decoy: decoy,
		tolerance: defaultTolerance, now: time.Now,
		maxBody: defaultMaxBody, bodyTimeout: defaultBodyTimeout, lookupTimeout: defaultLookupTimeout,
		refused: func(context.Context, error) {},
	}
	if keys == nil {
		return nil, errors.New("webhook: NewVerifier needs keys: StaticKeys, or a KeySource of your own")
	}
	if static, ok := keys.(staticKeys); ok {
		if err := static.check(); err != nil {
			return nil, err
		}
		v.static, v.keys = static, nil
	}
	for _, opt := range opts {
		if opt == nil {
			return nil, errors.New("webhook: NewVerifier: a nil option")
		}
		if err := opt(v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Delivery is what is known about a verified request. Only KeyID, Date and Body are signed; ServiceVersion is what the sender or anybody
// on the way wrote into the header.
type Delivery struct {
	KeyID          string        // the key that signed it
	Date           time.Time     // when it was sent, in UTC and whole seconds
	Skew           time.Duration // the clock minus Date: positive for a request sent in the past
	ServiceVersion string        // version of the webhook format, a date (YYYY-MM-DD); "" when the header is missing
	Body           []byte        // the raw body, owned by the Delivery; nil from VerifyHeader

	digest string // authentic: what Body has to hash to
}

// VerifyHeader verifies everything but the body: method, target, signature, Date. It reads no byte of the body, so that a forged
// request costs next to nothing. The Delivery has no Body; whoever acts on the body must have used [Verifier.Verify].
//
// The errors: [ErrMethod], [ErrNotSigned], [ErrMalformed], [ErrUnknownKey], [ErrSignatureMismatch], [ErrTimestamp], [ErrKeyLookup], and
// [ErrDigestMismatch] where the signed Digest has a form that no body can match.
func (v *Verifier) VerifyHeader(r *http.Request) (*Delivery, error) {
	if r.Method != http.MethodPost {
		return nil, ErrMethod
	}
	c, err := requestClaim(r, v.path)
	if err != nil {
		return nil, err
	}
	ok, err := v.verifyClaim(r.Context(), &c, v.now())
	if err != nil {
		return nil, err
	}
	return &Delivery{
		KeyID: ok.key.ID(), Date: ok.date, Skew: ok.skew,
		ServiceVersion: r.Header.Get("Service-Version"), digest: c.digest,
	}, nil
}

// Verify verifies the whole request. The body is read only after the headers have proved to be authentic, up to the limit of
// [WithMaxBody], and can be read again from r.Body afterwards, and anew from each r.GetBody(); r.ContentLength is its length.
//
// The errors: those of [Verifier.VerifyHeader], then [ErrBodyTooLarge], [ErrBodyRead] and [ErrDigestMismatch], and with [WithEnvironments]
// [ErrPayload] and [ErrEnvironment]. After an error of
// the headers r.Body is untouched.
func (v *Verifier) Verify(r *http.Request) (*Delivery, error) {
	d, err := v.VerifyHeader(r)
	if err != nil {
		return nil, err
	}
	if err := v.readInto(d, r); err != nil {
		return nil, err
	}
	setBody(r, d.Body)
	if err := v.checkEnvironment(d.Body); err != nil {
		return nil, err
	}
	return d, nil
}

// verdict is what verifyClaim found out.
type verdict struct {
	key  *SigningKey
	date time.Time
	skew time.Duration
}

// verifyClaim gives the verdicts on the headers in their order: signature, clock, form of the digest.
func (v *Verifier) verifyClaim(ctx context.Context, c *claim, now time.Time) (verdict, error) {
	key, err := v.signer(ctx, c)
	if err != nil {
		return verdict{}, err
	}
	date, ok := parseDate(c.date)
	if !ok || now.IsZero() {
		return verdict{}, ErrTimestamp
	}
	skew := now.Sub(date) // saturates: no date is far enough to overflow
	if skew >= v.tolerance || skew <= -v.tolerance {
		return verdict{}, ErrTimestamp
	}
	if len(c.digest) != signature.DigestLen {
		return verdict{}, errDigestForm
	}
	return verdict{key, date, skew}, nil
}

var errDigestForm error = &refusal{kind: ErrDigestMismatch, detail: "the Digest header is not SHA-256= and standard Base64 of 32 bytes"}

// signer returns the key that has signed the claim.
func (v *Verifier) signer(ctx context.Context, c *claim) (*SigningKey, error) {
	if v.keys != nil {
		return v.lookedUpSigner(ctx, c)
	}
	if k := c.signedBy(v.static); k != nil {
		return k, nil
	}
	// Refused; what follows only finds the word for it.
	id, ok := signature.KeyID(c.authorization)
	if !ok || id != "" && signature.CheckID(id) != "" {
		return nil, ErrMalformed
	}
	for _, k := range v.static {
		if k.ID() == id {
			return nil, ErrSignatureMismatch
		}
	}
	return nil, ErrUnknownKey
}

// lookedUpSigner asks the source of keys. The id is parsed, and checked, before anything gets to see it.
func (v *Verifier) lookedUpSigner(ctx context.Context, c *claim) (*SigningKey, error) {
	id, ok := signature.KeyID(c.authorization)
	if !ok || id != "" && signature.CheckID(id) != "" {
		return nil, ErrMalformed
	}
	keys, err := v.lookUp(ctx, id)
	switch {
	case errors.Is(err, ErrUnknownKey) || err == nil && len(keys) == 0:
		c.signedBy([]*SigningKey{v.decoy})
		return nil, ErrUnknownKey
	case err != nil:
		return nil, &refusal{kind: ErrKeyLookup, detail: "the key source failed", cause: err}
	}
	if k := c.signedBy(keys); k != nil {
		return k, nil
	}
	return nil, ErrSignatureMismatch
}

func (v *Verifier) lookUp(ctx context.Context, id string) ([]*SigningKey, error) {
	if id == "" {
		return nil, ErrUnknownKey
	}
	ctx, cancel := context.WithTimeout(ctx, v.lookupTimeout)
	defer cancel()
	return v.keys.Keys(ctx, id)
}

// signedBy returns the key whose whole Authorization value is the claimed one: over the path, and only if no key matches there, over
// path plus query.
func (c *claim) signedBy(keys []*SigningKey) *SigningKey {
	if k := c.signedOver(c.path, keys); k != nil || c.withQuery == "" {
		return k
	}
	return c.signedOver(c.withQuery, keys)
}

func (c *claim) signedOver(target string, keys []*SigningKey) *SigningKey {
	r := signature.Request{Method: http.MethodPost, Target: target, Date: c.date, Digest: c.digest}
	for _, k := range keys {
		if k.usable() && k.mac.Matches(c.authorization, r) {
			return k
		}
	}
	return nil
}

const redactedVerifier = "webhook.Verifier(redacted)"

// String returns a constant text.
func (v *Verifier) String() string { return redactedVerifier }

// GoString returns a constant text.
func (v *Verifier) GoString() string { return redactedVerifier }

// Format writes a constant text, whatever the verb.
func (v *Verifier) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, redactedVerifier) }

// LogValue returns a constant text.
func (v *Verifier) LogValue() slog.Value { return slog.StringValue(redactedVerifier) }

// MarshalJSON returns a constant text.
func (v *Verifier) MarshalJSON() ([]byte, error) { return []byte(`"` + redactedVerifier + `"`), nil }
