package idv

import (
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"example.com/idv/internal/wire"
	"github.com/google/go-querystring/query"
)

// List is one page of an index (contract: list envelope).
type List[T any] struct {
	model  `json:"-"`
	Object string `json:"object"`
	// TotalCount is the number of objects that match, on this page or not.
	TotalCount int `json:"total_count"`
	// HasMore says that more match than this page holds; All reads them.
	HasMore bool `json:"has_more"`
	// Data is newest first on every recorded page (observed, not in the written contract).
	Data []*T `json:"data"`

	whole int // of total_count, has_more and data, how many there were
}

func (l *List[T]) self() any { return l }

func (l *List[T]) decode(body []byte) error {
	*l = List[T]{model: model{body}}
	known, foreign := 0, false
	err := wire.Envelope(body, "data", func(name string) any {
		known++
		switch name {
		case "object":
			return &l.Object
		case "total_count":
			l.whole++
			return &l.TotalCount
		case "has_more":
			l.whole++
			return &l.HasMore
		case "data":
			l.whole++
			return nil
		}
		known--
		foreign = true
		return nil
	}, newItem[T], l.add)
	if err == nil && foreign && known == 0 {
		err = errForeign
	}
	return err
}

// isWhole says that nothing of the envelope is missing that an absence could be concluded from. Hits have neither
// total_count nor has_more (observed).
func (l *List[T]) isWhole() bool { return l.whole == 3 }

var errNoEnvelope = errors.New("the answer is no whole list: total_count, has_more or data is missing")

func newItem[T any]() any { return new(T) }

func (l *List[T]) add(item any, raw []byte) error {
	l.Data = append(l.Data, item.(*T))
	return received(item, raw)
}

// array is a bare JSON array of objects.
type array[T any] []*T

func (a *array[T]) self() any { return a }

func (a *array[T]) decode(body []byte) error {
	*a = nil
	return wire.Items(body, newItem[T], a.add)
}

func (a *array[T]) add(item any, raw []byte) error {
	*a = append(*a, item.(*T))
	return received(item, raw)
}

// ListParams narrows a list. All that is set must hold (contract: list queries); nil and the zero value ask for
// everything.
type ListParams struct {
	private
	// Filter asks for attributes that equal a value exactly.
	Filter Filter
	// Search is a fuzzy search over all attributes; similar matches are returned too. All does not take it.
	Search string
	// CreatedAt and UpdatedAt bound the timestamps that every object has.
	CreatedAt TimeRange
	UpdatedAt TimeRange
	// Ranges bounds any other timestamp attribute, by its name in the contract.
	Ranges map[string]TimeRange
	// Count is the size of the page and Offset the number of objects to skip; 0 leaves them to the service, whose page
	// is 25 then. Observed, not in the written contract: a maximum of 100 is hinted at.
	Count  int
	Offset int
}

// Filter maps the names of attributes, such as document_type, to the value that they must equal. Every attribute of a
// resource can be filtered (contract: lists). The attribute q is refused: Search is there for it.
type Filter map[string]string

// EncodeValues adds key[attribute]=value for every entry. It is the query.Encoder of go-querystring.
func (f Filter) EncodeValues(key string, v *url.Values) error {
	for attribute, value := range f {
		if err := checkAttribute("Filter", attribute); err != nil {
			return err
		}
		v.Set(key+"["+attribute+"]", value)
	}
	return nil
}

// TimeRange bounds a timestamp; the zero time is no bound. The service counts whole seconds, so a bound with a fraction
// is rounded to the whole second that lets the same objects through: After and NotAfter down, NotBefore and Before up.
type TimeRange struct {
	After     time.Time // [gt], exclusive
	NotBefore time.Time // [gte], inclusive
	Before    time.Time // [lt], exclusive
	NotAfter  time.Time // [lte], inclusive
}

// EncodeValues adds key[gt], key[gte], key[lt] and key[lte] in Unix seconds, for the bounds that are set. It is the
// query.Encoder of go-querystring.
func (r TimeRange) EncodeValues(key string, v *url.Values) error {
	for _, bound := range [...]struct {
		operator string
		time     time.Time
		up       bool
	}{{"[gt]", r.After, false}, {"[gte]", r.NotBefore, true}, {"[lt]", r.Before, true}, {"[lte]", r.NotAfter, false}} {
		if bound.time.IsZero() {
			continue
		}
		seconds := bound.time.Unix() // rounds down, before 1970 as well
		if bound.up {
			seconds = ceil(bound.time)
		}
		v.Set(key+bound.operator, strconv.FormatInt(seconds, 10))
	}
	return nil
}

// ceil is t in Unix seconds, rounded up.
func ceil(t time.Time) int64 {
	if t.Nanosecond() > 0 {
		return t.Unix() + 1
	}
	return t.Unix()
}

// flatQuery is what go-querystring encodes by tags. What it cannot know, the names of filters and the bounds of ranges,
// encodes itself: a struct of structs costs it four times as much.
type flatQuery struct {
	Search string `url:"filter[q],omitempty"`
	Count  int    `url:"count,omitempty"`
	Offset int    `url:"offset,omitempty"`
}

// Values returns the query that the params ask for, as List sends it: for a Call of your own. It returns the errors of
// Validate; nil params ask for everything.
func (p *ListParams) Values() (url.Values, error) {
	if p == nil {
		return nil, nil
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	v, err := query.Values(flatQuery{p.Search, p.Count, p.Offset})
	if err != nil {
		return nil, err
	}
	if err := p.Filter.EncodeValues("filter", &v); err != nil {
		return nil, err
	}
	_ = p.CreatedAt.EncodeValues("created_at", &v) // never fail
	_ = p.UpdatedAt.EncodeValues("updated_at", &v)
	for attribute, r := range p.Ranges {
		_ = r.EncodeValues(attribute, &v)
	}
	return v, nil
}

// Validate refuses, with a *ParamError, a negative Count or Offset, and attributes that no query can name.
func (p *ListParams) Validate() error {
	if p == nil {
		return nil
	}
	if err := notNegative("Count", p.Count); err != nil {
		return err
	}
	if err := notNegative("Offset", p.Offset); err != nil {
		return err
	}
	for attribute := range p.Filter {
		if err := checkAttribute("Filter", attribute); err != nil {
			return err
		}
	}
	for attribute := range p.Ranges {
		if err := checkAttribute("Ranges", attribute); err != nil {
			return err
		}
		if attribute == "created_at" || attribute == "updated_at" {
			return &ParamError{Param: "Ranges", Problem: "names " + attribute + ", which has a field of its own"}
		}
	}
	return nil
}

func checkAttribute(param, name string) error {
	switch {
	case name == "":
		return &ParamError{Param: param, Problem: "names an attribute without a name"}
	case name == "q":
		return &ParamError{Param: param, Problem: "names q, which is no attribute; use Search"}
	case strings.ContainsAny(name, "[]") || strings.ContainsFunc(name, isBlankOrControl):
		return &ParamError{Param: param, Problem: "names an attribute with a bracket, a blank or a control character in its name"}
	}
	return nil
}

// Extra returns the members of the answer that List has no field for, nil if there are none.
func (l *List[T]) Extra() map[string]json.RawMessage { return wire.Unknown(l.raw, l) }
