package webhook_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"example.com/idv/webhook"
)

// TestHostileClock moves the receiver's clock against the sample's Date.
func TestHostileClock(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		off  time.Duration
		want error
	}{
		{"D42 +899 s", 899 * time.Second, nil},
		{"D42 -899 s", -899 * time.Second, nil},
		{"D42 +899.999999999 s", 900*time.Second - 1, nil},
		{"D42 -899.999999999 s", -900*time.Second + 1, nil},
		{"D42 +900 s", 900 * time.Second, webhook.ErrTimestamp},
		{"D42 -900 s", -900 * time.Second, webhook.ErrTimestamp},
		{"D42 +900.000000001 s", 900*time.Second + 1, webhook.ErrTimestamp},
		{"D43 ten years late", 10 * 365 * 24 * time.Hour, webhook.ErrTimestamp},
		{"D43 ten years early", -10 * 365 * 24 * time.Hour, webhook.ErrTimestamp},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			clock := webhook.WithClock(func() time.Time { return sentAt.Add(tt.off) })
			d, err := sampleVerifier(t, clock).Verify(delivery(sampleBody)())
			require.ErrorIs(t, err, tt.want)
			if tt.want == nil {
				require.Equal(t, tt.off, d.Skew)
				require.Equal(t, sentAt, d.Date)
			}
		})
	}
	t.Run("D42 another tolerance is exclusive too", func(t *testing.T) {
		t.Parallel()
		clock := webhook.WithClock(func() time.Time { return sentAt.Add(time.Minute) })
		m := signedMessage(nil)
		require.ErrorIs(t, sampleVerifier(t, clock, webhook.WithTolerance(time.Minute)).VerifyMessage(t.Context(), m), webhook.ErrTimestamp)
		require.NoError(t, sampleVerifier(t, clock, webhook.WithTolerance(time.Minute+1)).VerifyMessage(t.Context(), m))
	})
	t.Run("D42 a message that waited in a queue is judged by when it arrived", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t, webhook.WithClock(func() time.Time { return sentAt.Add(24 * time.Hour) }))
		m := signedMessage(nil)
		require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrTimestamp)
		m.At = sentAt.Add(time.Minute)
		require.NoError(t, v.VerifyMessage(t.Context(), m))
	})
	t.Run("D50 clock returns zero time", func(t *testing.T) {
		t.Parallel()
		v := sampleVerifier(t, webhook.WithClock(func() time.Time { return time.Time{} }))
		m := signedMessage(nil)
		require.ErrorIs(t, v.VerifyMessage(t.Context(), m), webhook.ErrTimestamp)
		m.Date = "Mon, 01 Jan 0001 00:00:00 GMT"
		require.ErrorIs(t, v.VerifyMessage(t.Context(), resign(m)), webhook.ErrTimestamp)
	})
}

// TestHostileDates signs what the Date header says, whatever it says.
func TestHostileDates(t *testing.T) {
	t.Parallel()
	date := func(value string) func() *http.Request {
		return resigned(func(m *webhook.Message) { m.Date = value })
	}
	runRequestCases(t, []requestCase{
		{"D43 year 0001", date("Mon, 01 Jan 0001 00:00:00 GMT"), webhook.ErrTimestamp},
		{"D43 year 9999", date("Fri, 31 Dec 9999 23:59:59 GMT"), webhook.ErrTimestamp},
		{"D44 Date missing", tampered(func(r *http.Request) { r.Header.Del("Date") }), webhook.ErrNotSigned},
		{"D44 X-Date only", tampered(func(r *http.Request) {
			r.Header.Set("X-Date", sampleDate)
			r.Header.Del("Date")
		}), webhook.ErrNotSigned},
		{"D45 fresh Date with an old signature", altered(func(m *webhook.Message) { m.Date = "Sat, 23 Jan 2021 21:43:15 GMT" }), webhook.ErrSignatureMismatch},
		{"D46 RFC 850", date("Saturday, 23-Jan-21 21:43:14 GMT"), nil},
		{"D46 asctime", date("Sat Jan 23 21:43:14 2021"), nil},
		{"D46 Unix seconds", date("1611438194"), webhook.ErrTimestamp},
		{"D46 RFC 3339", date("2021-01-23T21:43:14Z"), webhook.ErrTimestamp},
		{"D46 +0100", date("Sat, 23 Jan 2021 22:43:14 +0100"), webhook.ErrTimestamp},
		{"D46 UTC", date("Sat, 23 Jan 2021 21:43:14 UTC"), webhook.ErrTimestamp},
		{"D46 30 Feb", date("Tue, 30 Feb 2021 21:43:14 GMT"), webhook.ErrTimestamp},
		{"D46 wrong weekday", date("Sun, 23 Jan 2021 21:43:14 GMT"), webhook.ErrTimestamp},
		{"D46 lower-case month", date("Sat, 23 jan 2021 21:43:14 GMT"), webhook.ErrTimestamp},
		{"D46 leading zero dropped", resigned(func(m *webhook.Message) { m.Date = "Sat, 23 Jan 2021 9:43:14 GMT" }), webhook.ErrTimestamp},
		{"D46 trailing blank", date(sampleDate + " "), webhook.ErrTimestamp},
		{"D46 of absurd length", date(sampleDate + strings.Repeat(" ", 100)), webhook.ErrMalformed},
		{"D47 two Date lines", tampered(func(r *http.Request) { r.Header.Add("Date", sampleDate) }), webhook.ErrSignatureMismatch},
		{"D48 Date split on its comma", tampered(func(r *http.Request) { r.Header["Date"] = []string{"Sat", "23 Jan 2021 21:43:14 GMT"} }), nil},
		{"D49 leap second", date("Sat, 31 Dec 2016 23:59:60 GMT"), webhook.ErrTimestamp},
		{"D51 expired and forged", altered(func(m *webhook.Message) { m.Date = "Sat, 23 Jan 2011 21:43:14 GMT" }), webhook.ErrSignatureMismatch},
	})
}
