package trust_test

import (
	"context"
	"iter"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"example.com/idv/webhook"
	"example.com/idv/webhook/webhooktest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goroutines = 64

// together runs f on many goroutines at once.
func together(f func(i int)) {
	var group sync.WaitGroup
	for i := range goroutines {
		group.Go(func() { f(i) })
	}
	group.Wait()
}

// TestOneClientForAll: each goroutine gets its own answers from a shared client, while faults happen to some, clients are
// derived from it and its idle connections are closed.
func TestOneClientForAll(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t)
	service.AddPeople(100, func(i int) idvtest.Person {
		return idvtest.Person{CreatedAt: firstOf2025.Add(time.Duration(-i-1) * time.Hour)}
	})
	c := connectAs(t, service.URL, service.TestKey, nil)
	service.Fail(idvtest.Fault{Method: "GET", Path: "/companies", Times: 16, Status: 503}, idvtest.Fault{Path: "/watchlists", Times: 16, Drop: true, Work: true})
	var uncertain atomic.Int32
	together(func(i int) {
		ctx := t.Context()
		p := person()
		p.Note = strconv.Itoa(i)
		made, err := c.People.Create(ctx, p)
		if !assert.NoError(t, err) {
			return
		}
		var answer idv.Response
		read, err := c.People.Get(ctx, made.ID, idv.CaptureResponse(&answer))
		assert.NoError(t, err)
		assert.Equal(t, p.Note, *read.Note)
		assert.Contains(t, string(answer.Body), made.ID)
		found, err := c.People.List(ctx, &idv.ListParams{Filter: idv.Filter{"note": p.Note}})
		assert.NoError(t, err)
		assert.Equal(t, 1, found.TotalCount)
		other, err := c.With(idv.WithTimeout(time.Minute))
		assert.NoError(t, err)
		_, err = other.Companies.List(ctx, nil)
		assert.NoError(t, err)
		_, err = c.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "unknown"})
		if kind(err) == "UncertainError" {
			uncertain.Add(1)
		} else {
			assert.ErrorIs(t, err, idv.ErrNotFound)
		}
		if i%8 == 0 {
			assert.Equal(t, 100, count(t, c.People.All(ctx, &idv.ListParams{CreatedAt: idv.TimeRange{Before: firstOf2025}}, idv.Parallel(4))))
		}
		c.CloseIdleConnections()
	})
	assert.EqualValues(t, 16, uncertain.Load())
	assert.Equal(t, goroutines, service.Executions()["POST /people"])
}

// firstOf2025 is when the clock of a test service begins.
var firstOf2025 = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func count(t *testing.T, all iter.Seq2[*idv.Person, error]) (n int) {
	for _, err := range all {
		assert.NoError(t, err)
		n++
	}
	return n
}

// TestOneReceiverForAll: good and forged deliveries, each event several times, through one verifier and one receiver.
func TestOneReceiverForAll(t *testing.T) {
	t.Parallel()
	good := webhooktest.Signer{KeyID: canaryKey, Secret: canarySecret, Path: "/hook"}
	forger := good
	forger.Secret = "guessed"
	v := verifier(t, func(error) {})
	receiver := webhook.NewReceiver(v)
	var mutex sync.Mutex
	handled := map[string]int{}
	webhook.On(receiver, func(_ context.Context, e *webhook.StatusUpdated) error {
		mutex.Lock()
		defer mutex.Unlock()
		handled[e.Session.CustomerReference]++
		return nil
	})
	server := httptest.NewServer(receiver)
	t.Cleanup(server.Close)
	var refused atomic.Int32
	together(func(i int) {
		event := webhooktest.Event{ID: "whkevt_" + strconv.Itoa(i/2), CustomerReference: strconv.Itoa(i / 2), Timestamp: time.Unix(1, 0), SessionID: "flwses_1"}
		for _, s := range []webhooktest.Signer{good, forger, good} {
			r := s.Event(event)
			status := post(t, server, r)
			switch {
			case s.Secret == "guessed":
				assert.Equal(t, 401, status)
				refused.Add(1)
			default:
				assert.Contains(t, []int{200, 503}, status, "handled, handled before, or in flight")
			}
		}
		assert.NoError(t, v.VerifyMessage(t.Context(), message(good, event)))
	})
	assert.EqualValues(t, goroutines, refused.Load())
	assert.Len(t, handled, goroutines/2)
	for reference, n := range handled {
		assert.Equal(t, 1, n, reference)
	}
}

// post sends a signed request over a connection.
func post(t testing.TB, server *httptest.Server, r *http.Request) int {
	out, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+r.RequestURI, r.Body)
	if !assert.NoError(t, err) {
		return 0
	}
	out.Header, out.ContentLength = r.Header, r.ContentLength
	out.Header.Del("Content-Length")
	resp, err := server.Client().Do(out)
	if !assert.NoError(t, err) {
		return 0
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

func message(s webhooktest.Signer, e webhooktest.Event) webhook.Message {
	body := e.Body()
	h := s.Header(body)
	return webhook.Message{
		Method: http.MethodPost, Path: s.Path, Body: body,
		Date: h.Get("Date"), Digest: h.Get("Digest"), Authorization: h.Get("Authorization"),
	}
}

// TestOneServiceForAll: the test service is moved, scripted and looked at from everywhere at once.
func TestOneServiceForAll(t *testing.T) {
	t.Parallel()
	service := idvtest.Start(t)
	receiver := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(receiver.Close)
	_, err := service.Dashboard().CreateWebhook(receiver.URL)
	require.NoError(t, err)
	c := connectAs(t, service.URL, service.TestKey, nil)
	together(func(i int) {
		session := service.StartSession(strconv.Itoa(i))
		service.Clock.Advance(time.Second)
		service.Fail(idvtest.Fault{Path: "/nowhere"})
		_, err := c.Candidates.Create(t.Context(), &idv.CandidateParams{Note: idv.Ptr(session.ID)})
		assert.NoError(t, err)
		service.AddPerson(idvtest.Person{})
		_, _, _ = service.Requests(), service.Executions(), service.Billed()
		_, _ = service.Dashboard().Deliveries(), service.Dashboard().Webhooks()
	})
	assert.Equal(t, goroutines, service.Executions()["POST /candidates"])
	assert.Len(t, service.Dashboard().Deliveries(), goroutines)
}
