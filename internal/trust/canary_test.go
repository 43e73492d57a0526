package trust_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// calls are all methods of the client, with a canary wherever data goes in. Ids are left out: an id is part of the path, which
// errors name.
var calls = []write{
	{"People.Create", func(ctx context.Context, c *idv.Client) error {
		return second(c.People.Create(ctx, secretPerson(), idv.WithoutValidation()))
	}},
	{"People.CreateOnce", func(ctx context.Context, c *idv.Client) error {
		return second(c.People.CreateOnce(ctx, secretPerson(), canaryData, idv.Settling(0), idv.WithoutValidation()))
	}},
	{"People.Create, refused", func(ctx context.Context, c *idv.Client) error {
		p := secretPerson()
		p.AddressCountryCode, p.IPAddress = canaryData, canaryData
		return second(c.People.Create(ctx, p))
	}},
	{"People.Create, no JSON", func(ctx context.Context, c *idv.Client) error {
		p := secretPerson()
		p.Extra = map[string]any{canaryData: func() {}}
		return second(c.People.Create(ctx, p, idv.WithoutValidation()))
	}},
	{"Companies.Create", func(ctx context.Context, c *idv.Client) error {
		p := company()
		p.EntityName, p.Email, p.Note = canaryData, canaryData, canaryData
		return second(c.Companies.Create(ctx, p))
	}},
	{"Candidates.Update", func(ctx context.Context, c *idv.Client) error {
		return second(c.Candidates.Update(ctx, "1", &idv.CandidateParams{SSN: idv.Ptr(canaryData), Note: idv.Ptr(canaryData)}))
	}},
	{"Candidates.Delete", func(ctx context.Context, c *idv.Client) error { return second(c.Candidates.Delete(ctx, "1")) }},
	{"Candidates.History", func(ctx context.Context, c *idv.Client) error { return second(c.Candidates.History(ctx, "1")) }},
	{"Candidates.Hits", func(ctx context.Context, c *idv.Client) error { return second(c.Candidates.Hits(ctx, "1")) }},
	{"Watchlists.Search", func(ctx context.Context, c *idv.Client) error {
		return second(c.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "1"}))
	}},
	{"QuestionSets.Create", func(ctx context.Context, c *idv.Client) error {
		return second(c.QuestionSets.Create(ctx, &idv.QuestionSetParams{PersonID: "1"}))
	}},
	{"People.Get", func(ctx context.Context, c *idv.Client) error {
		return second(c.People.Get(ctx, "1", idv.WithQuery(canaryData, canaryData), idv.WithHeader("X-Who", canaryData)))
	}},
	{"Candidates.List", func(ctx context.Context, c *idv.Client) error {
		return second(c.Candidates.List(ctx, &idv.ListParams{Filter: idv.Filter{"ssn": canaryData}, Search: canaryData}))
	}},
	{"People.All", func(ctx context.Context, c *idv.Client) (err error) {
		for _, err = range c.People.All(ctx, &idv.ListParams{Filter: idv.Filter{"note": canaryData}}) {
			if err != nil {
				return err
			}
		}
		return err
	}},
	{"Call", func(ctx context.Context, c *idv.Client) error {
		out := struct{ ID int }{}
		return c.Call(ctx, http.MethodPost, "/later", url.Values{canaryData: {canaryData}}, map[string]string{canaryData: canaryData}, &out)
	}},
	{"Call with a bad header", func(ctx context.Context, c *idv.Client) error {
		return c.Call(ctx, http.MethodGet, "/later", nil, nil, nil, idv.WithHeader("X-Who", canaryData+"\n"))
	}},
	{"Call with a query in the path", func(ctx context.Context, c *idv.Client) error {
		return c.Call(ctx, http.MethodGet, "/later?ssn="+canaryData, nil, nil, nil)
	}},
}

func secretPerson() *idv.PersonParams {
	p := person()
	p.NameFirst, p.NameLast, p.DocumentValue, p.AddressStreet1, p.PhoneNumber = canaryData, canaryData, canaryData, canaryData, canaryData
	return p
}

// echoes give back what they got, in every place that is no error object of the contract.
var echoes = map[string]func(w http.ResponseWriter, r *http.Request, all string){
	"success": func(w http.ResponseWriter, _ *http.Request, all string) {
		fmt.Fprintf(w, `{"id":"1","name_first":%q}`, all)
	},
	"wrong type": func(w http.ResponseWriter, _ *http.Request, all string) { fmt.Fprintf(w, `{"id":{%q:%q}}`, all, all) },
	"twice":      func(w http.ResponseWriter, _ *http.Request, all string) { fmt.Fprintf(w, `{%q:1,%q:2}`, all, all) },
	"no JSON":    func(w http.ResponseWriter, _ *http.Request, all string) { fmt.Fprint(w, all) },
	"error": func(w http.ResponseWriter, _ *http.Request, all string) {
		w.Header().Set("X-Who", all)
		w.WriteHeader(422)
		fmt.Fprintf(w, `{"errors":%q,"who":%q}`, all, all)
	},
	"HTML": func(w http.ResponseWriter, _ *http.Request, all string) {
		w.WriteHeader(503)
		fmt.Fprint(w, "<h1>"+all)
	},
	"redirect": func(w http.ResponseWriter, r *http.Request, _ string) {
		http.Redirect(w, r, "/?"+canaryData, http.StatusTemporaryRedirect)
	},
	"no HTTP": func(w http.ResponseWriter, _ *http.Request, all string) {
		rawAnswer(w, all+"\r\n")
	},
	"bad header": func(w http.ResponseWriter, _ *http.Request, all string) {
		rawAnswer(w, "HTTP/1.1 200 "+all+"\r\nContent-Length: "+canaryData+"\r\n\r\n")
	},
	"bad chunk": func(w http.ResponseWriter, _ *http.Request, _ string) {
		rawAnswer(w, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"+canaryData+"\r\n")
	},
	"cut": func(w http.ResponseWriter, _ *http.Request, all string) {
		rawAnswer(w, "HTTP/1.1 201 Created\r\nContent-Length: 9999\r\n\r\n"+all)
	},
	"dropped": func(w http.ResponseWriter, _ *http.Request, _ string) { rawAnswer(w, "") },
	"late":    func(_ http.ResponseWriter, r *http.Request, _ string) { <-r.Context().Done() },
}

func rawAnswer(w http.ResponseWriter, text string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(conn, text)
	_ = conn.Close()
}

// TestNoTextOfTheClientHoldsACanary takes every method to every answer and reads all that the client says about it.
func TestNoTextOfTheClientHoldsACanary(t *testing.T) {
	t.Parallel()
	for name, echo := range echoes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var held atomic.Int32
			server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				assertClean(t, r.UserAgent(), "User-Agent")
				body, _ := io.ReadAll(r.Body)
				if strings.Contains(string(body), canaryData) {
					held.Add(1)
				}
				echo(w, r, strings.Join([]string{canaryData, r.RequestURI, r.Header.Get("Authorization"), string(body)}, " "))
			}))
			server.Config.ErrorLog = log.New(io.Discard, "", 0)
			server.Start()
			t.Cleanup(server.Close)
			said := new(spoken)
			c := listenedTo(t, server.URL, said)
			for _, call := range calls {
				said.error(t, call.name, call.call(t.Context(), c))
			}
			said.check(t)
			assert.GreaterOrEqual(t, held.Load(), int32(5), "the canaries did fly")
		})
	}
}

// TestNoRefusalOfTheConstructorHoldsACanary: what New refuses may be a URL with a password, or a key with a line end.
func TestNoRefusalOfTheConstructorHoldsACanary(t *testing.T) {
	t.Parallel()
	for _, base := range []string{
		"https://user:" + canarySecret + "@host", "https://host/?key=" + canaryKey, "https://host/#" + canaryKey,
		"https://" + canarySecret + "\x7f", "ht tp://" + canarySecret, canarySecret, "https://host:" + canarySecret,
	} {
		_, err := idv.New(base, testKey)
		require.Error(t, err)
		assertSilent(t, err, base)
	}
	for _, key := range []string{canaryKey, "sk_test_" + canaryKey + "\n", "sk_live " + canaryKey, "sk_test_" + canaryKey + ":"} {
		_, err := idv.New("https://host", key)
		require.Error(t, err)
		assertSilent(t, err, key)
	}
	_, err := idv.New("http://host", "sk_live_"+canaryKey)
	require.Error(t, err)
	assertSilent(t, err, "a live key over http")
}

// TestNoTextAboutAProxyHoldsItsPassword: the URL of a proxy comes from the environment, password included.
func TestNoTextAboutAProxyHoldsItsPassword(t *testing.T) {
	t.Parallel()
	for _, proxy := range []string{"http://user:" + canarySecret + "@127.0.0.1:1", "socks5://user:" + canarySecret + "@127.0.0.1:1", canarySecret + "://x"} {
		u, err := url.Parse(proxy)
		require.NoError(t, err)
		c := connect(t, "https://api.example", &http.Transport{Proxy: http.ProxyURL(u)}, idv.WithMaxRetries(0))
		said := new(spoken)
		said.error(t, proxy, second(c.People.Get(t.Context(), "1")))
		said.error(t, proxy, second(c.People.Create(t.Context(), secretPerson(), idv.WithoutValidation())))
	}
}

// spoken is all that a client says.
type spoken struct {
	mutex    sync.Mutex
	log      bytes.Buffer
	attempts []idv.Attempt
}

// listenedTo makes a client whose key is a canary, and writes down what it logs and observes.
func listenedTo(t *testing.T, base string, s *spoken) *idv.Client {
	t.Helper()
	own := http.DefaultTransport.(*http.Transport).Clone()
	t.Cleanup(own.CloseIdleConnections)
	logger := slog.New(slog.NewJSONHandler(&s.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := idv.New(base, "sk_test_"+canaryKey, idv.WithHTTPClient(&http.Client{Transport: own}), idv.WithMaxRetries(0),
		idv.WithTimeout(100*time.Millisecond), idv.WithLogger(logger),
		idv.WithObserver(func(_ context.Context, a idv.Attempt) {
			s.mutex.Lock()
			defer s.mutex.Unlock()
			s.attempts = append(s.attempts, a)
		}))
	require.NoError(t, err)
	return c
}

// error reads an error and those of this module that it wraps. What others wrote can be reached, but is not printed.
func (s *spoken) error(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	assertSilent(t, err, what)
	for _, inner := range unwrapped(err) {
		if own := reflect.Indirect(reflect.ValueOf(inner)).Type().PkgPath(); strings.HasPrefix(own, "example.com/idv") {
			assertSilent(t, inner, fmt.Sprintf("%s: %T", what, inner))
		}
	}
}

func unwrapped(err error) (all []error) {
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range many.Unwrap() {
			all = append(append(all, e), unwrapped(e)...)
		}
	} else if e := errors.Unwrap(err); e != nil {
		all = append(append(all, e), unwrapped(e)...)
	}
	return all
}

func (s *spoken) check(t *testing.T) {
	assertClean(t, s.log.String(), "the log")
	assert.NotEmpty(t, s.attempts)
	for _, a := range s.attempts {
		assertSilent(t, a, "an observed attempt")
	}
}
