// Package queries encodes the query string of a list with four parameters, by hand and as package idv does it.
package queries

import (
	"net/url"
	"strconv"
	"time"

	"example.com/idv"
	"example.com/idv/bench/internal/measure"
)

var (
	from = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	to   = from.AddDate(0, 1, 0)
)

// Params are the four parameters as a user of package idv writes them.
func Params() *idv.ListParams {
	return &idv.ListParams{
		Filter:    idv.Filter{"document_type": "ssn"},
		Search:    "Example Person",
		CreatedAt: idv.TimeRange{NotBefore: from, Before: to},
	}
}

// Encoders are the ways to get the query string, the floor first.
func Encoders() []Encoder {
	return []Encoder{{"floor: url.Values by hand", byHand}, {"idv.ListParams", ours}}
}

// Encoder is one way.
type Encoder struct {
	Name   string
	Encode func() (string, error)
}

func byHand() (string, error) {
	v := url.Values{}
	v.Set("filter[document_type]", "ssn")
	v.Set("filter[q]", "Example Person")
	v.Set("created_at[gte]", strconv.FormatInt(from.Unix(), 10))
	v.Set("created_at[lt]", strconv.FormatInt(to.Unix(), 10))
	return v.Encode(), nil
}

// ours is what a List does with its params before it sends anything.
func ours() (string, error) {
	v, err := Params().Values()
	if err != nil {
		return "", err
	}
	return v.Encode(), nil
}

// Sink keeps the compiler from dropping what nobody reads.
var Sink string

// Contenders are the encoders, to be measured.
func Contenders() []measure.Contender {
	contenders := make([]measure.Contender, 0, 2)
	for _, e := range Encoders() {
		contenders = append(contenders, measure.Contender{Name: e.Name, Run: func() (err error) {
			Sink, err = e.Encode()
			return err
		}})
	}
	return contenders
}
