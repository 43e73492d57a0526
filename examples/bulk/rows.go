package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"example.com/idv"
)

// row is a person to verify.
type row struct {
	line      int
	reference string
	params    idv.PersonParams
	digest    [sha256.Size]byte // of params: tells whether the data of a reference have changed
}

// column of the file, with the way to its field.
type column struct {
	text   func(p *idv.PersonParams) *string
	number func(p *idv.PersonParams) *int
}

const referenceColumn = "reference"

var columns = map[string]column{
	referenceColumn:        {},
	"name_first":           {text: func(p *idv.PersonParams) *string { return &p.NameFirst }},
	"name_middle":          {text: func(p *idv.PersonParams) *string { return &p.NameMiddle }},
	"name_last":            {text: func(p *idv.PersonParams) *string { return &p.NameLast }},
	"birth_day":            {number: func(p *idv.PersonParams) *int { return &p.BirthDay }},
	"birth_month":          {number: func(p *idv.PersonParams) *int { return &p.BirthMonth }},
	"birth_year":           {number: func(p *idv.PersonParams) *int { return &p.BirthYear }},
	"document_type":        {text: func(p *idv.PersonParams) *string { return (*string)(&p.DocumentType) }},
	"document_value":       {text: func(p *idv.PersonParams) *string { return &p.DocumentValue }},
	"address_street1":      {text: func(p *idv.PersonParams) *string { return &p.AddressStreet1 }},
	"address_street2":      {text: func(p *idv.PersonParams) *string { return &p.AddressStreet2 }},
	"address_city":         {text: func(p *idv.PersonParams) *string { return &p.AddressCity }},
	"address_subdivision":  {text: func(p *idv.PersonParams) *string { return &p.AddressSubdivision }},
	"address_postal_code":  {text: func(p *idv.PersonParams) *string { return &p.AddressPostalCode }},
	"address_country_code": {text: func(p *idv.PersonParams) *string { return &p.AddressCountryCode }},
	"phone_number":         {text: func(p *idv.PersonParams) *string { return &p.PhoneNumber }},
	"ip_address":           {text: func(p *idv.PersonParams) *string { return &p.IPAddress }},
}

func readFile(name string) ([]row, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return readRows(text)
}

// readRows reads every row, or says of each bad one what is wrong with it: line and column, never a value.
func readRows(text []byte) ([]row, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff")))) // spreadsheets begin files with it
	header, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("the first line must name the columns: %w", err)
	}
	if err := checkHeader(header); err != nil {
		return nil, err
	}
	var rows []row
	var problems []error
	lines := map[string]int{} // of the references
	for {
		values, err := r.Read()
		if err == io.EOF {
			return rows, errors.Join(problems...)
		}
		if err != nil {
			problems = append(problems, err) // names the line, and no value
			if errors.Is(err, csv.ErrFieldCount) {
				continue
			}
			return nil, errors.Join(problems...)
		}
		line, _ := r.FieldPos(0)
		one, found := readRow(line, header, values)
		if first, twice := lines[one.reference]; twice && one.reference != "" {
			found = append(found, fmt.Errorf("line %d: reference is that of line %d", line, first))
		} else {
			lines[one.reference] = line
		}
		rows, problems = append(rows, one), append(problems, found...)
	}
}

// checkHeader names bad columns by their place: a file without a header has somebody's data there.
func checkHeader(header []string) error {
	for i, name := range header {
		switch _, known := columns[name]; {
		case !known:
			return fmt.Errorf("line 1: the name of column %d is not one of %s", i+1, strings.Join(columnNames(), ", "))
		case slices.Contains(header[:i], name):
			return fmt.Errorf("line 1: column %s is there twice", name)
		}
	}
	if !slices.Contains(header, referenceColumn) {
		return errors.New("line 1: column reference is missing")
	}
	return nil
}

func columnNames() []string {
	names := make([]string, 0, len(columns))
	for name := range columns {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func readRow(line int, header, values []string) (r row, problems []error) {
	r.line = line
	bad := func(name, problem string) {
		problems = append(problems, fmt.Errorf("line %d: %s %s", line, name, problem))
	}
	for i, name := range header {
		switch c := columns[name]; {
		case c.text != nil:
			*c.text(&r.params) = values[i]
		case c.number != nil && values[i] != "":
			n, err := strconv.Atoi(values[i])
			if err != nil {
				bad(name, "is no whole number")
			}
			*c.number(&r.params) = n
		case name == referenceColumn:
			r.reference = values[i]
		}
	}
	if strings.TrimSpace(r.reference) == "" {
		bad(referenceColumn, "is empty")
	}
	var param *idv.ParamError
	if err := r.params.Validate(); len(problems) == 0 && errors.As(err, &param) {
		bad(param.Param, param.Problem)
	}
	encoded, _ := json.Marshal(r.params) // texts and numbers: it cannot fail
	r.digest = sha256.Sum256(encoded)
	return r, problems
}
