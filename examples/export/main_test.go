package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// start is a service with n people and candidates, and a client that does not wait between retries.
func start(t *testing.T, n int, opts ...idvtest.Option) (*idvtest.Server, *idv.Client) {
	t.Helper()
	service := idvtest.Start(t, opts...)
	seed(service, n)
	client, err := idv.New(service.URL, service.TestKey, idv.WithMaxRetries(0))
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	return service, client
}

// settingsOf parses a command line as run does, with chunks so small that there are several.
func settingsOf(t *testing.T, args string) settings {
	t.Helper()
	set, err := parse(strings.Fields(args), io.Discard)
	require.NoError(t, err)
	set.chunk = 40
	return set
}

// goOn is what the message says about going on, as a command line.
func goOn(t *testing.T, message string) string {
	t.Helper()
	_, args, found := strings.Cut(message, " -what ")
	require.True(t, found, message)
	return "-what " + strings.TrimSpace(args)
}

type row struct {
	ID        string `json:"id"`
	CreatedAt int64  `json:"created_at"`
}

func rows(t *testing.T, text string) []row {
	t.Helper()
	var all []row
	for line := range strings.Lines(text) {
		var r row
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		all = append(all, r)
	}
	return all
}

func TestEverythingIsWrittenOldestFirst(t *testing.T) {
	t.Parallel()
	for name, order := range map[string]idvtest.Order{"newest first": idvtest.Newest, "oldest first": idvtest.Oldest, "no order": idvtest.None} {
		for _, what := range []string{"people", "candidates"} {
			t.Run(what+", "+name, func(t *testing.T) {
				t.Parallel()
				_, client := start(t, 300, idvtest.WithOrder(order))
				var out, messages strings.Builder
				require.NoError(t, export(t.Context(), client, settingsOf(t, "-page 0 -what "+what), &out, &messages))
				got := rows(t, out.String())
				require.Len(t, got, 300)
				for i := range got[1:] {
					assert.Negative(t, mark{got[i].CreatedAt, got[i].ID}.compare(mark{got[i+1].CreatedAt, got[i+1].ID}), "strictly rising, so nothing twice")
				}
				assert.Contains(t, messages.String(), "300 "+what+", complete to 2024-12-31T23:50:00Z. For what comes later: -what "+what)
			})
		}
	}
}

func TestALineIsWhatTheServiceSentOnOneLine(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t)
	client, err := idv.New(service.URL, service.TestKey)
	require.NoError(t, err)
	t.Cleanup(client.CloseIdleConnections)
	raw := "{\n \"id\": \"p1\",\n \"created_at\": 1,\n \"later\": {\"b\": 1.50, \"a\": null}\n}"
	page := `{"object":"list","total_count":1,"has_more":false,"data":[` + raw + `]}`
	service.Fail(idvtest.Fault{Path: "/people", Body: page, Times: -1})
	var out strings.Builder
	require.NoError(t, export(t.Context(), client, settingsOf(t, ""), &out, io.Discard))
	assert.Equal(t, `{"id":"p1","created_at":1,"later":{"b":1.50,"a":null}}`+"\n", out.String())
}

func TestCSV(t *testing.T) {
	t.Parallel()
	service, client := start(t, 0)
	service.AddPerson(idvtest.Person{
		ID: "p1", CreatedAt: time.Unix(1700000000, 0), NameFirst: "=1+1", NameLast: `Quote " and, comma`, DocumentValue: "0000",
		PhoneNumber: "+1 555", Details: map[string]string{"ofac": "match"}, QuestionSets: 2,
	})
	service.AddCandidate(idvtest.Candidate{ID: "c1", Deleted: true, NameFirst: "-Ada", CreatedAt: time.Unix(1700000000, 0)})
	read := func(args string) (header, values []string) {
		var out strings.Builder
		require.NoError(t, export(t.Context(), client, settingsOf(t, args), &out, io.Discard))
		all, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
		require.NoError(t, err)
		require.Len(t, all, 2)
		return all[0], all[1]
	}
	value := func(args, column string) string {
		header, values := read(args)
		for i := range header {
			if header[i] == column {
				return values[i]
			}
		}
		assert.Fail(t, "no such column", column)
		return ""
	}
	for column, want := range map[string]string{
		"id": "p1", "created_at": "1700000000", "livemode": "false", "name_first": "=1+1", "name_last": `Quote " and, comma`, "document_value": "0000",
		"name_middle": "", "phone_number": "+1 555", "details.ofac": "match", "details.address_risk": "low", "birth_year": "1985",
	} {
		assert.Equal(t, want, value("-format csv", column), column)
	}
	assert.Len(t, strings.Split(value("-format csv", "question_sets"), ";"), 2)
	assert.Equal(t, "true", value("-format csv -what candidates", "deleted"))
	assert.Equal(t, "'=1+1", value("-format csv -spreadsheet", "name_first"))
	assert.Equal(t, "'+1 555", value("-format csv -spreadsheet", "phone_number"))
	assert.Equal(t, "'-Ada", value("-format csv -spreadsheet -what candidates", "name_first"))
	assert.Equal(t, "0000", value("-format csv -spreadsheet", "document_value"))
}

func TestTheColumnsAreTheMembersOfAnObject(t *testing.T) {
	t.Parallel()
	_, client := start(t, 1)
	for what := range columns {
		var out strings.Builder
		require.NoError(t, export(t.Context(), client, settingsOf(t, "-what "+what), &out, io.Discard))
		var members map[string]any
		require.NoError(t, json.Unmarshal([]byte(out.String()), &members))
		want := map[string]bool{}
		for name, v := range members {
			inner, nested := v.(map[string]any)
			for member := range inner {
				want[name+"."+member] = true
			}
			want[name] = !nested
		}
		got := map[string]bool{}
		for _, column := range columns[what] {
			got[column] = true
		}
		for name, isColumn := range want {
			if isColumn && name != "object" {
				assert.Contains(t, got, name, what)
			}
		}
	}
}

// An export that breaks anywhere, and goes on with what it printed, is the export that never broke.
func TestGoingOnAfterAnError(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"jsonl", "csv"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			service, client := start(t, 300)
			var whole strings.Builder
			require.NoError(t, export(t.Context(), client, settingsOf(t, "-format "+format), &whole, io.Discard))

			var out strings.Builder
			args, breaks := "-format "+format, 0
			for {
				service.Fail(idvtest.Fault{Path: "/people", Status: 401, Skip: 25 + rand.IntN(12)})
				set := settingsOf(t, args)
				set.chunk = 10
				err := export(t.Context(), client, set, &out, io.Discard)
				service.ClearFaults()
				if err == nil {
					break
				}
				require.ErrorIs(t, err, idv.ErrUnauthorized)
				breaks++
				if strings.Contains(err.Error(), "before anything was written") {
					args += " -header=false"
				} else {
					args = goOn(t, err.Error())
				}
			}
			assert.GreaterOrEqual(t, breaks, 2)
			assert.Equal(t, whole.String(), out.String())
		})
	}
}

func TestGoingOnFromTheLastWholeLine(t *testing.T) {
	t.Parallel()
	_, client := start(t, 90)
	var whole strings.Builder
	require.NoError(t, export(t.Context(), client, settingsOf(t, ""), &whole, io.Discard))
	for _, cut := range []int{1, 2, 3, 4, 44, 89, 90} { // three objects share each second
		lines := strings.SplitAfter(whole.String(), "\n")[:cut]
		last := rows(t, lines[cut-1])[0]
		var rest strings.Builder
		require.NoError(t, export(t.Context(), client, settingsOf(t, fmt.Sprintf("-since %d/%s", last.CreatedAt, last.ID)), &rest, io.Discard))
		assert.Equal(t, whole.String(), strings.Join(lines, "")+rest.String(), "with the id nothing comes twice")

		rest.Reset()
		require.NoError(t, export(t.Context(), client, settingsOf(t, fmt.Sprint("-since ", last.CreatedAt)), &rest, io.Discard))
		assert.Equal(t, last.CreatedAt, rows(t, rest.String())[0].CreatedAt, "without it the second comes again")
		assert.True(t, strings.HasSuffix(whole.String(), rest.String()))
	}
}

func TestAnInterruptEndsAtAWholeLine(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	var requests atomic.Int32
	_, client := start(t, 300, idvtest.WithObserver(func(idvtest.Request) {
		if requests.Add(1) == 20 {
			interrupt()
		}
	}))
	var out strings.Builder
	err := export(ctx, client, settingsOf(t, ""), &out, io.Discard)
	require.ErrorIs(t, err, errInterrupted)
	before := rows(t, out.String())
	require.NotEmpty(t, before)
	assert.Contains(t, err.Error(), fmt.Sprintf("%d people are written. To go on: -what people -format jsonl -since %d/%s",
		len(before), before[len(before)-1].CreatedAt, before[len(before)-1].ID))

	require.NoError(t, export(t.Context(), client, settingsOf(t, goOn(t, err.Error())), &out, io.Discard))
	assert.Len(t, rows(t, out.String()), 300)
}

func TestAnInterruptBeforeTheFirstLine(t *testing.T) {
	t.Parallel()
	_, client := start(t, 3)
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	assert.EqualError(t, export(ctx, client, settingsOf(t, ""), io.Discard, io.Discard), "interrupted before anything was written")
	err := export(ctx, client, settingsOf(t, "-since 1700000000/p7"), io.Discard, io.Discard)
	assert.ErrorContains(t, err, "-since 1700000000/p7", "an export that gets nowhere goes on from where it was to begin")
}

// full is a disk with little room.
type full struct {
	bytes.Buffer
	room int
}

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		n, _ := f.Buffer.Write(p[:f.room])
		f.room = 0
		return n, errors.New("no space left")
	}
	f.room -= len(p)
	return f.Buffer.Write(p)
}

func TestAFullDisk(t *testing.T) {
	t.Parallel()
	_, client := start(t, 90)
	for _, format := range []string{"jsonl", "csv"} {
		err := export(t.Context(), client, settingsOf(t, "-format "+format), &full{room: 5000}, io.Discard)
		require.ErrorIs(t, err, errOutput)
		assert.ErrorContains(t, err, "no space left")
		assert.ErrorContains(t, err, "last whole line")
	}
	assert.ErrorIs(t, export(t.Context(), client, settingsOf(t, "-format csv"), &full{room: 3}, io.Discard), errOutput)
}

func TestTheLatestTenMinutesAreLeftOut(t *testing.T) {
	t.Parallel()
	service, client := start(t, 0)
	now := service.Clock.Now()
	for id, age := range map[string]time.Duration{"old": time.Hour, "edge": lag, "new": lag - time.Second} {
		service.AddPerson(idvtest.Person{ID: id, CreatedAt: now.Add(-age)})
	}
	var out, messages strings.Builder
	require.NoError(t, export(t.Context(), client, settingsOf(t, ""), &out, &messages))
	assert.Equal(t, []string{"old", "edge"}, ids(rows(t, out.String())))

	service.Clock.Advance(time.Minute)
	out.Reset()
	require.NoError(t, export(t.Context(), client, settingsOf(t, goOn(t, messages.String())), &out, io.Discard))
	assert.Equal(t, []string{"new"}, ids(rows(t, out.String())), "the next run has what came later, and only that")

	out.Reset()
	require.NoError(t, export(t.Context(), client, settingsOf(t, fmt.Sprint("-until ", now.Add(-time.Hour).Unix())), &out, io.Discard))
	assert.Equal(t, []string{"old"}, ids(rows(t, out.String())))

	out.Reset()
	require.NoError(t, export(t.Context(), client, settingsOf(t, "-since 2030-01-01T00:00:00Z"), &out, io.Discard))
	assert.Empty(t, out.String())
}

func ids(all []row) (ids []string) {
	for _, r := range all {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestASecondThatOverflowsAPage(t *testing.T) {
	t.Parallel()
	service, client := start(t, 0)
	service.AddPeople(60, func(int) idvtest.Person { return idvtest.Person{CreatedAt: time.Unix(1700000000, 0)} })
	var out strings.Builder
	require.NoError(t, export(t.Context(), client, settingsOf(t, "-page 10"), &out, io.Discard))
	assert.Len(t, rows(t, out.String()), 60)

	out.Reset()
	err := export(t.Context(), client, settingsOf(t, "-page 0"), &out, io.Discard)
	var incomplete *idv.IncompleteError
	require.ErrorAs(t, err, &incomplete, "the contract alone has no way to see the rest")
	assert.Empty(t, out.String())
}

func TestMarks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]mark{
		"1700000000": {1700000000, ""}, "1700000000/ab": {1700000000, "ab"}, "1700000000/a/b": {1700000000, "a/b"},
		"2023-11-14T22:13:20Z": {1700000000, ""}, "2023-11-14T23:13:20.9+01:00/ab": {1700000000, "ab"},
	} {
		got, err := parseMark(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
		again, err := parseMark(got.String())
		require.NoError(t, err)
		assert.Equal(t, got, again)
	}
	for _, text := range []string{"", "yesterday", "/ab", "-1", "1700000000000", "2023-11-14"} {
		_, err := parseMark(text)
		assert.Error(t, err, text)
	}
}

func FuzzMark(f *testing.F) {
	f.Add("1700000000/ab")
	f.Add("2023-11-14T22:13:20Z")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := parseMark(text)
		if err != nil {
			return
		}
		again, err := parseMark(m.String())
		require.NoError(t, err)
		require.Equal(t, m, again)
	})
}

func TestRunAgainstItsOwnService(t *testing.T) {
	t.Setenv("IDV_BASE_URL", "")
	t.Setenv("IDV_API_KEY", "")
	var first, second strings.Builder
	require.NoError(t, run(t.Context(), []string{"-n", "50"}, &first, io.Discard))
	assert.Len(t, rows(t, first.String()), 50)
	require.NoError(t, run(t.Context(), []string{"-n", "50"}, &second, io.Discard))
	assert.Equal(t, first.String(), second.String(), "the next run goes on where this one was stopped")
}

func TestRunAgainstTheServiceOfTheEnvironment(t *testing.T) {
	service, _ := start(t, 30)
	t.Setenv("IDV_BASE_URL", service.URL)
	t.Setenv("IDV_API_KEY", service.TestKey)
	var out strings.Builder
	require.NoError(t, run(t.Context(), nil, &out, io.Discard))
	assert.Len(t, rows(t, out.String()), 30)
}

func TestTheCommandLine(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"-what companies": "-what", "-format xml": "-format", "-since soon": "-since", "-until soon": "-until",
		"-parallel 0": "Parallel", "-page -1": "Count", "people": "no flags", "-sinc 1": "-sinc",
	} {
		set, err := parse(strings.Fields(args), io.Discard)
		if err == nil {
			_, client := start(t, 1)
			err = export(t.Context(), client, set, io.Discard, io.Discard)
		}
		assert.ErrorContains(t, err, want, args)
	}
}
