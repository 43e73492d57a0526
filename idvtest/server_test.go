package idvtest_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestHeadersOfAnswers(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithStartTime(time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)))
	a.s.Clock.Advance(time.Hour)
	for path, status := range map[string]int{"/people": 200, "/people/1": 404, "/nowhere": 404} {
		r := a.get(path)
		requireStatus(t, status, r)
		assert.Regexp(t, `^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$`, r.header.Get("X-Request-Id"))
		assert.Regexp(t, `^\d+\.\d+$`, r.header.Get("X-Runtime"))
		assert.Equal(t, "Thu, 29 Feb 2024 13:00:00 GMT", r.header.Get("Date"))
		assert.Equal(t, status == 200, strings.HasPrefix(r.header.Get("ETag"), `W/"`))
		assert.Equal(t, r.header.Get("X-Request-Id"), a.s.Requests()[len(a.s.Requests())-1].RequestID)
	}
	assert.Equal(t, a.get("/people").header["Etag"], a.get("/people").header["Etag"])
}

func TestRequestsAreRecorded(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.Clock.Advance(time.Hour)
	a.send("POST", "/people?a=1&a=2", `{"note":"x"}`, http.Header{"X-Custom": {"y"}})
	requests := a.s.Requests()
	require.Len(t, requests, 1)
	r := requests[0]
	assert.Equal(t, []any{"POST", "/people", "1", `{"note":"x"}`, "y", 400, a.s.Clock.Now()},
		[]any{r.Method, r.Path, r.Query.Get("a"), string(r.Body), r.Header.Get("X-Custom"), r.Status, r.Time})
	assert.Equal(t, "Basic", r.Header.Get("Authorization"), "no key in a log")
	assert.Contains(t, r.Refused, "name_first cant_be_blank")

	requests[0].Header.Set("X-Custom", "z")
	requests[0].Body[0] = 'z'
	assert.Equal(t, "y", a.s.Requests()[0].Header.Get("X-Custom"), "the log is not the caller's to change")
	assert.Equal(t, `{"note":"x"}`, string(a.s.Requests()[0].Body))
}

func TestObserverSeesEachRequest(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []string
	a := newAPI(t, idvtest.WithObserver(func(r idvtest.Request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, fmt.Sprint(r.Method, r.Path, r.Status))
	}), idvtest.WithObserver(nil))
	a.get("/people")
	a.post("/people", attrs{})
	a.s.Fail(idvtest.Fault{Drop: true})
	_, _, err := a.try("GET", "/people", "")
	require.Error(t, err)
	mu.Lock()
	defer mu.Unlock()
	assert.Equal(t, []string{"GET/people200", "POST/people400", "GET/people0"}, seen)
}

func TestFailedTestTellsItsStory(t *testing.T) {
	t.Parallel()
	tb := &failingTB{TB: t}
	s := idvtest.Start(tb, idvtest.WithSeed(42))
	get(t, s, "/long/ago")
	for range 50 {
		get(t, s, "/people?filter[note]=secret")
	}
	get(t, s, "/persons")
	s.Fail(idvtest.Fault{Method: "POST", Path: "/people", Status: 500})
	tb.end()
	assert.Contains(t, tb.log, "WithSeed(42)")
	assert.Regexp(t, `GET +/people +200`, tb.log)
	assert.Regexp(t, `GET +/persons +404 no such path or method`, tb.log)
	assert.Contains(t, tb.log, "a fault still waits for its request: POST /people")
	assert.NotContains(t, tb.log, "/long/ago", "it tells the last fifty")
	assert.NotContains(t, tb.log, "secret")
	assert.NotContains(t, tb.log, s.TestKey)
}

// failingTB is a test that has failed.
type failingTB struct {
	testing.TB
	cleanup []func()
	log     string
}

func (f *failingTB) Cleanup(c func()) { f.cleanup = append(f.cleanup, c) }
func (f *failingTB) Failed() bool     { return true }
func (f *failingTB) Log(args ...any)  { f.log += args[0].(string) }
func (f *failingTB) end() {
	for _, c := range f.cleanup {
		c()
	}
}

func TestSeedRepeats(t *testing.T) {
	t.Parallel()
	one, two, other := newAPI(t, idvtest.WithSeed(7)), newAPI(t, idvtest.WithSeed(7)), newAPI(t)
	set := func(a *api) reply {
		return a.post("/question_sets", attrs{"person_id": a.post("/people", person()).id()})
	}
	assert.Equal(t, set(one).json, set(two).json)
	assert.Equal(t, one.s.TestKey, two.s.TestKey)
	assert.NotEqual(t, one.s.TestKey, other.s.TestKey)
}

func TestPathPrefix(t *testing.T) {
	t.Parallel()
	a := newAPI(t, idvtest.WithPathPrefix("api/v4/"))
	assert.True(t, strings.HasSuffix(a.s.URL, "/api/v4"))
	requireStatus(t, 200, a.get("/people"))
	a.s.URL = strings.TrimSuffix(a.s.URL, "/api/v4")
	requireStatus(t, 404, a.get("/people"))
}

func TestListenerOfTheCaller(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	a := newAPI(t, idvtest.WithListener(l))
	assert.Equal(t, "http://"+l.Addr().String(), a.s.URL)
	requireStatus(t, 200, a.get("/people"))
}

func TestCertificate(t *testing.T) {
	t.Parallel()
	assert.Nil(t, idvtest.Start(t).Certificate())
	s := idvtest.Start(t, idvtest.WithTLS())
	pool := x509.NewCertPool()
	pool.AddCert(s.Certificate())
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}}
	resp, err := client.Get(s.URL)
	require.NoError(t, err)
	assert.NoError(t, resp.Body.Close())
}

func TestEscapedIDs(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.s.AddPerson(idvtest.Person{ID: "a/b c"})
	requireStatus(t, 200, a.get("/people/a%2Fb%20c"))
	requireStatus(t, 404, a.get("/people/a/b%20c"))
}

// Many clients at once: nothing is lost, nothing appears twice, and no list contradicts itself.
func TestConcurrentClients(t *testing.T) {
	t.Parallel()
	const clients, each = 64, 8
	a := newAPI(t, idvtest.WithPageSize(100))
	var wg sync.WaitGroup
	for range clients {
		wg.Go(func() {
			for range each {
				id := a.post("/candidates", attrs{"note": "one of many"}).id()
				page := a.get("/candidates", "filter[q]", "many")
				assert.LessOrEqual(t, len(page.data()), page.total())
				assert.Equal(t, page.total() > len(page.data()), page.json["has_more"])
				assert.Equal(t, 200, a.patch("/candidates/"+id, attrs{"note": "one of very many"}).status)
				assert.Equal(t, true, a.delete("/candidates/" + id).json["deleted"])
			}
		})
	}
	wg.Wait()
	seen := map[any]bool{}
	for offset := 0; offset < clients*each; offset += 100 {
		for _, id := range a.get("/candidates", "filter[deleted]", "true", "count", "100", "offset", strconv.Itoa(offset)).all("id") {
			seen[id] = true
		}
	}
	assert.Len(t, seen, clients*each)
	assert.Len(t, a.s.Requests(), 4*clients*each+6)
	assert.Equal(t, clients*each, a.s.Executions()["POST /candidates"])
}

// Not parallel: it counts goroutines.
func TestCloseLeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, opts := range [][]idvtest.Option{nil, {idvtest.WithTLS()}, {idvtest.WithWallClock()}} {
		s := idvtest.NewServer(opts...)
		get(t, s, "/people")
		if strings.HasPrefix(s.URL, "http://") {
			beginRequest(t, s)
		}
		s.Close()
	}
	for wait := time.Now(); runtime.NumGoroutine() > before && time.Since(wait) < 10*time.Second; {
		time.Sleep(time.Millisecond)
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

// beginRequest sends half of a request and leaves it at that.
func beginRequest(t *testing.T, s *idvtest.Server) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = conn.Write([]byte("POST /people HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf"))
	require.NoError(t, err)
}
