package wire_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/idv/internal/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type item struct {
	ID    string  `json:"id"`
	Count int     `json:"count"`
	Note  *string `json:"note"`
}

func TestUnmarshalToleratesWhatTheServiceMayAdd(t *testing.T) {
	t.Parallel()
	var got item
	require.NoError(t, wire.Unmarshal([]byte(`{"id":"a","later":{"x":[1]},"note":null,"ID":"other case"}`), &got))
	assert.Equal(t, item{ID: "a"}, got)
	require.NoError(t, wire.Unmarshal([]byte("{\"id\":\"a\xff\"}"), &got), "a broken byte must not cost a paid answer")
	assert.Equal(t, "a\uFFFD", got.ID)
}

func TestUnmarshalErrorsNameNoValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"a name twice":     {`{"id":"078051120","id":"x"}`, "JSON: a member name that stands twice in one object, at byte 18"},
		"a wrong kind":     {`{"count":"078051120"}`, "JSON: a string where int is wanted, at byte 9"},
		"a fraction":       {`{"count":0.78051120}`, "JSON: a number where int is wanted, at byte 9"},
		"beyond 64 bits":   {`{"count":78051120000000000000000}`, "JSON: a number where int is wanted, at byte 9"},
		"an early end":     {`{"id":"078051120`, "JSON: ends early, at byte 16"},
		"nothing":          {``, "JSON: ends early, at byte 0"},
		"HTML":             {`<html>078051120`, "JSON: not well-formed, at byte 0"},
		"a second value":   {`{} 078051120`, "JSON: not well-formed, at byte 3"},
		"an array instead": {`["078051120"]`, "JSON: an array where wire_test.item is wanted, at byte 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := wire.Unmarshal([]byte(c.in), new(item))
			require.Error(t, err)
			assert.Equal(t, c.want, err.Error())
		})
	}
	assert.ErrorIs(t, wire.Unmarshal([]byte(`{"id":`), new(item)), io.ErrUnexpectedEOF)
}

func TestUnmarshalBoundsNesting(t *testing.T) {
	t.Parallel()
	var v any
	assert.Error(t, wire.Unmarshal([]byte(strings.Repeat("[", 1<<20)), &v))
	assert.Error(t, wire.Unmarshal([]byte(`{"later":`+strings.Repeat("[", 1<<20)), new(item)))
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	type params struct {
		Name  string         `json:"name,omitzero"`
		Extra map[string]any `json:",unknown"`
	}
	got, err := wire.Marshal(&params{Name: "x", Extra: map[string]any{"b": 1, "a": true}})
	require.NoError(t, err)
	assert.Equal(t, `{"name":"x","a":true,"b":1}`, string(got))

	_, err = wire.Marshal(&params{Name: "x", Extra: map[string]any{"name": "secret"}})
	assert.EqualError(t, err, "JSON: a member stands twice, once as a field and once in Extra")
	_, err = wire.Marshal(&params{Name: "078051120\xff"})
	assert.EqualError(t, err, "JSON: a text is not valid UTF-8", "what is sent is what was meant, or nothing")
	_, err = wire.MarshalStandard(map[string]string{"x": "\xff"})
	assert.EqualError(t, err, "JSON: a text is not valid UTF-8")
	_, err = wire.Marshal(&params{Extra: map[string]any{"f": func() {}}})
	assert.EqualError(t, err, "JSON: a value of type func() cannot be encoded")
}

func TestTypesOfOthersMeanWhatEncodingJSONSays(t *testing.T) {
	t.Parallel()
	type theirs struct {
		Status string
		Wait   time.Duration `json:"wait"`
		Blob   []byte        `json:"blob,omitempty"`
		List   []int         `json:"list"`
	}
	var v theirs
	require.NoError(t, wire.UnmarshalStandard([]byte(`{"status":"valid","WAIT":5,"blob":"AQI="}`), &v))
	assert.Equal(t, theirs{Status: "valid", Wait: 5, Blob: []byte{1, 2}}, v)
	want, err := json.Marshal(v)
	require.NoError(t, err)
	got, err := wire.MarshalStandard(v)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))

	assert.EqualError(t, wire.UnmarshalStandard([]byte(`{"status":78051120}`), &v), "JSON: a number where string is wanted, at byte 10")
	assert.Error(t, wire.UnmarshalStandard([]byte(`{"status":"a","status":"b"}`), &v))
	_, err = wire.MarshalStandard(func() {})
	assert.EqualError(t, err, "JSON: a value of type func() cannot be encoded")
}

// list is what the tests decode an envelope into.
type list struct {
	total int
	items []*item
	raws  []string
}

func (l *list) decode(data string) error {
	member := func(name string) any {
		if name == "total" {
			return &l.total
		}
		return nil
	}
	return wire.Envelope([]byte(data), "data", member, func() any { return new(item) }, l.took)
}

func (l *list) took(v any, raw []byte) error {
	l.items = append(l.items, v.(*item))
	l.raws = append(l.raws, string(raw))
	if string(raw) == `{"id":"refused"}` {
		return io.ErrClosedPipe
	}
	return nil
}

func TestEnvelopeKeepsTheRawJSONOfEachItem(t *testing.T) {
	t.Parallel()
	var got list
	require.NoError(t, got.decode(` {"later":[{}], "data" : [ {"id":"a"} ,`+"\n\t"+`{"id":"b","x":"},{"}, null ],"total":3}`+"\n"))
	assert.Equal(t, 3, got.total)
	assert.Equal(t, []string{`{"id":"a"}`, `{"id":"b","x":"},{"}`, `null`}, got.raws)
	assert.Equal(t, "b", got.items[1].ID)
}

func TestEnvelopeRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"an array":        {`[]`, "JSON: an array where an object is wanted, at byte 0"},
		"data no array":   {`{"data":{}}`, "JSON: an object where an array is wanted, at byte 7"},
		"data null":       {`{"data":null}`, "JSON: null where an array is wanted, at byte 7"},
		"an item refused": {`{"data":[{"id":"refused"}]}`, "JSON: an item that is none, at byte 9"},
		"data twice":      {`{"data":[],"data":[]}`, "JSON: a member name that stands twice in one object, at byte 11"},
		"a bad item":      {`{"data":[{"count":"x"}]}`, "JSON: a string where int is wanted, at byte 18"},
		"an early end":    {`{"data":[{"id":"a"}`, "JSON: ends early, at byte 19"},
		"something after": {`{"data":[]} {}`, "JSON: more than one JSON value, at byte 11"},
		"rubbish after":   {`{"data":[]} x`, "JSON: not well-formed, at byte 12"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got list
			assert.EqualError(t, got.decode(c.in), c.want)
		})
	}
}

func TestItemsReadsABareArray(t *testing.T) {
	t.Parallel()
	var got list
	require.NoError(t, wire.Items([]byte(`[{"id":"b"},{"id":"a"}]`), func() any { return new(item) }, got.took))
	assert.Equal(t, []string{`{"id":"b"}`, `{"id":"a"}`}, got.raws)
	assert.Error(t, wire.Items([]byte(`{"data":[]}`), func() any { return new(item) }, got.took))
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	got := wire.Unknown([]byte(`{"id":"a","score":{"v":1.0},"ID":2}`), &item{})
	assert.Equal(t, map[string]json.RawMessage{"score": json.RawMessage(`{"v":1.0}`), "ID": json.RawMessage(`2`)}, got)
	assert.Nil(t, wire.Unknown([]byte(`{"id":"a"}`), &item{}))
	assert.Nil(t, wire.Unknown(nil, &item{}))
	assert.Nil(t, wire.Unknown([]byte(`[]`), &item{}))
}

func TestForeign(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]bool{
		`{"id":"a"}`: false, `{"note":null,"x":1}`: false, `{}`: false, `{"error":"x"}`: true, `null`: true, `[]`: true, `<html>`: true, ``: true,
	} {
		assert.Equal(t, want, wire.Foreign([]byte(raw), &item{}), raw)
	}
}

func FuzzEnvelope(f *testing.F) {
	for _, seed := range []string{`{"data":[{"id":"a"}],"total":1}`, `{"data":null}`, `[]`, `{"data":[[]]}`, "{\"data\":[\"\xff\"]}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		var got list
		if got.decode(in) != nil {
			return
		}
		require.True(t, json.Valid([]byte(in)), "accepted here, refused by encoding/json")
		for i, raw := range got.raws {
			assert.True(t, json.Valid([]byte(raw)), fmt.Sprintf("item %d", i))
		}
	})
}
