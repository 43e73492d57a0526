package idv

import (
	"fmt"
	"log/slog"

	"example.com/idv/internal/redact"
)

// What this package prints of a value is said here: an id, a status and a mode at most. The values themselves stay in
// fields, for programs. fmt.Formatter covers every verb, %+v and %#v included, which fields are not safe from
// otherwise; slog.LogValuer covers slog.

// shown is the printed form of a model.
type shown struct {
	kind, id string
	status   Status // empty for models without one
	livemode bool
}

func (s shown) String() string {
	if s.status == "" {
		return fmt.Sprintf("idv.%s{ID:%s Livemode:%t}", s.kind, s.id, s.livemode)
	}
	return fmt.Sprintf("idv.%s{ID:%s Status:%s Livemode:%t}", s.kind, s.id, s.status, s.livemode)
}

func (s shown) LogValue() slog.Value {
	attrs := []slog.Attr{slog.String("id", s.id), slog.Bool("livemode", s.livemode)}
	if s.status != "" {
		attrs = append(attrs, slog.String("status", string(s.status)))
	}
	return slog.GroupValue(attrs...)
}

func (p Person) shown() shown         { return shown{"Person", p.ID, p.Status, p.Livemode} }
func (c Company) shown() shown        { return shown{"Company", c.ID, c.Status, c.Livemode} }
func (c Candidate) shown() shown      { return shown{"Candidate", c.ID, "", c.Livemode} }
func (q QuestionSet) shown() shown    { return shown{"QuestionSet", q.ID, "", q.Livemode} }
func (h Hit) shown() shown            { return shown{"Hit", h.ID, "", h.Livemode} }
func (m WatchlistMatch) shown() shown { return shown{"WatchlistMatch", m.ID, "", false} }

// Format prints id, status and mode, whatever the verb.
func (p Person) Format(f fmt.State, verb rune) { redact.Write(f, verb, p.shown().String()) }

// LogValue gives id, status and mode.
func (p Person) LogValue() slog.Value { return p.shown().LogValue() }

// Format prints id, status and mode, whatever the verb.
func (c Company) Format(f fmt.State, verb rune) { redact.Write(f, verb, c.shown().String()) }

// LogValue gives id, status and mode.
func (c Company) LogValue() slog.Value { return c.shown().LogValue() }

// Format prints id and mode, whatever the verb.
func (c Candidate) Format(f fmt.State, verb rune) { redact.Write(f, verb, c.shown().String()) }

// LogValue gives id and mode.
func (c Candidate) LogValue() slog.Value { return c.shown().LogValue() }

// Format prints id and mode, whatever the verb.
func (q QuestionSet) Format(f fmt.State, verb rune) { redact.Write(f, verb, q.shown().String()) }

// LogValue gives id and mode.
func (q QuestionSet) LogValue() slog.Value { return q.shown().LogValue() }

// Format prints id and mode, whatever the verb.
func (h Hit) Format(f fmt.State, verb rune) { redact.Write(f, verb, h.shown().String()) }

// LogValue gives id and mode.
func (h Hit) LogValue() slog.Value { return h.shown().LogValue() }

// Format prints the id, whatever the verb.
func (m WatchlistMatch) Format(f fmt.State, verb rune) { redact.Write(f, verb, m.shown().String()) }

// LogValue gives the id.
func (m WatchlistMatch) LogValue() slog.Value { return m.shown().LogValue() }

// Format prints the number of matches, whatever the verb.
func (s WatchlistSearch) Format(f fmt.State, verb rune) {
	redact.Write(f, verb, fmt.Sprintf("idv.WatchlistSearch{Count:%d Livemode:%t}", s.Count, s.Livemode))
}

// LogValue gives the number of matches and the mode.
func (s WatchlistSearch) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("count", s.Count), slog.Bool("livemode", s.Livemode))
}

// Format prints the numbers of the page, whatever the verb.
func (l List[T]) Format(f fmt.State, verb rune) {
	redact.Write(f, verb, fmt.Sprintf("idv.List{TotalCount:%d HasMore:%t Data:%d}", l.TotalCount, l.HasMore, len(l.Data)))
}

// LogValue gives the numbers of the page.
func (l List[T]) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("total_count", l.TotalCount), slog.Bool("has_more", l.HasMore), slog.Int("data", len(l.Data)))
}

// Format prints status, request id and attempts, whatever the verb.
func (r Response) Format(f fmt.State, verb rune) {
	redact.Write(f, verb, fmt.Sprintf("idv.Response{StatusCode:%d RequestID:%s Attempts:%d}", r.StatusCode, r.RequestID, r.Attempts))
}

// LogValue gives status, request id and attempts.
func (r Response) LogValue() slog.Value {
	return slog.GroupValue(slog.Int("status", r.StatusCode), slog.String("request_id", r.RequestID), slog.Int("attempts", r.Attempts))
}

// Format prints the base address and the mode, whatever the verb: never the key.
func (c Client) Format(f fmt.State, verb rune) {
	redact.Write(f, verb, fmt.Sprintf("idv.Client{BaseURL:%s Mode:%s}", c.base, c.config.mode))
}

// LogValue gives the base address and the mode.
func (c Client) LogValue() slog.Value {
	return slog.GroupValue(slog.String("base_url", fmt.Sprint(c.base)), slog.String("mode", string(c.config.mode)))
}

// private is embedded in what holds nothing but personal data: params, queries and the parts of a model.
type private = redact.Private

// Format prints nothing of the value, whatever the verb.
func (Filter) Format(f fmt.State, verb rune) { redact.Write(f, verb, redact.NotPrinted) }

// LogValue gives nothing of the value.
func (Filter) LogValue() slog.Value { return slog.StringValue(redact.NotPrinted) }

// Format prints what Error says, whatever the verb: the body stays in its field.
func (e Error) Format(f fmt.State, verb rune) { redact.Write(f, verb, e.Error()) }

// Format prints what Error says, whatever the verb.
func (e UncertainError) Format(f fmt.State, verb rune) { redact.Write(f, verb, e.Error()) }

// Format prints what Error says, whatever the verb.
func (e TransportError) Format(f fmt.State, verb rune) { redact.Write(f, verb, e.Error()) }

// Format prints what Error says, whatever the verb: the body stays in its field.
func (e DecodeError) Format(f fmt.State, verb rune) { redact.Write(f, verb, e.Error()) }

// LogValue gives what Error says, as attributes.
func (e Error) LogValue() slog.Value {
	return slog.GroupValue(
		slog.Int("status", e.StatusCode), slog.String("type", string(e.Type)), slog.String("code", string(e.Code)),
		slog.String("param", e.Param), slog.String("message", e.Message),
		slog.String("detail", e.Detail), slog.String("pointer", e.Pointer), slog.String("request_id", e.RequestID),
		slog.String("method", e.Method), slog.String("path", e.Path), slog.Int("attempts", e.Attempts))
}

// LogValue gives what Error says.
func (e UncertainError) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// LogValue gives what Error says.
func (e TransportError) LogValue() slog.Value { return slog.StringValue(e.Error()) }

// LogValue gives what Error says.
func (e DecodeError) LogValue() slog.Value { return slog.StringValue(e.Error()) }
