package idvtest

import (
	"slices"
	"strconv"
)

// kind is a kind of object: its name in the object member, its title in messages, and its attributes in the order of an answer.
type kind struct {
	name, title string
	attributes  []string
	position    map[string]int
	members     map[string][]string // of attributes that are objects: details
}

func newKind(name, title string, attributes ...string) *kind {
	k := &kind{name: name, title: title, attributes: attributes, position: make(map[string]int, len(attributes))}
	for i, a := range attributes {
		k.position[a] = i
	}
	return k
}

// withMembers names the members of an attribute that is an object, so that filters can ask for them.
func (k *kind) withMembers(attribute string, members ...string) *kind {
	k.members = map[string][]string{attribute: members}
	return k
}

// record is a stored object. Every attribute is there, unset ones as null.
type record struct {
	kind    *kind
	id      string
	live    bool
	created int64 // Unix seconds
	updated int64
	ordinal int64    // tells apart what was created within one second
	listed  int64    // Unix milliseconds from which lists show it
	values  []any    // parallel to kind.attributes
	words   []uint32 // for the fuzzy search; nil until they are asked for
}

func newRecord(k *kind, id string, live bool, created int64) *record {
	r := &record{kind: k, id: id, live: live, created: created, values: make([]any, len(k.attributes))}
	r.put("object", k.name)
	r.put("id", id)
	r.put("livemode", live)
	r.put("created_at", created)
	r.touch(created)
	return r
}

func (r *record) touch(now int64) {
	r.updated = now
	r.put("updated_at", now)
}

// put sets an attribute; a name that the kind does not have is ignored.
func (r *record) put(name string, value any) {
	if i, ok := r.kind.position[name]; ok {
		r.values[i] = value
		r.words = nil
	}
}

func (r *record) putAll(values map[string]any) {
	for name, value := range values {
		r.put(name, value)
	}
}

func (r *record) get(name string) any { return r.values[r.kind.position[name]] }

func (r *record) text(name string) string {
	s, _ := r.get(name).(string)
	return s
}

// clone is the record as it is now, for the history.
func (r *record) clone() *record {
	c := *r
	c.values = slices.Clone(r.values)
	return &c
}

// expiry is a moment in Unix milliseconds, 0 for never; on the wire it is whether that moment has passed.
type expiry int64

func (e expiry) passed(nowMilli int64) bool { return e != 0 && nowMilli >= int64(e) }

// object is the record as it goes out at a moment. deleted is the only member that comes and goes.
func (r *record) object(nowMilli int64) object {
	o := make(object, 0, len(r.values))
	for i, name := range r.kind.attributes {
		value := r.values[i]
		if e, ok := value.(expiry); ok {
			value = e.passed(nowMilli)
		}
		if name != "deleted" || value != nil {
			o = append(o, member{name, value})
		}
	}
	return o
}

// matches reports whether the attribute at path equals the text, as it would be written in a query. Null equals the empty
// text only; a list matches by any of its elements, an object by none.
func matches(value any, text string, nowMilli int64) bool {
	switch v := value.(type) {
	case nil:
		return text == ""
	case string:
		return v == text
	case bool:
		return strconv.FormatBool(v) == text
	case int64:
		return strconv.FormatInt(v, 10) == text
	case percent:
		n, err := strconv.ParseFloat(text, 64)
		return err == nil && n == float64(v)
	case expiry:
		return strconv.FormatBool(v.passed(nowMilli)) == text
	case []string:
		return slices.Contains(v, text)
	}
	return false
}
