package trust_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
)

// Each canary stands for what no text may hold. They have no letter that a percent-encoding or JSON would change.
const (
	canaryKey    = "CANARYKEY0f3a"
	canarySecret = "CANARYSECRET9c1d"
	canaryData   = "CANARY078051120"
)

// inText gives every way in which a value could end in a text.
func inText(v any) string {
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Info("x", "v", v)
	return printed(v) + b.String()
}

// printed leaves the JSON handler of slog out, which gives a container to encoding/json: there, a model is its data.
func printed(v any) string {
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	slog.New(slog.NewTextHandler(&b, nil)).Info("x", "v", v)
	return b.String()
}

// assertSilent says that no text of a value holds a canary, as it is, in hex, or as Basic credentials.
func assertSilent(t testing.TB, v any, what string) {
	t.Helper()
	assertClean(t, inText(v), what)
}

func assertClean(t testing.TB, text, what string) {
	t.Helper()
	for _, canary := range []string{canaryKey, canarySecret, canaryData} {
		for _, form := range []string{canary, fmt.Sprintf("%x", canary), fmt.Sprintf("%d", []byte(canary))} {
			if !assert.NotContains(t, text, form, what) {
				return
			}
		}
	}
	assert.NotContains(t, text, "Q0FOQVJZ", "%s: Base64", what) // CANARY at the beginning
	assert.NotContains(t, text, "Y1NBUl", "%s: Base64 of what sk_test_ precedes", what)
}

// filler puts canaries into every exported field of a value, but for those that may be shown.
type filler struct{ shown []string }

func (f filler) fill(v reflect.Value, depth int) {
	if depth > 6 || !v.CanSet() {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(canaryData)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth+1)
	case reflect.Slice:
		f.fillSlice(v, depth)
	case reflect.Map:
		f.fillMap(v, depth)
	case reflect.Struct:
		f.fillStruct(v, depth)
	case reflect.Interface:
		f.fillInterface(v)
	}
}

func (f filler) fillSlice(v reflect.Value, depth int) {
	switch v.Type() {
	case reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`"` + canaryData + `"`))
	case reflect.TypeFor[[]byte]():
		v.SetBytes([]byte(canaryData))
	default:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		f.fill(v.Index(0), depth+1)
	}
}

func (f filler) fillMap(v reflect.Value, depth int) {
	key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
	f.fill(key, depth+1)
	f.fill(value, depth+1)
	v.Set(reflect.MakeMap(v.Type()))
	v.SetMapIndex(key, value)
}

func (f filler) fillStruct(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return
	}
	for i := range v.NumField() {
		field := v.Type().Field(i)
		if field.IsExported() && !slices.Contains(f.shown, field.Name) && !isWord(field.Type) {
			f.fill(v.Field(i), depth+1)
		}
	}
}

// isWord tells the named texts of the contract, a status for example, from texts that anybody writes.
func isWord(t reflect.Type) bool { return t.Kind() == reflect.String && t != reflect.TypeFor[string]() }

func (f filler) fillInterface(v reflect.Value) {
	switch v.Type() {
	case reflect.TypeFor[any]():
		v.Set(reflect.ValueOf(canaryData))
	case reflect.TypeFor[error]():
		v.Set(reflect.ValueOf(&idv.Error{Body: []byte(canaryData), Method: "GET", Path: "/people"}))
	}
}
