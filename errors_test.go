package idv_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"example.com/idv"
	"github.com/jarcoal/httpmock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnyErrorBodyGivesAnErrorWithItsStatus(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status     int
		body, want string
		check      func(*testing.T, *idv.Error)
	}{
		"A, a missing parameter": {
			400, `{"error":{"type":"invalid_request_error","param":"name_first","code":"cant_be_blank","message":"One or more required parameters are invalid"}}`,
			"idv: POST /people: 400 invalid_request_error cant_be_blank (param name_first): One or more required parameters are invalid",
			func(t *testing.T, e *idv.Error) {
				assert.Equal(t, idv.ErrorTypeInvalidRequest, e.Type)
				assert.Equal(t, idv.ErrorCodeCantBeBlank, e.Code)
				assert.Equal(t, "name_first", e.Param)
				assert.Equal(t, "One or more required parameters are invalid", e.Message)
			},
		},
		"B, a bad filter":        {400, `{"error":{"type":"invalid_request_error","message":"Received unknown filter parameter: x","param":"x"}}`, "idv: POST /people: 400 invalid_request_error (param x): Received unknown filter parameter: x", nil},
		"C, the plain one":       {404, `{"error":{"type":"invalid_request_error","message":"Person with id 1 could not be found"}}`, "idv: POST /people: 404 invalid_request_error: Person with id 1 could not be found", nil},
		"D, error is a string":   {404, `{"status":"404","error":"Not Found"}`, "idv: POST /people: 404: Not Found", func(t *testing.T, e *idv.Error) { assert.Equal(t, "Not Found", e.Message) }},
		"E, HTML":                {401, "HTTP Basic: Access denied.\n", "idv: POST /people: 401: Unauthorized", nil},
		"nothing":                {402, "", "idv: POST /people: 402: Payment Required", nil},
		"a page of a proxy":      {413, "<html><body>078051120</body></html>", "idv: POST /people: 413: Request Entity Too Large", nil},
		"truncated JSON":         {400, `{"error":{"type":"invalid_req`, "idv: POST /people: 400: Bad Request", nil},
		"an array":               {400, `["078051120"]`, "idv: POST /people: 400: Bad Request", nil},
		"an array for the error": {400, `{"error":["078051120"]}`, "idv: POST /people: 400: Bad Request", nil},
		"null":                   {400, `{"error":null}`, "idv: POST /people: 400: Bad Request", nil},
		"other kinds of members": {400, `{"error":{"type":7,"message":null,"code":false}}`, "idv: POST /people: 400 7 false: Bad Request", nil},
		"objects for members":    {400, `{"error":{"message":{"ssn":"078051120"},"type":["078051120"]}}`, "idv: POST /people: 400: Bad Request", nil},
		"values of later":        {409, `{"error":{"type":"later_error","code":"later"}}`, "idv: POST /people: 409 later_error later: Conflict", func(t *testing.T, e *idv.Error) { assert.Equal(t, idv.ErrorType("later_error"), e.Type) }},
		"of the Flow API": {400, `{"errors":[{"title":"Invalid request","detail":"This member\nis required.","source":{"pointer":"/template_id"}},{"title":"x"}]}`, "idv: POST /people: 400 (pointer /template_id): Invalid request: This member is required.", func(t *testing.T, e *idv.Error) {
			assert.Equal(t, []string{"Invalid request", "This member\nis required.", "/template_id"}, []string{e.Message, e.Detail, e.Pointer})
		}},
		"no errors in the list": {400, `{"errors":[]}`, "idv: POST /people: 400: Bad Request", nil},
		"no list of errors":     {400, `{"errors":{"title":"x"}}`, "idv: POST /people: 400: Bad Request", nil},
		"errors of other kinds": {400, `{"errors":[{"title":7,"source":"x"}]}`, "idv: POST /people: 400: 7", nil},
		"an unknown status":     {499, `{}`, "idv: POST /people: 499", nil},
		"lines of a log":        {400, `{"error":{"message":"a\nlevel=ERROR\u001b[2J\u2028\u202e"}}`, "idv: POST /people: 400: a level=ERROR [2J  ", nil},
		"a long message":        {400, `{"error":{"message":"` + strings.Repeat("m", 9999) + `"}}`, "idv: POST /people: 400: " + strings.Repeat("m", 500) + "...", nil},
		"10 MiB of garbage":     {400, strings.Repeat("\xff\x00", 5<<20), "idv: POST /people: 400: Bad Request", func(t *testing.T, e *idv.Error) { assert.Len(t, e.Body, 64<<10) }},
		"a redirect":            {302, "", "idv: POST /people: 302: Found", nil},
		"not implemented":       {501, "", "idv: POST /people: 501: Not Implemented", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := newClient(t, func(*http.Request) (*http.Response, error) {
				return httpmock.NewStringResponse(c.status, c.body), nil
			})
			_, err := client.People.Create(bg(), validPerson(), idv.WithQuery("ssn", "078051120"))
			var e *idv.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, c.want, err.Error())
			assert.Equal(t, c.status, e.StatusCode)
			assert.Equal(t, 1, e.Attempts)
			assert.True(t, strings.HasPrefix(c.body, string(e.Body)))
			if c.check != nil {
				c.check(t, e)
			}
		})
	}
}

func TestSentinels(t *testing.T) {
	t.Parallel()
	all := []error{idv.ErrValidation, idv.ErrUnauthorized, idv.ErrRequestFailed, idv.ErrNotFound, idv.ErrRateLimited, idv.ErrServer}
	for status, want := range map[int]error{
		400: idv.ErrValidation, 401: idv.ErrUnauthorized, 402: idv.ErrRequestFailed, 404: idv.ErrNotFound,
		429: idv.ErrRateLimited, 500: idv.ErrServer, 501: idv.ErrServer, 503: idv.ErrServer, 599: idv.ErrServer, 302: nil, 403: nil, 499: nil,
	} {
		err := fmt.Errorf("wrapped: %w", &idv.UncertainError{Err: &idv.Error{StatusCode: status}})
		for _, sentinel := range all {
			assert.Equal(t, sentinel == want, errors.Is(err, sentinel), "%d and %v", status, sentinel)
		}
	}
}

func TestAPaidAnswerThatCannotBeDecodedIsHandedOver(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"HTML": "<html>", "truncated JSON": `{"id":"1","status":"val`, "another type": `{"birth_day":"x"}`, "an array": `[]`,
		"nothing": "", "a member twice": `{"status":"valid","status":"invalid"}`,
	} {
		c, _ := answering(t, 201, body)
		_, err := c.People.Create(bg(), validPerson())
		var e *idv.DecodeError
		require.ErrorAs(t, err, &e, name)
		assert.Equal(t, 201, e.StatusCode)
		assert.Equal(t, body, string(e.Body), name)
		assert.Contains(t, err.Error(), "idv: POST /people: 201, but its body could not be decoded (it is kept in Body): JSON: ")
		var uncertain *idv.UncertainError
		assert.False(t, errors.As(err, &uncertain), "it ran")
	}
}

func TestAnAnswerOverTheLimitIsADecodeError(t *testing.T) {
	t.Parallel()
	c, _ := answering(t, 201, fixture(t, "person"), idv.WithMaxAnswer(100))
	_, err := c.People.Create(bg(), validPerson())
	var e *idv.DecodeError
	require.ErrorAs(t, err, &e)
	assert.Equal(t, fixture(t, "person")[:100], string(e.Body))
	assert.Contains(t, err.Error(), "the answer is longer than the limit")
}

func TestIncompleteErrorNamesTheWindows(t *testing.T) {
	t.Parallel()
	at := time.Unix(1407875726, 0)
	gap := idv.Gap{From: at, To: at, TotalCount: 50, Seen: 25, Reason: "one second holds more than a page"}
	assert.EqualError(t, &idv.IncompleteError{Gaps: []idv.Gap{gap}},
		"idv: the enumeration is incomplete in 1 window(s); created 2014-08-12T20:35:26Z to 2014-08-12T20:35:26Z: 25 of 50 seen, one second holds more than a page")
	assert.Contains(t, (&idv.IncompleteError{Gaps: []idv.Gap{{}, gap, gap, gap}}).Error(), "created any time to any time: 0 of 0 seen")
	assert.Contains(t, (&idv.IncompleteError{Gaps: []idv.Gap{{}, gap, gap, gap}}).Error(), "; and more")
}
