package webhook

import (
	"fmt"
	"io"
	"log/slog"
)

// An event under %v, %+v, %#v and in slog shows ids, kind, environment, status and step. The customer reference and the
// payload are the user's to print, field by field.

// Format writes the envelope without its payload, whatever the verb.
func (e Envelope) Format(f fmt.State, _ rune) { io.WriteString(f, e.describe()) }

// LogValue is the envelope without its payload.
func (e Envelope) LogValue() slog.Value { return slog.GroupValue(e.attrs()...) }

// Format writes the session without its customer reference, whatever the verb.
func (s Session) Format(f fmt.State, _ rune) { io.WriteString(f, s.describe()) }

// LogValue is the session without its customer reference.
func (s Session) LogValue() slog.Value { return slog.GroupValue(s.attrs()...) }

// Format writes the event without customer reference and payload, whatever the verb.
func (e StepUpdated) Format(f fmt.State, _ rune) { formatFlow(f, e.Envelope, e.Session) }

// LogValue is the event without customer reference and payload.
func (e StepUpdated) LogValue() slog.Value { return logFlow(e.Envelope, e.Session) }

// Format writes the event without customer reference and payload, whatever the verb.
func (e StatusUpdated) Format(f fmt.State, _ rune) { formatFlow(f, e.Envelope, e.Session) }

// LogValue is the event without customer reference and payload.
func (e StatusUpdated) LogValue() slog.Value { return logFlow(e.Envelope, e.Session) }

// Format writes the event without customer reference and payload, whatever the verb.
func (e Retried) Format(f fmt.State, _ rune) { formatFlow(f, e.Envelope, e.Session) }

// LogValue is the event without customer reference and payload.
func (e Retried) LogValue() slog.Value { return logFlow(e.Envelope, e.Session) }

func formatFlow(f fmt.State, e Envelope, s Session) {
	io.WriteString(f, e.describe()+": "+s.describe())
}

func logFlow(e Envelope, s Session) slog.Value {
	return slog.GroupValue(append(e.attrs(), slog.Any("session", s))...)
}

func (e Envelope) describe() string {
	return fmt.Sprintf("%s %s (%s)", e.Kind, e.ID, e.Environment)
}

func (e Envelope) attrs() []slog.Attr {
	return []slog.Attr{
		slog.String("id", e.ID),
		slog.String("kind", string(e.Kind)),
		slog.String("environment", string(e.Environment)),
		slog.Time("timestamp", e.Timestamp),
	}
}

func (s Session) describe() string {
	text := fmt.Sprintf("session %s %s", s.ID, s.Status)
	if s.Step != "" {
		text += " at " + string(s.Step)
	}
	return text
}

func (s Session) attrs() []slog.Attr {
	return []slog.Attr{
		slog.String("id", s.ID),
		slog.String("status", string(s.Status)),
		slog.String("step", string(s.Step)),
	}
}
