// Quickstart verifies a person, a company and a candidate, and prints what came back.
//
//	go run ./examples/quickstart
//
// It starts the test service of package idvtest in its own process, so it needs no account and no network. With
// IDV_BASE_URL and IDV_API_KEY in the environment it talks to the service there; it takes a test key only, for it
// verifies people who do not exist.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"example.com/idv"
	"example.com/idv/idvtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	client, where, done, err := connect()
	if err != nil {
		return err
	}
	defer done()
	t := &tour{ctx: ctx, client: client, out: out}
	t.say("Identity verification, in %s mode, by %s", client.Mode(), where)
	for _, step := range []func() error{t.person, t.questions, t.invalidPerson, t.company, t.candidate, t.list, t.mistake} {
		if err := step(); err != nil {
			return err
		}
	}
	t.say("\nThat is all there is to it. The code: examples/quickstart/main.go")
	return nil
}

// connect makes a client for the service of the environment, or else for a test service of its own.
func connect() (client *idv.Client, where string, done func(), err error) {
	if os.Getenv("IDV_BASE_URL") != "" || os.Getenv("IDV_API_KEY") != "" {
		client, err = idv.NewFromEnv(idv.WithTestModeOnly())
		return client, "the service at " + os.Getenv("IDV_BASE_URL"), func() {}, err
	}
	service := idvtest.NewServer()
	client, err = idv.New(service.URL, service.TestKey)
	done = func() {
		client.CloseIdleConnections()
		service.Close()
	}
	return client, "a test service at " + service.URL, done, err
}

// tour is one run: each step prints a heading and what it found.
type tour struct {
	ctx    context.Context
	client *idv.Client
	out    io.Writer
	valid  *idv.Person
}

func (t *tour) say(format string, args ...any) { fmt.Fprintf(t.out, format+"\n", args...) }

func (t *tour) person() (err error) {
	t.say("\n1. Verify a person")
	t.valid, err = t.client.People.Create(t.ctx, john(idv.TestDocumentValid))
	if err != nil {
		return err
	}
	p := t.valid
	t.say("   %s %s is %s  (id %s, created %s)", p.NameFirst, p.NameLast, p.Status, p.ID, p.CreatedAt.Format("2006-01-02 15:04:05"))
	t.say("   identification %s · date of birth %s · address %s, risk %s · OFAC %s · PEP %s", p.Details.Identification,
		p.Details.DateOfBirth, p.Details.Address, p.Details.AddressRisk, p.Details.OFAC, p.Details.PEP)
	return nil
}

func (t *tour) questions() error {
	t.say("\n2. Ask questions that only John can answer")
	set, err := t.client.QuestionSets.Create(t.ctx, &idv.QuestionSetParams{PersonID: t.valid.ID, TimeLimit: 300})
	if err != nil {
		return err
	}
	for _, q := range set.Questions {
		t.say("   %d. %s", q.ID, q.Question)
	}
	answers, err := idv.TestAnswers(set)
	if err != nil {
		return err
	}
	scored, err := t.client.QuestionSets.Score(t.ctx, set.ID, answers)
	if err != nil {
		return err
	}
	t.say("   All answered right: score %.0f", *scored.Score)
	answers[0].AnswerID = answers[0].AnswerID%5 + 1 // another answer
	scored, err = t.client.QuestionSets.Score(t.ctx, set.ID, answers)
	if err != nil {
		return err
	}
	t.say("   One answered wrong: score %.0f", *scored.Score)
	return nil
}

func (t *tour) invalidPerson() error {
	t.say("\n3. Verify somebody else (a document that ends in 0001 is always invalid in test mode)")
	p, err := t.client.People.Create(t.ctx, john(idv.TestDocumentInvalid))
	if err != nil {
		return err
	}
	t.say("   %s %s is %s: an answer, not an error", p.NameFirst, p.NameLast, p.Status)
	return nil
}

func (t *tour) company() error {
	t.say("\n4. Verify a company")
	c, err := t.client.Companies.Create(t.ctx, &idv.CompanyParams{
		EntityName: "Acme Widgets", TaxID: idv.TestTaxIDValid, IncorporationCountryCode: "US", IncorporationType: idv.IncorporationLLC,
		AddressStreet1: "1 Main St", AddressCity: "Dover", AddressSubdivision: "DE", AddressPostalCode: "19901", AddressCountryCode: "US",
	})
	if err != nil {
		return err
	}
	t.say("   %s is %s  (id %s)", c.EntityName, c.Status, c.ID)
	return nil
}

func (t *tour) candidate() error {
	t.say("\n5. Look for a candidate on the watchlists")
	c, err := t.client.Candidates.Create(t.ctx, &idv.CandidateParams{
		NameFirst: idv.Ptr("Zoltan"), NameLast: idv.Ptr("Quillfeather"), DateOfBirth: idv.Ptr("1940-08-11"),
	})
	if err != nil {
		return err
	}
	search, err := t.client.Watchlists.Search(t.ctx, &idv.WatchlistSearchParams{CandidateID: c.ID, SimilarityThreshold: idv.Ptr(0.7)})
	if err != nil {
		return err
	}
	t.say("   %d lists searched, %d match(es) for %s %s", len(search.SearchedLists), search.Count, *c.NameFirst, *c.NameLast)
	for _, m := range search.Matches {
		t.say("   %s on %s, confidence %.2f, by %v", *m.NameFull, m.WatchlistName, m.Confidence, m.MatchingInfo)
	}
	return nil
}

func (t *tour) list() error {
	t.say("\n6. List the valid people created since John")
	page, err := t.client.People.List(t.ctx, &idv.ListParams{
		Filter:    idv.Filter{"status": string(idv.StatusValid)},
		CreatedAt: idv.TimeRange{NotBefore: t.valid.CreatedAt.Time},
	})
	if err != nil {
		return err
	}
	t.say("   %d in all, more than this page: %t", page.TotalCount, page.HasMore)
	for _, p := range page.Data {
		t.say("   %s  %s %s, %s", p.ID, p.NameFirst, p.NameLast, p.Status)
	}
	return nil
}

func (t *tour) mistake() error {
	t.say("\n7. Make a mistake")
	p := john(idv.TestDocumentValid)
	p.NameFirst = ""
	_, err := t.client.People.Create(t.ctx, p)
	t.say("   before anything is sent:  %v", err)
	_, err = t.client.People.Create(t.ctx, p, idv.WithoutValidation())
	t.say("   as the service says it:   %v", err)
	var e *idv.Error
	if !errors.As(err, &e) || !errors.Is(err, idv.ErrValidation) {
		return fmt.Errorf("a person without a name should be refused, but: %w", err)
	}
	t.say("   in code: status %d, code %s, param %s", e.StatusCode, e.Code, e.Param)
	return nil
}

// john is a person of test mode; the document value decides the outcome.
func john(document string) *idv.PersonParams {
	return &idv.PersonParams{
		NameFirst: "John", NameLast: "Doe", BirthDay: 23, BirthMonth: 8, BirthYear: 1980,
		DocumentType: idv.DocumentSSN, DocumentValue: document,
		AddressStreet1: "1 Infinite Loop", AddressCity: "Cupertino", AddressSubdivision: "CA", AddressPostalCode: "95014", AddressCountryCode: "US",
	}
}
