package idv_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
)

// canary stands in every field that could hold personal data.
const canary = "CANARY-078051120"

func allForms(v any) string {
	var b bytes.Buffer
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&b, verb+"\n", v)
	}
	for _, l := range []*slog.Logger{slog.New(slog.NewTextHandler(&b, nil)), slog.New(slog.NewJSONHandler(&b, nil))} {
		l.Info("x", "v", v)
	}
	return b.String()
}

func TestNothingThatIsPrintedHoldsPersonalData(t *testing.T) {
	t.Parallel()
	s := idv.Ptr(canary)
	person := idv.Person{ID: "1", Status: idv.StatusValid, NameFirst: canary, Note: s, DocumentValue: canary}
	entry := idv.WatchlistEntry{ID: "1", NameFull: s, Names: []idv.EntryName{{NameFull: canary}}}
	apiError := idv.Error{StatusCode: 400, Body: []byte(canary), Header: http.Header{"X": {canary}}}
	values := map[string]any{
		"Person": &person, "Person value": person, "List": &idv.List[idv.Person]{Data: []*idv.Person{&person}},
		"Company": &idv.Company{EntityName: canary}, "Candidate": idv.Candidate{SSN: s},
		"QuestionSet": &idv.QuestionSet{Questions: []idv.Question{{Question: canary, Answers: []idv.Choice{{Answer: canary}}}}},
		"Question":    idv.Question{Question: canary}, "Choice": &idv.Choice{Answer: canary},
		"Hit": &idv.Hit{WatchlistEntry: entry, IDValue: s}, "WatchlistMatch": idv.WatchlistMatch{WatchlistEntry: entry, SSN: s},
		"WatchlistEntry": entry, "WatchlistSearch": &idv.WatchlistSearch{Matches: []*idv.WatchlistMatch{{WatchlistEntry: entry}}},
		"EntryName": idv.EntryName{NameFull: canary}, "EntryDocument": &idv.EntryDocument{DocumentValue: s}, "EntryAddress": idv.EntryAddress{AddressFull: s},
		"PersonParams": &idv.PersonParams{NameFirst: canary, Extra: map[string]any{"x": canary}}, "CompanyParams": idv.CompanyParams{TaxID: canary},
		"CandidateParams": &idv.CandidateParams{SSN: s}, "QuestionSetParams": idv.QuestionSetParams{PersonID: canary},
		"WatchlistSearchParams": &idv.WatchlistSearchParams{CandidateID: canary}, "ListParams": &idv.ListParams{Search: canary},
		"Filter": idv.Filter{"ssn": canary}, "Response": &idv.Response{Body: []byte(canary), Header: http.Header{"X": {canary}}},
		"Error": &apiError, "Error value": apiError, "UncertainError": idv.UncertainError{Err: &apiError},
		"TransportError": &idv.TransportError{Err: &apiError}, "DecodeError": idv.DecodeError{Body: []byte(canary), Err: &apiError},
	}
	for name, v := range values {
		assert.NotContains(t, allForms(v), canary, name)
	}
	assert.Equal(t, "idv.Person{ID:1 Status:valid Livemode:false}", fmt.Sprintf("%+v", person))
	assert.Equal(t, `"idv.Candidate{ID:7 Livemode:false}"`, fmt.Sprintf("%q", &idv.Candidate{ID: "7"}))
}

func TestAClientNeverPrintsItsKey(t *testing.T) {
	t.Parallel()
	c, err := idv.New("https://api.example", "sk_test_"+canary, idv.WithTimeout(time.Second))
	assert.NoError(t, err)
	for _, v := range []any{c, *c, c.People, *c.Candidates, struct{ C *idv.Client }{c}} {
		assert.NotContains(t, allForms(v), canary)
		assert.NotContains(t, allForms(v), "c2tf", "the header")
	}
}
