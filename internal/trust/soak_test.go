package trust_test

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
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

var soak = flag.Duration("soak", time.Second, "how long TestSoak goes on")

// TestSoak puts load with faults on a client, a receiver and the services of both, and looks whether memory, goroutines or
// connections grow: the second half of the time may not use noticeably more than the first.
func TestSoak(t *testing.T) {
	l := newLoad(t)
	ctx, cancel := context.WithTimeout(t.Context(), *soak)
	defer cancel()
	samples := make(chan []sample, 1)
	go func() { samples <- l.watch(ctx) }()
	together(func(i int) {
		for n := 0; ctx.Err() == nil; n++ {
			l.turn(ctx, t, i, n)
		}
	})
	seen := <-samples
	for _, s := range []sample{seen[0], seen[len(seen)/2], seen[len(seen)-1]} {
		t.Logf("%v", s)
	}
	t.Logf("%d calls, %d deliveries, %d connections opened by the client", l.calls.Load(), l.deliveries.Load(), l.opened.Load())
	if *soak >= 30*time.Second { // before, the memory of the services themselves is still growing to its size
		first, second := most(seen[len(seen)/4:len(seen)/2]), most(seen[len(seen)/2:])
		assert.Less(t, second.heap, first.heap*5/4+4<<20, "the heap")
		assert.Less(t, second.goroutines, first.goroutines*5/4+64)
		assert.Less(t, second.connections, first.connections+goroutines)
	}
	assert.Zero(t, l.wrong.Load(), "calls that ended otherwise than they should")
}

// load is what a turn needs.
type load struct {
	people   []string
	client   *idv.Client
	receiver *httptest.Server
	signer   webhooktest.Signer

	calls, deliveries, opened, wrong atomic.Int64
	open                             atomic.Int64
}

func newLoad(t *testing.T) *load {
	l := &load{signer: webhooktest.Signer{KeyID: canaryKey, Secret: canarySecret, Path: "/hook"}}
	service := idvtest.Start(t)
	l.people = service.AddPeople(100, func(i int) idvtest.Person { return idvtest.Person{CreatedAt: time.Unix(int64(1e9+i), 0)} })
	service.Fail(idvtest.Fault{Method: "GET", Path: "/companies/{id}", Times: -1, Status: 500},
		idvtest.Fault{Method: "POST", Path: "/watchlists", Times: -1, Status: 500, Truncate: true})
	l.client = connectAs(t, service.URL, service.TestKey, l.counting(), idv.WithMaxRetryWait(0))
	store, err := webhook.NewMemoryStore(webhook.MemoryConfig{Capacity: 1000})
	require.NoError(t, err)
	l.receiver = httptest.NewServer(webhook.NewReceiver(verifier(t, func(error) {}), webhook.WithSeen(store)))
	l.receiver.Client().Transport.(*http.Transport).MaxIdleConnsPerHost = goroutines
	t.Cleanup(l.receiver.Close)
	return l
}

// counting is a transport that counts its connections, as the client's own keeps them.
func (l *load) counting() *http.Transport {
	return &http.Transport{MaxIdleConnsPerHost: goroutines, DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l.opened.Add(1)
		l.open.Add(1)
		return &counted{Conn: conn, open: &l.open}, nil
	}}
}

type counted struct {
	net.Conn
	open   *atomic.Int64
	closed atomic.Bool
}

func (c *counted) Close() error {
	if !c.closed.Swap(true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}

// turn is one round of calls; the end of the time may cut any of them.
func (l *load) turn(ctx context.Context, t *testing.T, i, n int) {
	expect := func(want string, err error) {
		l.calls.Add(1)
		if got := kind(err); got != want && ctx.Err() == nil {
			l.wrong.Add(1)
			t.Logf("want %s, got %s: %v", want, got, err)
		}
	}
	c := l.client
	expect("none", second(c.People.Get(ctx, l.people[(i+n)%len(l.people)])))
	expect("none", second(c.People.List(ctx, &idv.ListParams{Count: 10})))
	expect("Error", second(c.Companies.Get(ctx, "1")))
	expect("UncertainError around Error", second(c.Watchlists.Search(ctx, &idv.WatchlistSearchParams{CandidateID: "1"})))
	if n%50 == i%50 {
		for range c.People.All(ctx, nil, idv.Parallel(4)) {
			l.calls.Add(1)
		}
	}
	event := webhooktest.Event{ID: "whkevt_" + strconv.Itoa(n), Timestamp: time.Unix(1, 0), SessionID: "flwses_1", CustomerReference: "1"}
	s := l.signer
	if n%3 == 0 {
		s.Secret = "guessed"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, l.receiver.URL+s.Path, s.Event(event).Body)
	if err != nil {
		return
	}
	r.Header = s.Header(event.Body())
	if resp, err := l.receiver.Client().Do(r); err == nil {
		l.deliveries.Add(1)
		_ = resp.Body.Close()
	}
}

// sample is what is in use at one moment.
type sample struct {
	heap        uint64
	goroutines  int
	connections int64
}

func (s sample) String() string {
	return fmt.Sprintf("heap %.1f MiB, %d goroutines, %d connections of the client", float64(s.heap)/(1<<20), s.goroutines, s.connections)
}

func (l *load) watch(ctx context.Context) (all []sample) {
	every := max(*soak/60, 50*time.Millisecond)
	for {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		all = append(all, sample{m.HeapAlloc, runtime.NumGoroutine(), l.open.Load()})
		select {
		case <-ctx.Done():
			return all
		case <-time.After(every):
		}
	}
}

func most(all []sample) (m sample) {
	for _, s := range all {
		m.heap, m.goroutines, m.connections = max(m.heap, s.heap), max(m.goroutines, s.goroutines), max(m.connections, s.connections)
	}
	return m
}
