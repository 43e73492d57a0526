// Package sample is the data that all contenders work on: the JSON of people as the service sends it, and the plain structs that
// libraries without types of their own for it decode into.
package sample

import (
	"fmt"
	"strings"
)

// ID is the id of the person that PersonJSON describes.
const ID = "5f8d0d55b54764421b7156c4"

// Person is a person with its 25 members, as somebody without a client library would write it for encoding/json.
type Person struct {
	Object             string        `json:"object"`
	ID                 string        `json:"id"`
	CreatedAt          int64         `json:"created_at"`
	UpdatedAt          int64         `json:"updated_at"`
	Status             string        `json:"status"`
	Livemode           bool          `json:"livemode"`
	PhoneNumber        *string       `json:"phone_number"`
	IPAddress          *string       `json:"ip_address"`
	BirthDay           int           `json:"birth_day"`
	BirthMonth         int           `json:"birth_month"`
	BirthYear          int           `json:"birth_year"`
	NameFirst          string        `json:"name_first"`
	NameMiddle         *string       `json:"name_middle"`
	NameLast           string        `json:"name_last"`
	AddressStreet1     string        `json:"address_street1"`
	AddressStreet2     *string       `json:"address_street2"`
	AddressCity        string        `json:"address_city"`
	AddressSubdivision string        `json:"address_subdivision"`
	AddressPostalCode  string        `json:"address_postal_code"`
	AddressCountryCode string        `json:"address_country_code"`
	DocumentType       string        `json:"document_type"`
	DocumentValue      string        `json:"document_value"`
	Note               *string       `json:"note"`
	Details            PersonDetails `json:"details"`
	QuestionSets       []string      `json:"question_sets"`
}

// PersonDetails are the results of a verification.
type PersonDetails struct {
	Address        string `json:"address"`
	AddressRisk    string `json:"address_risk"`
	Identification string `json:"identification"`
	DateOfBirth    string `json:"date_of_birth"`
	OFAC           string `json:"ofac"`
	PEP            string `json:"pep"`
}

// People is a page of a list. Pointers, for a slice of values grows by copying: it would be the slower floor.
type People struct {
	Object     string    `json:"object"`
	TotalCount int       `json:"total_count"`
	HasMore    bool      `json:"has_more"`
	Data       []*Person `json:"data"`
}

// Variety is how many people there are before they repeat.
const Variety = 199

// PersonJSON is the answer to GET /people/{PERSON_ID}.
func PersonJSON() []byte { return []byte(person(ID, 0)) }

// PersonJSONs are answers to GET /people/{PERSON_ID} about different people.
func PersonJSONs() [][]byte {
	all := make([][]byte, Variety)
	for i := range all {
		all[i] = []byte(person(id(i), i))
	}
	return all
}

// PeopleJSON is the answer to GET /people with n people on the page.
func PeopleJSON(n int) []byte { return page(0, n) }

// PeopleJSONs are answers to GET /people with different people.
func PeopleJSONs(n int) [][]byte {
	all := make([][]byte, max(2, Variety/n))
	for i := range all {
		all[i] = page(i*n, n)
	}
	return all
}

func page(first, n int) []byte {
	items := make([]string, n)
	for i := range items {
		items[i] = person(id(first+i), first+i)
	}
	return fmt.Appendf(nil, `{"object":"list","total_count":%d,"has_more":false,"data":[%s]}`, n, strings.Join(items, ","))
}

func id(i int) string { return fmt.Sprintf("5f8d0d55b54764421b%06x", i) }

// person makes people of the same size who share nothing that people do not share.
func person(id string, i int) string {
	created := 1700000000 - 60*i
	return fmt.Sprintf(`{"object":"person","id":%q,"created_at":%d,"updated_at":%d,"status":"valid","livemode":false,`+
		`"phone_number":"+1 812 555 %04d","ip_address":"192.0.2.%d","birth_day":%d,"birth_month":8,"birth_year":1975,`+
		`"name_first":"Harriet%03d","name_middle":null,"name_last":"Example-%03d","address_street1":"%d Colver Road",`+
		`"address_street2":null,"address_city":"Cupertino %03d","address_subdivision":"CA","address_postal_code":"%05d",`+
		`"address_country_code":"US","document_type":"ssn","document_value":"%04d","note":"customer %03d",`+
		`"details":{"address":"no_match","address_risk":"low","identification":"no_match","date_of_birth":"partial_match",`+
		`"ofac":"no_match","pep":"no_match"},"question_sets":["6%s"]}`,
		id, created, created, i, 100+i%150, 10+i%18, i%1000, i%1000, 300+i, i%1000, 95000+i, i%10000, i%1000, id[1:])
}
