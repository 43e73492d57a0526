package trust_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// roundTrip is a transport that never leaves the process.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// answering makes a client that gets the same answer to everything.
func answering(t testing.TB, status int, header http.Header, body string) *idv.Client {
	t.Helper()
	f := roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1, Request: r}, nil
	})
	c, err := idv.New("https://api.example", "sk_test_"+canaryKey, idv.WithHTTPClient(&http.Client{Transport: f}), idv.WithMaxRetries(0))
	require.NoError(t, err)
	return c
}

// model is a type that answers are decoded into, with a method that does.
type model struct {
	of   reflect.Type
	read func(context.Context, *idv.Client) error
}

var models = []model{
	{reflect.TypeFor[idv.Person](), func(ctx context.Context, c *idv.Client) error { return second(c.People.Get(ctx, "1")) }},
	{reflect.TypeFor[idv.Company](), func(ctx context.Context, c *idv.Client) error { return second(c.Companies.Get(ctx, "1")) }},
	{reflect.TypeFor[idv.Candidate](), func(ctx context.Context, c *idv.Client) error { return second(c.Candidates.Get(ctx, "1")) }},
	{reflect.TypeFor[idv.QuestionSet](), func(ctx context.Context, c *idv.Client) error { return second(c.QuestionSets.Get(ctx, "1")) }},
	{reflect.TypeFor[idv.List[idv.Person]](), func(ctx context.Context, c *idv.Client) error { return second(c.People.List(ctx, nil)) }},
	{reflect.TypeFor[idv.WatchlistSearch](), func(ctx context.Context, c *idv.Client) error {
		return second(c.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "1"}))
	}},
}

// nonsense is JSON of every kind, and what looks like it. Some of it is right for some fields.
var nonsense = []string{
	`null`, `true`, `0`, `-1`, `1.5`, `1e400`, `9223372036854775808`, `-9223372036854775809`, `1` + strings.Repeat("0", 1000), `""`, `"` + canaryData + `"`,
	`"\u0000"`, "\"\x00\"", "\"\xff\xfe\"", `"\ud800"`, `"` + strings.Repeat("x", 1<<16) + `"`, `[]`, `[[]]`, `[null]`, `["` + canaryData + `"]`, `[{}]`, `{}`,
	`{"` + canaryData + `":1}`, `{"a":1,"a":2}`, strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000), strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
	`NaN`, `'x'`, `//`, ``, `{`, `"`, "\ufeff{}", canaryData,
}

// TestNonsenseInEveryField: whatever stands in a field, the answer is decoded or is a *DecodeError that holds it and quotes nothing.
func TestNonsenseInEveryField(t *testing.T) {
	t.Parallel()
	for _, m := range models {
		t.Run(m.of.String(), func(t *testing.T) {
			t.Parallel()
			for _, pattern := range patterns(m.of, "%s", 0) {
				refused := 0
				for _, bad := range nonsense {
					body := fmt.Sprintf(pattern, bad)
					err := m.read(t.Context(), answering(t, 200, http.Header{}, body))
					if err == nil {
						continue
					}
					refused++
					var decode *idv.DecodeError
					require.ErrorAs(t, err, &decode, pattern)
					assert.Equal(t, body, string(decode.Body))
					assertSilent(t, err, pattern)
					assert.Less(t, len(err.Error()), 300)
				}
				assert.GreaterOrEqual(t, refused, 10, "what is no JSON at all is refused in %s", pattern)
			}
		})
	}
}

// patterns are the JSON of a type with one field left open, for every field, those of its parts included.
func patterns(t reflect.Type, around string, depth int) []string {
	all := []string{around}
	if depth > 3 {
		return all
	}
	switch t.Kind() {
	case reflect.Pointer:
		return patterns(t.Elem(), around, depth)
	case reflect.Slice:
		return append(all, patterns(t.Elem(), fmt.Sprintf(around, "[%s]"), depth+1)...)
	case reflect.Struct:
		for i := range t.NumField() {
			field := t.Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if field.IsExported() && name != "" && name != "-" {
				all = append(all, patterns(field.Type, fmt.Sprintf(around, `{"`+name+`":%s}`), depth+1)...)
			}
		}
	}
	return all
}

// TestNonsenseForAnError: any body of an error gives an *Error with its status.
func TestNonsenseForAnError(t *testing.T) {
	t.Parallel()
	for _, around := range []string{"%s", `{"error":%s}`, `{"error":{"type":%s}}`, `{"error":{"message":"m","param":%s}}`, `{"error":{"code":%s,"code":1}}`} {
		for _, bad := range nonsense {
			err := second(answering(t, 418, nil, fmt.Sprintf(around, bad)).People.Get(t.Context(), "1"))
			var answer *idv.Error
			require.ErrorAs(t, err, &answer)
			assert.Equal(t, 418, answer.StatusCode)
			assert.Less(t, len(err.Error()), 1200)
			assert.False(t, strings.ContainsAny(err.Error(), "\n\r\x00"), "%q", err)
		}
	}
}

func TestAHostileStatus(t *testing.T) {
	t.Parallel()
	for _, status := range []int{0, 100, 199, 300, 304, 399, 418, 499, 599, 600, 999} {
		err := second(answering(t, status, http.Header{"Retry-After": {"-1e999"}, "X-Request-Id": {"a\nb"}}, "{}").People.Create(t.Context(), person()))
		var answer *idv.Error
		require.True(t, errors.As(err, &answer), "%d: %v", status, err)
		assert.Equal(t, status, answer.StatusCode)
		assert.NotContains(t, err.Error(), "\n")
	}
}
