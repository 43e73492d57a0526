package idvtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// params are the parameters of a request, whatever way they came: JSON, form, multipart, query. A value is a string, a json.Number,
// a bool, a params or a []any of these; null counts as left out and is not kept (observed, not in the written contract).
type params map[string]any

// readParams joins the query with the body; where both name a parameter, the body's counts.
func readParams(r *http.Request, query url.Values) (params, error) {
	p := params{}
	p.addValues(query)
	body, err := io.ReadAll(r.Body)
	if err != nil || len(body) == 0 {
		return p, err
	}
	kind, attributes, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		return p, p.addJSON(body)
	case "application/x-www-form-urlencoded":
		values, err := url.ParseQuery(string(body))
		p.addValues(values)
		return p, err
	case "multipart/form-data":
		return p, p.addMultipart(body, attributes["boundary"])
	}
	return p, errors.New("the Content-Type must be application/json, a form or multipart")
}

func (p params) addJSON(body []byte) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var members map[string]any
	if err := d.Decode(&members); err != nil || members == nil {
		return errors.New("the body must be a JSON object")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body must be one JSON object and nothing behind it")
	}
	for name, value := range members {
		if value = withoutNulls(value); value != nil {
			p[name] = value
		}
	}
	return nil
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		kept := params{}
		for name, value := range v {
			if value = withoutNulls(value); value != nil {
				kept[name] = value
			}
		}
		return kept
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}

func (p params) addMultipart(body []byte, boundary string) error {
	form, err := multipart.NewReader(bytes.NewReader(body), boundary).ReadForm(maxBody)
	if err != nil {
		return errors.New("the multipart body is malformed")
	}
	defer func() { _ = form.RemoveAll() }()
	p.addValues(form.Value)
	return nil
}

// addValues takes in pairs whose keys may have brackets: answers[0][question_id]=1, answers[][question_id]=1.
func (p params) addValues(values url.Values) {
	for key, list := range values {
		name, path, ok := splitKey(key)
		switch {
		case !ok || len(list) == 0:
			continue
		case len(path) == 0:
			p[name] = list[len(list)-1]
		case len(path) == 2:
			p.addElements(name, path[0], path[1], list)
		}
	}
}

// addElements puts values into the objects of a list: the nth value of a key with [] belongs to the nth object.
func (p params) addElements(name, index, attribute string, values []string) {
	first, err := strconv.Atoi(index)
	if index == "" {
		first, err = 0, nil
	}
	if err != nil || first < 0 || first > maxElements || len(values) > maxElements {
		return
	}
	list, _ := p[name].([]any)
	for i, value := range values {
		for len(list) <= first+i {
			list = append(list, params{})
		}
		if element, ok := list[first+i].(params); ok {
			element[attribute] = value
		}
	}
	p[name] = list
}

// maxElements bounds the index of a list in a form, since each index up to it takes memory.
const maxElements = 1000

// splitKey cuts a key into its name and what stands in its brackets: filter[details][pep] is filter with details and pep.
func splitKey(key string) (name string, path []string, ok bool) {
	name, rest, bracketed := strings.Cut(key, "[")
	if !bracketed {
		return name, nil, name != ""
	}
	rest, ok = strings.CutSuffix(rest, "]")
	return name, strings.Split(rest, "]["), ok && name != ""
}
