// Package retries lets libraries, as they come, read a person from a service that fails now and then, and counts what arrives.
package retries

import (
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"example.com/idv/bench/internal/calls"
	"example.com/idv/bench/internal/measure"
	"example.com/idv/bench/internal/sample"
)

// Faults are the shares of requests that fail.
var Faults = []float64{0.01, 0.10, 0.50}

// service fails a share of its requests, in three ways that take turns: 503, 502, and a connection that breaks off.
type service struct {
	share  float64
	sent   atomic.Int64
	failed atomic.Int64
}

func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	s.sent.Add(1)
	if rand.Float64() >= s.share {
		return sample.Answer{Status: http.StatusOK, Body: sample.PersonJSON()}.RoundTrip(r)
	}
	status := []int{http.StatusServiceUnavailable, http.StatusBadGateway, 0}[s.failed.Add(1)%3]
	if status == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return sample.Answer{Status: status, Body: []byte(`{"error":{"type":"api_error","message":"try again"}}`)}.RoundTrip(r)
}

// Outcome is what became of a number of calls.
type Outcome struct {
	Name     string
	Retries  string  // by default, as documented
	Fault    float64 // the share of requests that failed
	Success  float64 // the share of calls that brought the person
	Attempts float64 // requests of one call
	Median   time.Duration
	P99      time.Duration // a call of which 99 in 100 are not slower
}

// Run makes calls calls with every library, all in the same seconds, for nearly all of it is waiting. The answer takes no time, so that
// the durations are those of the waits.
func Run(ctx context.Context, fault float64, calls int) ([]Outcome, error) {
	n, err := libraries()
	if err != nil {
		return nil, err
	}
	outcomes := make([]Outcome, n)
	errs := make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { outcomes[i], errs[i] = run(ctx, i, fault, calls) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return outcomes, nil
}

func libraries() (int, error) {
	all, err := calls.Defaults("https://api.example", &service{})
	return len(all), err
}

// spread is the time over which the calls begin: all at once, they would wait for each other.
const spread = 5 * time.Second

// run gives the i-th library a service of its own.
func run(ctx context.Context, i int, fault float64, n int) (Outcome, error) {
	s := &service{share: fault}
	all, err := calls.Defaults("https://api.example", s)
	if err != nil {
		return Outcome{}, err
	}
	library := all[i]
	took := make([]float64, n)
	var succeeded atomic.Int64
	var group sync.WaitGroup
	for call := range n {
		group.Go(func() {
			time.Sleep(time.Duration(call) * spread / time.Duration(n))
			start := time.Now()
			if _, err := library.Get(ctx); err == nil {
				succeeded.Add(1)
			}
			took[call] = float64(time.Since(start))
		})
	}
	group.Wait()
	slices.Sort(took)
	return Outcome{
		Name: library.Name, Retries: library.Retries, Fault: fault,
		Success:  float64(succeeded.Load()) / float64(n),
		Attempts: float64(s.sent.Load()) / float64(n),
		Median:   time.Duration(measure.Median(took)),
		P99:      time.Duration(measure.Quantile(took, 0.99)),
	}, nil
}
