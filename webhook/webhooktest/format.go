package webhooktest

import (
	"fmt"
	"io"
	"log/slog"
)

const signerText = "webhooktest.Signer(redacted)"

// Format writes a constant text, whatever the verb: a test that prints its Signer may run with a real secret.
func (s Signer) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, signerText) }

// LogValue gives a constant text.
func (s Signer) LogValue() slog.Value { return slog.StringValue(signerText) }

// Format writes ids, kind, status and step, whatever the verb: no customer reference.
func (e Event) Format(f fmt.State, _ rune) {
	_, _ = io.WriteString(f, "webhooktest.Event"+e.LogValue().String())
}

// LogValue gives ids, kind, status and step.
func (e Event) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", e.ID), slog.String("kind", e.Kind), slog.String("session_id", e.SessionID),
		slog.String("status", e.Status), slog.String("step", e.Step), slog.String("environment", e.Environment))
}
