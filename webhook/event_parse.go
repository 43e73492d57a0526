package webhook

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"example.com/idv/internal/wire"
)

// ParseEvent decodes the body of a verified delivery. body is copied: it may be reused.
//
// Kinds, statuses, steps and members that the contract does not know are kept; see Validate for what else is let
// through. The error is ErrPayload where the body is no JSON object, a member name stands twice in one object (two
// decoders could disagree about what was signed), a member has another JSON type than the contract's, or the id, the
// event or the data of a Flow session event are missing. Its text holds no value of the body.
func ParseEvent(body []byte) (Event, error) {
	var w wireEvent
	if err := wire.Unmarshal(body, &w); err != nil {
		return nil, payloadError("", err)
	}
	if w.ID == "" {
		return nil, fmt.Errorf("%w: the member id is missing or empty", ErrPayload)
	}
	if w.Event == "" {
		return nil, fmt.Errorf("%w: the member event is missing or empty", ErrPayload)
	}
	e := Envelope{
		ID:          w.ID,
		Kind:        w.Event,
		Timestamp:   parseTimestamp(string(w.Timestamp)),
		Environment: w.Environment,
		Data:        w.Data,
		Raw:         bytes.Clone(body),
	}
	switch e.Kind {
	case KindScreeningUpdated, KindEntityScreeningUpdated:
		return &ScreeningUpdated{e}, nil
	case KindStepUpdated, KindStatusUpdated, KindRetried:
		return parseFlow(e)
	}
	return &UnknownEvent{e}, nil
}

func parseFlow(e Envelope) (Event, error) {
	var w wireSession
	if len(e.Data) == 0 || e.Data[0] != '{' {
		return nil, fmt.Errorf("%w: the member data is missing or no object", ErrPayload)
	}
	if err := wire.Unmarshal(e.Data, &w); err != nil {
		return nil, payloadError("data, ", err)
	}
	s := Session{w.Object, w.ID, string(w.CustomerReference), string(w.Meta), w.Status, w.Step}
	switch e.Kind {
	case KindStepUpdated:
		return &StepUpdated{e, s}, nil
	case KindStatusUpdated:
		return &StatusUpdated{e, s}, nil
	}
	return &Retried{e, s}, nil
}

// payloadError keeps the text of err, which names an offset and a JSON type and never a value.
func payloadError(where string, err error) error {
	return fmt.Errorf("%w: %s%w", ErrPayload, where, err)
}

type wireEvent struct {
	ID          string          `json:"id"`
	Timestamp   text            `json:"timestamp"`
	Event       Kind            `json:"event"`
	Data        json.RawMessage `json:"data"`
	Environment Environment     `json:"environment"`
}

type wireSession struct {
	Object            string `json:"object"`
	ID                string `json:"id"`
	Status            Status `json:"status"`
	Step              Step   `json:"step"`
	CustomerReference text   `json:"customer_reference"`
	Meta              text   `json:"_meta"`
}

// text is a member that decides nothing here, so that no change of its JSON type may cost an event: a string is kept
// as it is, null is "", and anything else stays JSON (a customer reference that was given as the number 42 is "42").
type text string

// UnmarshalJSON never fails on well-formed JSON.
func (t *text) UnmarshalJSON(b []byte) error {
	switch {
	case len(b) == 0 || b[0] == 'n':
		*t = ""
	case b[0] != '"':
		*t = text(b)
	case bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b):
		*t = text(b[1 : len(b)-1])
	default:
		return wire.Unmarshal(b, (*string)(t))
	}
	return nil
}

// parseTimestamp reads an ISO 8601 date-time with a zone, as RFC 3339 profiles it. Years that leave 0 to 9999 in UTC
// cannot be written back and count as no date-time.
func parseTimestamp(s string) time.Time {
	t, err := time.Parse(time.RFC3339, strings.ToUpper(s))
	if err != nil {
		return time.Time{}
	}
	t = t.UTC()
	if y := t.Year(); y < 0 || y > 9999 {
		return time.Time{}
	}
	return t
}
