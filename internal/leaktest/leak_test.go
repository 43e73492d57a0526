// Package leaktest looks for goroutines that outlive what started them.
package leaktest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/idv"
	"example.com/idv/idvtest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

// Not one of these tests runs in parallel: a goroutine of another would be taken for a leak.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// people is a service with n people, an hour apart.
func people(t *testing.T, n int) (*idvtest.Server, *idv.Client) {
	t.Helper()
	service := idvtest.NewServer()
	t.Cleanup(service.Close)
	service.AddPeople(n, func(i int) idvtest.Person {
		return idvtest.Person{CreatedAt: time.Date(2024, 1, 1, i, 0, 0, 0, time.UTC)}
	})
	c, err := idv.New(service.URL, service.TestKey, idv.WithTimeout(5*time.Second))
	require.NoError(t, err)
	t.Cleanup(c.CloseIdleConnections)
	return service, c
}

func TestTheClient(t *testing.T) {
	defer goleak.VerifyNone(t)
	service, c := people(t, 300)
	service.Fail(
		idvtest.Fault{Method: "GET", Path: "/people/{PERSON_ID}", Status: 503, Times: 1},
		idvtest.Fault{Method: "POST", Path: "/candidates", Drop: true, Work: true, Times: 1},
	)
	_, err := c.People.Get(t.Context(), "unknown")
	require.ErrorIs(t, err, idv.ErrNotFound)
	_, err = c.Candidates.Create(t.Context(), &idv.CandidateParams{})
	var uncertain *idv.UncertainError
	require.ErrorAs(t, err, &uncertain)
	for range c.People.All(t.Context(), nil, idv.Parallel(8)) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	for range c.People.All(ctx, nil, idv.Parallel(8)) {
		if n++; n == 40 {
			cancel()
		}
	}
	cancel()
	c.CloseIdleConnections()
	service.Close()
}

func TestFourDaysOfRedeliveries(t *testing.T) {
	defer goleak.VerifyNone(t)
	attempts := 0
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		attempts++
		w.WriteHeader(http.StatusAccepted)
	}))
	service := idvtest.NewServer()
	_, err := service.Dashboard().CreateWebhook(receiver.URL)
	require.NoError(t, err)
	service.StartSession("c-1")
	service.Clock.Advance(96 * time.Hour)
	assert.GreaterOrEqual(t, attempts, 8, "the first attempt and seven redeliveries")
	assert.NotEmpty(t, service.Dashboard().Mails())
	service.Close()
	receiver.Close()
}
