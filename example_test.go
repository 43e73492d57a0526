package idv_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
)

// exampleService is a service with a few people, and a client for it. Yours is made by New and the real address.
func exampleService() (client *idv.Client, done func()) {
	service := idvtest.NewServer(idvtest.WithSeed(7))
	client, err := idv.New(service.URL, service.TestKey)
	if err != nil {
		log.Fatal(err)
	}
	service.AddPeople(3, func(i int) idvtest.Person {
		return idvtest.Person{ID: fmt.Sprint("p", i), NameFirst: "Ann", NameLast: "Lee", CreatedAt: time.Date(2024, 5, 1+i, 0, 0, 0, 0, time.UTC)}
	})
	service.AddCompanies(2, func(i int) idvtest.Company { return idvtest.Company{ID: fmt.Sprint("c", i), EntityName: "Acme"} })
	service.AddCandidate(idvtest.Candidate{ID: "k1", NameFirst: "Zoltan", NameLast: "Quillfeather", DateOfBirth: "1940-08-11"})
	return client, func() { client.CloseIdleConnections(); service.Close() }
}

var ctx = context.Background() // for the examples

func ExampleNew() {
	_, err := idv.New("http://api.example.com", "sk_live_...")
	fmt.Println(err)
	// Output: idv: baseURL is http; a live key goes over https only
}

func ExamplePeopleService_Create() {
	client, done := exampleService()
	defer done()
	person, err := client.People.Create(ctx, &idv.PersonParams{
		NameFirst: "John", NameLast: "Doe", BirthDay: 23, BirthMonth: 8, BirthYear: 1980,
		DocumentType: idv.DocumentSSN, DocumentValue: idv.TestDocumentValid,
		AddressStreet1: "1 Infinite Loop", AddressCity: "Cupertino", AddressSubdivision: "CA",
		AddressPostalCode: "95014", AddressCountryCode: "US",
	})
	var uncertain *idv.UncertainError
	switch {
	case errors.As(err, &uncertain):
		fmt.Println("it may have been billed: look before sending it again")
	case err != nil:
		fmt.Println(err)
	default:
		fmt.Println(person.Status, person.Details.OFAC)
	}
	// Output: valid no_match
}

func ExamplePeopleService_Get() {
	client, done := exampleService()
	defer done()
	_, err := client.People.Get(ctx, "unknown")
	fmt.Println(errors.Is(err, idv.ErrNotFound))
	person, err := client.People.Get(ctx, "p1")
	fmt.Println(person, err)
	// Output:
	// true
	// idv.Person{ID:p1 Status:valid Livemode:false} <nil>
}

func ExamplePeopleService_List() {
	client, done := exampleService()
	defer done()
	page, err := client.People.List(ctx, &idv.ListParams{
		Filter:    idv.Filter{"name_last": "Lee"},
		CreatedAt: idv.TimeRange{NotBefore: time.Date(2024, 5, 2, 0, 0, 0, 0, time.UTC)},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.TotalCount, page.HasMore, page.Data[0].ID)
	// Output: 2 false p2
}

func ExamplePeopleService_All() {
	client, done := exampleService()
	defer done()
	for person, err := range client.People.All(ctx, nil) {
		if err != nil {
			log.Fatal(err) // an *idv.IncompleteError names what could not be seen
		}
		fmt.Println(person.ID)
	}
	// Output:
	// p2
	// p1
	// p0
}

func ExampleQuestionSetsService_Create() {
	client, done := exampleService()
	defer done()
	set, err := client.QuestionSets.Create(ctx, &idv.QuestionSetParams{PersonID: "p0", TimeLimit: 300})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(set.Questions), "questions,", set.TimeLimit, "seconds")
	// Output: 5 questions, 300 seconds
}

func ExampleQuestionSetsService_Score() {
	client, done := exampleService()
	defer done()
	set, err := client.QuestionSets.Create(ctx, &idv.QuestionSetParams{PersonID: "p0"})
	if err != nil {
		log.Fatal(err)
	}
	answers, err := idv.TestAnswers(set) // in test mode; otherwise the person gives them
	if err != nil {
		log.Fatal(err)
	}
	scored, err := client.QuestionSets.Score(ctx, set.ID, answers)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*scored.Score)
	// Output: 100
}

func ExampleQuestionSetsService_Get() {
	client, done := exampleService()
	defer done()
	made, err := client.QuestionSets.Create(ctx, &idv.QuestionSetParams{PersonID: "p0"})
	if err != nil {
		log.Fatal(err)
	}
	set, err := client.QuestionSets.Get(ctx, made.ID)
	fmt.Println(set.PersonID, set.Score == nil, set.Expired, err)
	// Output: p0 true false <nil>
}

func ExampleQuestionSetsService_List() {
	client, done := exampleService()
	defer done()
	page, err := client.QuestionSets.List(ctx, &idv.ListParams{Filter: idv.Filter{"person_id": "p0"}})
	fmt.Println(page.TotalCount, err)
	// Output: 0 <nil>
}

func ExampleQuestionSetsService_All() {
	client, done := exampleService()
	defer done()
	for set, err := range client.QuestionSets.All(ctx, nil) {
		fmt.Println(set, err)
	}
	fmt.Println("there is none")
	// Output: there is none
}

func ExampleCompaniesService_Create() {
	client, done := exampleService()
	defer done()
	company, err := client.Companies.Create(ctx, &idv.CompanyParams{
		EntityName: "Acme Widgets", TaxID: idv.TestTaxIDInvalid, IncorporationCountryCode: "US", IncorporationType: idv.IncorporationLLC,
		AddressStreet1: "1 Main St", AddressCity: "Dover", AddressSubdivision: "DE", AddressPostalCode: "19901", AddressCountryCode: "US",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(company.Status)
	// Output: invalid
}

func ExampleCompaniesService_Get() {
	client, done := exampleService()
	defer done()
	company, err := client.Companies.Get(ctx, "c0")
	fmt.Println(company.EntityName, err)
	// Output: Acme <nil>
}

func ExampleCompaniesService_List() {
	client, done := exampleService()
	defer done()
	page, err := client.Companies.List(ctx, &idv.ListParams{Search: "acmee"})
	fmt.Println(page.TotalCount, err)
	// Output: 2 <nil>
}

func ExampleCompaniesService_All() {
	client, done := exampleService()
	defer done()
	n := 0
	for _, err := range client.Companies.All(ctx, nil, idv.MaxRequests(100)) {
		if err != nil {
			log.Fatal(err)
		}
		n++
	}
	fmt.Println(n)
	// Output: 2
}

func ExampleCandidatesService_Create() {
	client, done := exampleService()
	defer done()
	candidate, err := client.Candidates.Create(ctx, &idv.CandidateParams{NameFirst: idv.Ptr("Jonas"), DateOfBirth: idv.Ptr("1940-08-11")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(*candidate.NameFirst, candidate.NameLast == nil)
	// Output: Jonas true
}

func ExampleCandidatesService_Get() {
	client, done := exampleService()
	defer done()
	candidate, err := client.Candidates.Get(ctx, "k1")
	fmt.Println(*candidate.NameLast, err)
	// Output: Quillfeather <nil>
}

func ExampleCandidatesService_List() {
	client, done := exampleService()
	defer done()
	page, err := client.Candidates.List(ctx, &idv.ListParams{Search: "quilfeather"}) // a letter is missing
	fmt.Println(page.TotalCount, err)
	// Output: 1 <nil>
}

func ExampleCandidatesService_All() {
	client, done := exampleService()
	defer done()
	for candidate, err := range client.Candidates.All(ctx, nil) {
		fmt.Println(candidate, err)
	}
	// Output: idv.Candidate{ID:k1 Livemode:false} <nil>
}

func ExampleCandidatesService_Update() {
	client, done := exampleService()
	defer done()
	// nil leaves an attribute alone, the empty string clears it.
	candidate, err := client.Candidates.Update(ctx, "k1", &idv.CandidateParams{NameMiddle: idv.Ptr("B."), DateOfBirth: idv.Ptr("")})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s %s, born %q\n", *candidate.NameFirst, *candidate.NameMiddle, *candidate.DateOfBirth)
	// Output: Zoltan B., born ""
}

func ExampleCandidatesService_Delete() {
	client, done := exampleService()
	defer done()
	candidate, err := client.Candidates.Delete(ctx, "k1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(candidate.Deleted)
	// Output: true
}

func ExampleCandidatesService_History() {
	client, done := exampleService()
	defer done()
	if _, err := client.Candidates.Update(ctx, "k1", &idv.CandidateParams{Note: idv.Ptr("seen")}); err != nil {
		log.Fatal(err)
	}
	revisions, err := client.Candidates.History(ctx, "k1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(revisions), *revisions[0].Note, revisions[1].Note == nil)
	// Output: 2 seen true
}

func ExampleCandidatesService_Hits() {
	client, done := exampleService()
	defer done()
	hits, err := client.Candidates.Hits(ctx, "k1") // filled some time after a search
	fmt.Println(len(hits), err)
	// Output: 0 <nil>
}

func ExampleWatchlistsService_Search() {
	client, done := exampleService()
	defer done()
	search, err := client.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "k1", SimilarityThreshold: idv.Ptr(0.99)})
	if err != nil {
		log.Fatal(err)
	}
	for _, match := range search.Matches {
		fmt.Println(match.WatchlistName, match.Confidence, match.MatchingInfo)
	}
	// Output: US_SDN 1 [name date_of_birth]
}

func ExampleClient_Call() {
	client, done := exampleService()
	defer done()
	var person struct{ Status string }
	err := client.Call(ctx, "GET", "/people/p0", nil, nil, &person)
	fmt.Println(person.Status, err)
	// Output: valid <nil>
}

func ExampleCaptureResponse() {
	client, done := exampleService()
	defer done()
	var answer idv.Response
	_, err := client.People.Get(ctx, "unknown", idv.CaptureResponse(&answer))
	fmt.Println(answer.StatusCode, answer.Attempts, answer.RequestID != "", err != nil)
	// Output: 404 1 true true
}
