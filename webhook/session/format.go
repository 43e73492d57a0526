package session

import (
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// Format writes the state without the customer reference, whatever the verb.
func (s State) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.describe()) }

// LogValue is the state without the customer reference.
func (s State) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", s.id),
		slog.String("status", string(s.Status())),
		slog.String("step", string(s.Step())),
		slog.Time("updated_at", s.UpdatedAt()),
	)
}

// Format writes the sessions without the customer reference, whatever the verb.
func (c Customer) Format(f fmt.State, _ rune) {
	texts := make([]string, 0, len(c.sessions))
	for _, s := range c.Sessions() {
		texts = append(texts, s.describe())
	}
	_, _ = fmt.Fprintf(f, "customer with %d sessions [%s]", len(texts), strings.Join(texts, ", "))
}

// LogValue is the current session, and how many there are.
func (c Customer) LogValue() slog.Value {
	current, _ := c.Current()
	return slog.GroupValue(slog.Int("sessions", len(c.sessions)), slog.Any("current", current))
}

func (s State) describe() string {
	if s.IsZero() {
		return "no session"
	}
	text := fmt.Sprintf("session %s %s", s.id, s.Status())
	if s.Step() != "" {
		text += " at " + string(s.Step())
	}
	return text
}

// Format writes the look-up without the customer reference, whatever the verb.
func (f Fetched) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, f.LogValue().String()) }

// LogValue is the look-up without the customer reference.
func (f Fetched) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("id", f.ID),
		slog.Time("at", f.At),
		slog.String("status", string(f.Status)),
		slog.String("step", string(f.Step)),
	)
}
