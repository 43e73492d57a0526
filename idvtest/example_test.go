package idvtest_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"example.com/idv/idvtest"
)

// signup is the program under test: it verifies a customer and says whether to let them in.
func signup(baseURL, key, lastFour string) (string, error) {
	body := `{"name_first":"Ada","name_last":"Lovelace","birth_day":10,"birth_month":12,"birth_year":1985,
		"document_type":"ssn","document_value":"` + lastFour + `","address_street1":"1 Analytical Way","address_city":"Springfield",
		"address_subdivision":"IL","address_postal_code":"62701","address_country_code":"US"}`
	req, err := http.NewRequest(http.MethodPost, baseURL+"/people", strings.NewReader(body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.SetBasicAuth(key, "")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= 500 {
		return "come back later", nil
	}
	var person struct{ Status string }
	err = json.NewDecoder(resp.Body).Decode(&person)
	return person.Status, err
}

// A test starts a service, points the program at it and uses the special inputs of test mode.
func Example() {
	service := idvtest.NewServer() // in a test: idvtest.Start(t), which closes it
	defer service.Close()

	for _, lastFour := range []string{"0000", "0001"} {
		status, err := signup(service.URL, service.TestKey, lastFour)
		fmt.Println(status, err)
	}
	// Output:
	// valid <nil>
	// invalid <nil>
}

// The answer is an error, but the person exists: a program that sends the request again pays twice.
func ExampleServer_Fail() {
	service := idvtest.NewServer()
	defer service.Close()
	service.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 503, Work: true})

	status, err := signup(service.URL, service.TestKey, "0000")
	fmt.Println(status, err)
	fmt.Println("people created:", service.Executions()["POST /people"])
	// Output:
	// come back later <nil>
	// people created: 1
}

// What arrived, without the key.
func ExampleServer_Requests() {
	service := idvtest.NewServer()
	defer service.Close()
	_, _ = signup(service.URL, service.TestKey, "0000")

	for _, r := range service.Requests() {
		fmt.Println(r.Method, r.Path, r.Header.Get("Content-Type"), r.Header.Get("Authorization"), r.Status)
	}
	// Output:
	// POST /people application/json Basic 201
}

// A year of people, one a day, to test an export with.
func ExampleServer_AddPeople() {
	service := idvtest.NewServer()
	defer service.Close()
	first := time.Date(2024, 1, 1, 12, 0, 0, 0, time.UTC)
	ids := service.AddPeople(366, func(i int) idvtest.Person {
		return idvtest.Person{CreatedAt: first.AddDate(0, 0, i), Note: fmt.Sprint("day ", i)}
	})
	fmt.Println(len(ids))

	december := fmt.Sprint("?created_at[gte]=", time.Date(2024, 12, 1, 0, 0, 0, 0, time.UTC).Unix())
	req, _ := http.NewRequest(http.MethodGet, service.URL+"/people"+december+"&count=1", nil)
	req.SetBasicAuth(service.TestKey, "")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = resp.Body.Close() }()
	page, _ := io.ReadAll(resp.Body)
	fmt.Println(string(page[:33]))
	// Output:
	// 366
	// {"total_count":31,"has_more":true
}
