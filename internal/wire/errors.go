package wire

import (
	"errors"
	"fmt"
	"io"
	"reflect"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Error says where JSON could not be decoded, or which Go type could not be encoded, and why. Its text holds no value
// and no member name of the JSON: both may be personal data.
type Error struct {
	// Offset is the number of bytes before the problem; -1 where a Go value could not be encoded.
	Offset  int64
	problem string
	cause   error
}

func (e *Error) Error() string {
	if e.Offset < 0 {
		return "JSON: " + e.problem
	}
	return fmt.Sprintf("JSON: %s, at byte %d", e.problem, e.Offset)
}

// Unwrap gives io.ErrUnexpectedEOF where the JSON ends early, and the error of a callback.
func (e *Error) Unwrap() error { return e.cause }

func decodeError(err error) error {
	var own *Error
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &own):
		return own
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return early(err)
	case errors.Is(err, jsontext.ErrDuplicateName) && errors.As(err, &syntactic):
		return &Error{Offset: syntactic.ByteOffset, problem: "a member name that stands twice in one object"}
	case errors.As(err, &syntactic):
		return &Error{Offset: syntactic.ByteOffset, problem: "not well-formed"}
	case errors.As(err, &semantic):
		return &Error{Offset: semantic.ByteOffset, problem: mismatch(semantic)}
	}
	return &Error{problem: "not decodable"}
}

func early(err error) error {
	e := &Error{problem: "ends early", cause: io.ErrUnexpectedEOF}
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) {
		e.Offset = syntactic.ByteOffset
	}
	return e
}

func encodeError(err error) error {
	e := &Error{Offset: -1, problem: "a value cannot be encoded"}
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		e.problem = "a member stands twice, once as a field and once in Extra"
	case errors.As(err, &syntactic): // what else an encoder can find wrong with a token
		e.problem = "a text is not valid UTF-8"
	case errors.As(err, &semantic) && semantic.GoType != nil:
		e.problem = fmt.Sprintf("a value of type %v cannot be encoded", semantic.GoType)
	}
	return e
}

func mismatch(e *json.SemanticError) string {
	want := "another value"
	if e.GoType != nil {
		want = typeName(e.GoType)
	}
	return kindName(e.JSONKind) + " where " + want + " is wanted"
}

func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return t.String()
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{', '}':
		return "an object"
	case '[', ']':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a value"
}
