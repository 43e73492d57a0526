package idvtest

import (
	"encoding/json"
	"strconv"
	"strings"
)

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

func (o object) with(name string, value any) object { return append(o, member{name, value}) }

// withText adds a text unless it is empty.
func (o object) withText(name, text string) object {
	if text == "" {
		return o
	}
	return o.with(name, text)
}

func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// percent is a float that shows itself as one on the wire: 100.0, not 100.
type percent float64

func (p percent) String() string {
	text := strconv.FormatFloat(float64(p), 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// appendJSON writes a value of the kinds that objects of this service are made of, in the order in which they are kept.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case percent:
		return append(dst, v.String()...)
	case string:
		return appendString(dst, v)
	case object:
		return appendObject(dst, v)
	case []object:
		return appendArray(dst, v)
	case []string:
		return appendArray(dst, v)
	}
	return dst
}

func appendObject(dst []byte, o object) []byte {
	dst = append(dst, '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(appendString(dst, m.name), ':')
		dst = appendJSON(dst, m.value)
	}
	return append(dst, '}')
}

func appendArray[T any](dst []byte, list []T) []byte {
	dst = append(dst, '[')
	for i, v := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendJSON(dst, v)
	}
	return append(dst, ']')
}

// appendString writes plain ASCII as it is and leaves all else to encoding/json.
func appendString(dst []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || strings.IndexByte(`"\<>&`, c) >= 0 {
			text, _ := json.Marshal(s) // a string always marshals
			return append(dst, text...)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}
