package idvtest

import (
	"fmt"
	"io"
	"log/slog"
)

// What a text or a log shows of a value is said here: ids, kinds, methods and statuses. People who test with copies of real
// data have logs too, and a log of a test service should look like one of the service. The fields stay for programs.

func describe(f fmt.State, v slog.LogValuer, kind string) {
	_, _ = io.WriteString(f, "idvtest."+kind+v.LogValue().String())
}

func idOnly(id string) slog.Value { return slog.GroupValue(slog.String("id", id)) }

// Format prints the URL, whatever the verb: never a key or a secret.
func (s *Server) Format(f fmt.State, _ rune) { describe(f, s, "Server") }

// LogValue gives the URL.
func (s *Server) LogValue() slog.Value { return slog.GroupValue(slog.String("url", s.URL)) }

// Format prints a constant text, whatever the verb.
func (d Dashboard) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, dashboardText) }

// LogValue gives a constant text.
func (d Dashboard) LogValue() slog.Value { return slog.StringValue(dashboardText) }

const dashboardText = "idvtest.Dashboard"

// Format prints the ids of the session and of the one it retries, whatever the verb.
func (s *Session) Format(f fmt.State, _ rune) { describe(f, s, "Session") }

// LogValue gives the ids of the session and of the one it retries.
func (s *Session) LogValue() slog.Value {
	return slog.GroupValue(slog.String("id", s.ID), slog.String("previous_session_id", s.PreviousSessionID))
}

// Format prints method, path and answer, whatever the verb: no query, no header and no body.
func (r Request) Format(f fmt.State, _ rune) { describe(f, r, "Request") }

// LogValue gives method, path and answer.
func (r Request) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Time("time", r.Time), slog.String("method", r.Method), slog.String("path", r.Path),
		slog.Int("status", r.Status), slog.String("refused", r.Refused), slog.String("request_id", r.RequestID))
}

// Format prints all but the body, whatever the verb.
func (d Delivery) Format(f fmt.State, _ rune) { describe(f, d, "Delivery") }

// LogValue gives all but the body.
func (d Delivery) LogValue() slog.Value {
	attrs := []slog.Attr{
		slog.Time("time", d.Time), slog.String("webhook_id", d.WebhookID), slog.String("event_id", d.EventID), slog.String("kind", d.Kind),
		slog.Int("attempt", d.Attempt), slog.Bool("duplicate", d.Duplicate), slog.Int("status", d.Status),
	}
	if d.Err != nil {
		attrs = append(attrs, slog.String("err", d.Err.Error()))
	}
	return slog.GroupValue(attrs...)
}

// Format prints which requests it befalls and with what, whatever the verb: no header and no body.
func (f Fault) Format(s fmt.State, _ rune) { describe(s, f, "Fault") }

// LogValue gives which requests it befalls and with what.
func (f Fault) LogValue() slog.Value {
	return slog.GroupValue(
		slog.String("method", f.Method), slog.String("path", f.Path), slog.Int("times", f.Times), slog.Int("status", f.Status),
		slog.Bool("work", f.Work), slog.Bool("drop", f.Drop), slog.Bool("truncate", f.Truncate))
}

// Format prints the id, whatever the verb.
func (p Person) Format(f fmt.State, _ rune) { describe(f, p, "Person") }

// LogValue gives the id.
func (p Person) LogValue() slog.Value { return idOnly(p.ID) }

// Format prints the id, whatever the verb.
func (c Company) Format(f fmt.State, _ rune) { describe(f, c, "Company") }

// LogValue gives the id.
func (c Company) LogValue() slog.Value { return idOnly(c.ID) }

// Format prints the id, whatever the verb.
func (c Candidate) Format(f fmt.State, _ rune) { describe(f, c, "Candidate") }

// LogValue gives the id.
func (c Candidate) LogValue() slog.Value { return idOnly(c.ID) }

// Format prints the country, whatever the verb.
func (a Address) Format(f fmt.State, _ rune) { describe(f, a, "Address") }

// LogValue gives the country.
func (a Address) LogValue() slog.Value {
	return slog.GroupValue(slog.String("country_code", a.CountryCode))
}

// Format prints the id and the list, whatever the verb.
func (e SanctionedEntry) Format(f fmt.State, _ rune) { describe(f, e, "SanctionedEntry") }

// LogValue gives the id and the list.
func (e SanctionedEntry) LogValue() slog.Value {
	return slog.GroupValue(slog.String("id", e.ID), slog.String("list", e.List))
}
