package idvtest

import "strings"

// field is a parameter of a create or an update.
type field struct {
	name     string
	check    check
	required requirement
}

type requirement int

const (
	never requirement = iota
	always
	byCountry // required unless the country's row of the table says otherwise
)

// form is what a create accepts, in the documented order: the first field that is missing is the one that is reported.
type form []field

// read checks the parameters and returns the values to keep. Parameters that are not in the form are ignored.
func (f form) read(p params) (map[string]any, error) {
	for _, field := range f {
		if field.missing(p) {
			return nil, blank(field.name)
		}
	}
	values := make(map[string]any, len(f))
	for _, field := range f {
		given, ok := p[field.name]
		if !ok {
			continue
		}
		value, ok := field.check(given)
		if !ok {
			return nil, invalid(field.name)
		}
		values[field.name] = value
	}
	return values, nil
}

func (f field) missing(p params) bool {
	switch f.required {
	case never:
		return false
	case byCountry:
		code, _ := p["address_country_code"].(string)
		if !postalRequired(code) {
			return false
		}
	}
	given, ok := p[f.name]
	s, isText := given.(string)
	return !ok || isText && strings.TrimSpace(s) == ""
}
