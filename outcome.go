package idv

import (
	"encoding/json"
	"fmt"
	"net/http"

	"example.com/idv/internal/transport"
	"example.com/idv/internal/wire"
)

// failure turns what is known of a call into the error that says it, or nil after a success.
//
//	the answer is an error        *Error; around a 5xx to a request that may have run, or where it may have run in an
//	                              attempt before that one, *UncertainError
//	no complete answer            *UncertainError if it may have run, *TransportError if not
func failure(method, path string, r transport.Result) error {
	mayHaveRun := method != http.MethodGet && r.MaybeSent
	switch {
	case r.Err == nil && r.Answer.Success():
		return nil
	case r.Err == nil:
		err := newError(method, path, r)
		if mayHaveRun && (r.Doubtful || err.StatusCode >= 500 && err.StatusCode != http.StatusNotImplemented) {
			return &UncertainError{Method: method, Path: path, Started: r.Started, Err: err}
		}
		return err
	}
	err := withAnswer(r.Err, method, path, r)
	if mayHaveRun {
		return &UncertainError{Method: method, Path: path, Started: r.Started, Err: err}
	}
	return &TransportError{Method: method, Path: path, Attempts: r.Attempts, Err: err}
}

// withAnswer joins what is known of an answer to the reason why there was no other.
func withAnswer(err error, method, path string, r transport.Result) error {
	switch {
	case r.Answer == nil:
		return err
	case !r.Answer.Success():
		return joined(err, newError(method, path, r))
	}
	return &DecodeError{Method: method, Path: path, StatusCode: r.Answer.StatusCode, Body: r.Answer.Body, Err: err}
}

func newError(method, path string, r transport.Result) *Error {
	a := r.Answer
	e := &Error{
		StatusCode: a.StatusCode, Method: method, Path: path, Attempts: r.Attempts, RetryAfter: r.RetryAfter,
		RequestID: a.Header.Get("X-Request-Id"), Header: a.Header, Body: a.Body,
	}
	e.readBody()
	return e
}

// readBody takes what it finds: the body of an error may be anything (observed: five shapes of error bodies, and that of
// the Flow API).
func (e *Error) readBody() {
	var outer struct {
		Error  json.RawMessage `json:"error"`
		Errors json.RawMessage `json:"errors"`
	}
	switch {
	case wire.Unmarshal(e.Body, &outer) != nil:
	case len(outer.Error) == 0:
		e.readList(outer.Errors)
	case outer.Error[0] == '"':
		e.Message = text(outer.Error)
	default:
		e.readObject(outer.Error)
	}
}

func (e *Error) readObject(raw json.RawMessage) {
	var inner struct {
		Type    json.RawMessage `json:"type"`
		Code    json.RawMessage `json:"code"`
		Param   json.RawMessage `json:"param"`
		Message json.RawMessage `json:"message"`
	}
	if wire.Unmarshal(raw, &inner) != nil {
		return
	}
	e.Type, e.Code = ErrorType(text(inner.Type)), ErrorCode(text(inner.Code))
	e.Param, e.Message = text(inner.Param), text(inner.Message)
}

// readList takes the first of a list of errors; the others are in Body.
func (e *Error) readList(raw json.RawMessage) {
	var list []struct {
		Title  json.RawMessage `json:"title"`
		Detail json.RawMessage `json:"detail"`
		Source json.RawMessage `json:"source"`
	}
	if len(raw) == 0 || wire.Unmarshal(raw, &list) != nil || len(list) == 0 {
		return
	}
	e.Message, e.Detail = text(list[0].Title), text(list[0].Detail)
	var source struct {
		Pointer json.RawMessage `json:"pointer"`
	}
	if len(list[0].Source) > 0 && wire.Unmarshal(list[0].Source, &source) == nil {
		e.Pointer = text(source.Pointer)
	}
}

// text reads a JSON string, and leaves a number or a boolean as it stands. An object or an array in its place can hold
// anything: that stays in Body.
func text(raw json.RawMessage) string {
	if len(raw) == 0 || string(raw) == "null" || raw[0] == '{' || raw[0] == '[' {
		return ""
	}
	var s string
	if wire.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// joined puts two errors on one line, which errors.Join does not.
func joined(a, b error) error { return fmt.Errorf("%w; %w", a, b) }
