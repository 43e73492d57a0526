package idvtest_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/idv/idvtest"
)

func TestDeliveriesShowEveryAttempt(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	r := newReceiver(t, s)
	hook := r.subscribe(t, "/hook", idvtest.KindStepUpdated)
	r.answer(503)
	began := s.Clock.Now()
	s.StartSession("ref")
	r.answer(200)
	s.Clock.Advance(time.Hour)
	log := s.Dashboard().Deliveries()
	require.Len(t, log, 2)
	first, second := log[0], log[1]
	assert.Equal(t, hook.ID, first.WebhookID)
	assert.Equal(t, idvtest.KindStepUpdated, first.Kind)
	assert.Equal(t, []int{1, 2}, []int{first.Attempt, second.Attempt})
	assert.Equal(t, []int{503, 200}, []int{first.Status, second.Status})
	require.ErrorContains(t, first.Err, "503 Service Unavailable; only 200 counts")
	require.NoError(t, second.Err)
	assert.Equal(t, began, first.Time)
	assert.InDelta(t, 316, second.Time.Sub(began).Seconds(), 1, "the first redelivery comes after about five minutes")
	assert.Equal(t, r.messages()[0].event.ID, first.EventID)
	assert.Equal(t, r.messages()[0].body, first.Body)
	s.Clock.Advance(100 * time.Hour)
	assert.Len(t, s.Dashboard().Deliveries(), 2, "a delivered event is not sent again")
}

func TestDeliveryFailsWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	t.Run("a refused connection", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		require.NoError(t, l.Close())
		d := firstDelivery(t, "http://"+l.Addr().String()+"/hook?token=hush")
		require.ErrorContains(t, d.Err, "refused")
		assert.NotContains(t, d.Err.Error(), "hush", "a URL may hold a secret")
	})
	t.Run("a dropped connection", func(t *testing.T) {
		t.Parallel()
		r := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
		t.Cleanup(r.Close)
		d := firstDelivery(t, r.URL)
		require.ErrorIs(t, d.Err, io.EOF)
	})
	t.Run("a receiver that takes too long", func(t *testing.T) {
		t.Parallel()
		r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body)
			<-req.Context().Done()
		}))
		t.Cleanup(r.Close)
		d := firstDelivery(t, r.URL, idvtest.WithDeliveryTimeout(50*time.Millisecond))
		require.ErrorContains(t, d.Err, "did not answer in time")
	})
	t.Run("a redirect, which is not followed", func(t *testing.T) {
		t.Parallel()
		var followed atomic.Bool
		mux := http.NewServeMux()
		mux.Handle("/hook", http.RedirectHandler("/elsewhere", http.StatusTemporaryRedirect))
		mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { followed.Store(true) })
		r := httptest.NewServer(mux)
		t.Cleanup(r.Close)
		d := firstDelivery(t, r.URL+"/hook")
		assert.Equal(t, http.StatusTemporaryRedirect, d.Status)
		require.Error(t, d.Err)
		assert.False(t, followed.Load())
	})
}

// firstDelivery returns what became of an event that was sent to a URL; a redelivery is planned.
func firstDelivery(t *testing.T, url string, opts ...idvtest.Option) idvtest.Delivery {
	t.Helper()
	s := idvtest.Start(t, opts...)
	_, err := s.Dashboard().CreateWebhook(url, idvtest.KindStepUpdated)
	require.NoError(t, err)
	s.StartSession("ref")
	require.Len(t, s.Dashboard().Deliveries(), 1)
	s.Clock.Advance(10 * time.Minute)
	log := s.Dashboard().Deliveries()
	require.Len(t, log, 2)
	assert.Equal(t, 2, log[1].Attempt)
	return log[0]
}

func TestReceiverMayCallBack(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	var nested atomic.Int32
	r := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if nested.Add(1) > 2 {
			return
		}
		session := s.StartSession("from the handler")
		assert.NoError(t, session.EnterStep(idvtest.StepVerifySMS))
		_ = s.Dashboard().Deliveries()
		_, err := s.Dashboard().RetrySession(session.ID)
		assert.NoError(t, err)
		s.Clock.Advance(time.Minute)
	}))
	t.Cleanup(r.Close)
	_, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	s.StartSession("ref")
	assert.Equal(t, int32(1+2*4), nested.Load())
	assert.Equal(t, 2*time.Minute, s.Clock.Now().Sub(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)))
}

func TestReceiverMayCallBackWhileTheClockAdvances(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t)
	calls := 0 // only ever touched by one delivery at a time
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if calls++; calls == 1 {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		s.Clock.Advance(time.Hour)
		if calls == 2 {
			s.StartSession("from the handler")
		}
	}))
	t.Cleanup(r.Close)
	_, err := s.Dashboard().CreateWebhook(r.URL, idvtest.KindStepUpdated)
	require.NoError(t, err)
	s.StartSession("ref")
	s.Clock.Advance(10 * time.Minute)
	assert.Equal(t, 3, calls)
	assert.Equal(t, 2*time.Hour+10*time.Minute, s.Clock.Now().Sub(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)))
}

func TestCloseEndsADeliveryInFlight(t *testing.T) {
	t.Parallel()
	s := idvtest.NewServer(idvtest.WithDeliveryTimeout(time.Hour))
	arrived := make(chan struct{})
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		close(arrived)
		<-req.Context().Done()
	}))
	t.Cleanup(r.Close)
	_, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.StartSession("ref")
	}()
	<-arrived
	s.Close()
	<-ended
	s.StartSession("after the end")
	s.Clock.Advance(100 * time.Hour)
	assert.Empty(t, s.Dashboard().Deliveries())
}

func TestCloseFromAReceiver(t *testing.T) {
	t.Parallel()
	s := idvtest.NewServer()
	r := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { s.Close() }))
	t.Cleanup(r.Close)
	_, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	s.StartSession("ref")
}

// Not parallel: it counts goroutines.
func TestFourDaysOfRedeliveriesLeaveNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	s := idvtest.NewServer()
	r := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	_, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	for range 10 {
		s.StartSession("ref")
	}
	s.Clock.Advance(96 * time.Hour)
	assert.Len(t, s.Dashboard().Deliveries(), 10*8+10*7, "steps, and the expiries of which the last redelivery is still to come")
	s.StartSession("one more")
	s.Close()
	r.Close()
	for tries := 0; runtime.NumGoroutine() > before && tries < 2000; tries++ {
		time.Sleep(5 * time.Millisecond) // closed connections take a moment to wind up
	}
	assert.LessOrEqual(t, runtime.NumGoroutine(), before)
}

func TestDeliveryOverTLS(t *testing.T) {
	t.Parallel()
	r := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(r.Close)
	s := idvtest.Start(t, idvtest.WithDeliveryTransport(r.Client().Transport))
	_, err := s.Dashboard().CreateWebhook(r.URL)
	require.NoError(t, err)
	s.StartSession("ref")
	assert.Equal(t, 200, s.Dashboard().Deliveries()[0].Status)
}

func TestDeliveryDatesFollowTheWallClock(t *testing.T) {
	t.Parallel()
	s := idvtest.Start(t, idvtest.WithWallClock())
	r := listen(t, s)
	s.StartSession("ref")
	date, err := http.ParseTime(r.only(t).request.Header.Get("Date"))
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now(), date, 15*time.Minute)
	verified(t, r)
}
