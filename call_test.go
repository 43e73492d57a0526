package idv_test

import (
	"context"
	"net/url"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCall(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{"id":"1","later":7}`)
	var person idv.Person
	err := c.Call(bg(), "PUT", "/people/a%20b/notes", url.Values{"q": {"a b"}}, map[string]int{"x": 1}, &person, idv.WithQuery("q", "c"), idv.WithHeader("x-trace", "t"))
	require.NoError(t, err)
	r := (*requests)[0]
	assert.Equal(t, "PUT", r.Method)
	assert.Equal(t, "/v/people/a%20b/notes", r.Path)
	assert.Equal(t, map[string][]string{"q": {"a b", "c"}}, r.Query)
	assert.Equal(t, `{"x":1}`, r.Body)
	assert.Equal(t, "t", r.Header.Get("X-Trace"))
	assert.Equal(t, `{"id":"1","later":7}`, string(person.RawJSON()), "a model keeps its raw JSON")

	require.NoError(t, c.Call(bg(), "GET", "people", nil, (*idv.PersonParams)(nil), nil), "a nil pointer is no body, nil out drops the answer")
	assert.Empty(t, (*requests)[1].Body)
}

func TestCallDecodesIntoLists(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 200, `{"object":"list","total_count":1,"has_more":false,"data":[{"id":"1"}],"page":7}`)
	list := idv.List[idv.Person]{Data: []*idv.Person{{ID: "of before"}}}
	require.NoError(t, c.Call(bg(), "GET", "people", nil, nil, &list))
	require.Len(t, list.Data, 1, "what was in it is gone")
	assert.Equal(t, `{"id":"1"}`, string(list.Data[0].RawJSON()))

	var paged struct {
		idv.List[idv.Person]
		Page int
	}
	require.NoError(t, c.Call(bg(), "GET", "people", nil, nil, &paged))
	assert.Equal(t, 7, paged.Page, "a type that embeds a list keeps fields of its own")

	var own idv.List[struct{ ID string }]
	require.NoError(t, c.Call(bg(), "GET", "people", nil, nil, &own))
	assert.Len(t, own.Data, 1)
}

func TestASuccessThatIsNoneOfTheAPIsObjectsIsADecodeError(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`null`, `[]`, `{"error":"x"}`, `{"portal":"Welcome to the hotel Wi-Fi"}`, `"x"`} {
		c, _ := answering(t, 201, body)
		_, person := c.People.Create(bg(), validPerson())
		_, list := c.People.List(bg(), nil)
		_, search := c.Watchlists.Search(bg(), &idv.WatchlistSearchParams{CandidateID: "1"})
		for _, err := range []error{person, list, search} {
			var e *idv.DecodeError
			require.ErrorAs(t, err, &e, body)
			assert.Equal(t, body, string(e.Body))
		}
	}
	c, _ := answering(t, 200, `{"object":"list","total_count":1,"has_more":false,"data":[null]}`)
	_, err := c.People.List(bg(), nil)
	assert.Error(t, err, "a null among the objects")
}

func TestTheZeroClientSaysSo(t *testing.T) {
	t.Parallel()
	var none *idv.Client
	for _, err := range []error{
		second(new(idv.PeopleService).Get(bg(), "1")), second(new(idv.PeopleService).List(bg(), nil)),
		second(new(idv.PeopleService).Create(bg(), validPerson())), new(idv.Client).Call(bg(), "GET", "people", nil, nil, nil),
		none.Call(bg(), "GET", "people", nil, nil, nil), second(new(idv.PeopleService).CreateOnce(bg(), validPerson(), "order 7")),
	} {
		assert.EqualError(t, err, "idv: client is not made by New")
	}
	_, err := none.With()
	assert.EqualError(t, err, "idv: client is not made by New")
	none.CloseIdleConnections()
	assert.NoError(t, (*idv.ListParams)(nil).Validate())
}

func TestCallRefuses(t *testing.T) {
	t.Parallel()
	c, requests := answering(t, 200, `{}`)
	var nilPerson *idv.Person
	var nilContext context.Context
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"a nil context":       {c.Call(nilContext, "GET", "people", nil, nil, nil), "idv: ctx is nil"},
		"an odd method":       {c.Call(bg(), "get", "people", nil, nil, nil), "idv: method is none of GET, POST, PUT, PATCH, DELETE, HEAD and OPTIONS, in upper case"},
		"an empty path":       {c.Call(bg(), "GET", "//", nil, nil, nil), "idv: path is empty"},
		"a query in a path":   {c.Call(bg(), "GET", "people?ssn=1", nil, nil, nil), "idv: path holds ? or #; a query goes into query, and these characters are escaped in a path"},
		"another host":        {c.Call(bg(), "GET", "https://evil.example/people", nil, nil, nil), "idv: path is a whole URL; it is relative to the base URL"},
		"a step up":           {c.Call(bg(), "GET", "people/../x", nil, nil, nil), "idv: path holds the step . or .."},
		"an escaped step up":  {c.Call(bg(), "GET", "people/%2e%2E/x", nil, nil, nil), "idv: path holds the step . or .."},
		"a bad escape":        {c.Call(bg(), "GET", "people/%zz", nil, nil, nil), "idv: path is not escaped correctly"},
		"a line end":          {c.Call(bg(), "GET", "people\r\n", nil, nil, nil), "idv: path holds a blank or a control character; escape it"},
		"a nil out":           {c.Call(bg(), "GET", "people", nil, nil, nilPerson), "idv: out is no pointer to decode into; pass nil itself to drop the answer"},
		"a map for out":       {c.Call(bg(), "POST", "people", nil, nil, map[string]any{}), "idv: out is no pointer to decode into; pass nil itself to drop the answer"},
		"a body for a GET":    {c.Call(bg(), "GET", "people", nil, 1, nil), "idv: in is given, but GET carries no body"},
		"what is not escaped": {c.Call(bg(), "GET", "people/é%2Fb", nil, nil, nil), "idv: path holds a character that must be escaped"},
		"broken UTF-8":        {c.Call(bg(), "POST", "people", nil, map[string]any{"x": "078051120\xff"}, nil), "idv: params JSON: a text is not valid UTF-8"},
		"what is no JSON":     {c.Call(bg(), "POST", "people", nil, map[string]any{"ssn": make(chan int)}, nil), "idv: params JSON: a value of type chan int cannot be encoded"},
	} {
		assert.EqualError(t, c.err, c.want, name)
	}
	assert.Empty(t, *requests, "nothing is sent")
}
