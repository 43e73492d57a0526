package wire

import (
	"bytes"
	stdjson "encoding/json"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Immutable: options are values that are only read.
var (
	decodeOptions = json.JoinOptions(jsontext.AllowInvalidUTF8(true))
	encodeOptions = json.JoinOptions(json.Deterministic(true))

	// standard is how encoding/json reads tags and names, but for a member that stands twice.
	standard = json.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false), jsontext.AllowDuplicateNames(false))
)

// Marshal encodes v with its members in a fixed order. The error is an *Error.
func Marshal(v any) ([]byte, error) {
	data, err := json.Marshal(v, encodeOptions)
	if err != nil {
		return nil, encodeError(err)
	}
	return data, nil
}

// Unmarshal decodes one JSON value that fills data. The error is an *Error.
func Unmarshal(data []byte, v any) error {
	if err := json.Unmarshal(data, v, decodeOptions); err != nil {
		return decodeError(err)
	}
	return nil
}

// MarshalStandard encodes a value of somebody else's type, with the meaning that encoding/json gives to its tags.
func MarshalStandard(v any) ([]byte, error) {
	data, err := json.Marshal(v, standard, jsontext.AllowInvalidUTF8(false))
	if err != nil {
		return nil, encodeError(err)
	}
	return data, nil
}

// UnmarshalStandard decodes into a value of somebody else's type, with the meaning that encoding/json gives to its tags
// and names.
func UnmarshalStandard(data []byte, v any) error {
	if err := json.Unmarshal(data, v, standard); err != nil {
		return decodeError(err)
	}
	return nil
}

// Items decodes an array item by item. next gives the value to decode the next item into; took is handed the same
// value and the item's JSON, a part of data that must not be changed; an error from it ends the decoding.
func Items(data []byte, next func() any, took func(item any, raw []byte) error) error {
	w := newWalk(data)
	if err := w.items(next, took); err != nil {
		return decodeError(err)
	}
	return w.end()
}

// Envelope decodes an object that holds an array of items among its members: array names it. member gives the value
// to decode another member into, or nil to pass over it; it is told of the array too, for which its value is not used.
func Envelope(data []byte, array string, member func(name string) any, next func() any, took func(item any, raw []byte) error) error {
	w := newWalk(data)
	err := w.object(func(name string) error {
		v := member(name)
		switch {
		case name == array:
			return w.items(next, took)
		case v != nil:
			return json.UnmarshalDecode(w.dec, v)
		}
		return w.dec.SkipValue()
	})
	if err != nil {
		return decodeError(err)
	}
	return w.end()
}

// walk reads data by tokens where the position of a value matters.
type walk struct {
	data []byte
	dec  *jsontext.Decoder
}

func newWalk(data []byte) *walk {
	return &walk{data: data, dec: jsontext.NewDecoder(bytes.NewBuffer(data), decodeOptions)}
}

func (w *walk) object(member func(name string) error) error {
	if err := w.open('{'); err != nil {
		return err
	}
	for w.dec.PeekKind() != '}' {
		name, err := w.dec.ReadToken()
		if err != nil {
			return err
		}
		if err := member(name.String()); err != nil {
			return err
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

func (w *walk) items(next func() any, took func(item any, raw []byte) error) error {
	if err := w.open('['); err != nil {
		return err
	}
	for w.dec.PeekKind() != ']' {
		from := w.dec.InputOffset()
		item := next()
		if err := json.UnmarshalDecode(w.dec, item); err != nil {
			return err
		}
		to := w.dec.InputOffset()
		raw := bytes.TrimLeft(w.data[from:to:to], ", \t\r\n")
		if err := took(item, raw); err != nil {
			return &Error{Offset: from, problem: "an item that is none", cause: err}
		}
	}
	_, err := w.dec.ReadToken()
	return err
}

func (w *walk) open(kind jsontext.Kind) error {
	at := w.dec.InputOffset()
	token, err := w.dec.ReadToken()
	if err != nil {
		return err
	}
	if token.Kind() != kind {
		return &Error{Offset: at, problem: kindName(token.Kind()) + " where " + kindName(kind) + " is wanted"}
	}
	return nil
}

// end makes sure that nothing follows the value.
func (w *walk) end() error {
	at := w.dec.InputOffset()
	switch _, err := w.dec.ReadToken(); err {
	case io.EOF:
		return nil
	case nil:
		return &Error{Offset: at, problem: "more than one JSON value"}
	default:
		return decodeError(err)
	}
}

// Unknown returns the members of the object raw that the struct that model points to has no field for, or nil where there is
// none or raw is no object. It reads raw anew, which the decoding of a model does not: only those pay who ask.
func Unknown(raw []byte, model any) map[string]stdjson.RawMessage {
	var members map[string]stdjson.RawMessage
	if len(raw) == 0 || json.Unmarshal(raw, &members, decodeOptions) != nil {
		return nil
	}
	dropKnown(members, reflect.TypeOf(model).Elem())
	if len(members) == 0 {
		return nil
	}
	return members
}

// Foreign reports whether raw is something else than the struct that model points to: no object, or one with members of
// which the struct has none.
func Foreign(raw []byte, model any) bool {
	var members map[string]stdjson.RawMessage
	if json.Unmarshal(raw, &members, decodeOptions) != nil || members == nil {
		return true
	}
	all := len(members)
	dropKnown(members, reflect.TypeOf(model).Elem())
	return all > 0 && len(members) == all
}

func dropKnown(members map[string]stdjson.RawMessage, t reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			dropKnown(members, field.Type)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		delete(members, name)
	}
}
