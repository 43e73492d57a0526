package webhook

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"example.com/idv/internal/signature"
)

// Message is a delivery that did not come as an *http.Request: through a queue, a function runtime, another HTTP library. The
// fields hold the headers' values and the raw body as they arrived.
type Message struct {
	Method        string    // POST
	Path          string    // the path as on the request line, escaped; with the query where there was one
	Date          string    // header Date
	Digest        string    // header Digest
	Authorization string    // header Authorization
	Body          []byte    // raw; only read
	At            time.Time // when it arrived, for a message that had to wait; zero means now
}

// VerifyMessage verifies a whole message. The body counts against [WithMaxBody] here too. It allocates nothing with static keys, but in
// FIPS 140 mode, with [WithEnvironments], for a query under [WithPath] and for a path of some hundred bytes.
//
// The errors: those of [Verifier.VerifyHeader], then [ErrBodyTooLarge] and [ErrDigestMismatch], and with [WithEnvironments] [ErrPayload]
// and [ErrEnvironment].
func (v *Verifier) VerifyMessage(ctx context.Context, m Message) error {
	if m.Method != http.MethodPost {
		return ErrMethod
	}
	t, err := parseTarget(m.Path, v.path)
	if err != nil {
		return err
	}
	c := claim{target: t, date: m.Date, digest: m.Digest, authorization: m.Authorization}
	if err := c.check(); err != nil {
		return err
	}
	at := m.At
	if at.IsZero() {
		at = v.now()
	}
	if _, err := v.verifyClaim(ctx, &c, at); err != nil {
		return err
	}
	if err := v.verifyBody(c.digest, m.Body); err != nil {
		return err
	}
	return v.checkEnvironment(m.Body)
}

// verifyBody compares a body with a digest that is authentic.
func (v *Verifier) verifyBody(digest string, body []byte) error {
	if int64(len(body)) > v.maxBody {
		return ErrBodyTooLarge
	}
	if !signature.DigestMatches(digest, body) {
		return ErrDigestMismatch
	}
	return nil
}

// Format writes no part of the message, whatever the verb: a body is personal data.
func (m Message) Format(s fmt.State, _ rune) {
	_, _ = fmt.Fprintf(s, "webhook.Message(body of %d bytes)", len(m.Body))
}

// LogValue gives no part of the message away.
func (m Message) LogValue() slog.Value { return slog.StringValue(fmt.Sprint(m)) }

// Format writes neither key id nor body, whatever the verb.
func (d Delivery) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, d.summary()) }

// LogValue gives neither key id nor body away.
func (d Delivery) LogValue() slog.Value { return slog.StringValue(d.summary()) }

func (d Delivery) summary() string {
	return fmt.Sprintf("webhook.Delivery(sent %s, skew %v, body of %d bytes)", d.Date.Format(time.RFC3339), d.Skew, len(d.Body))
}
