// Package measure times pieces of work against each other on a machine that is not quiet.
//
// All contenders of a table take turns in one process, in short slices and in an order that changes with every round. What
// disturbs the machine then disturbs all of them, and ratios within a round hold where times do not. A result is the median over
// the rounds. Time is processor time: see clock.
package measure

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// Contender is one way to do a piece of work.
type Contender struct {
	Name string
	// Run does the work once. An error ends the measurement: a contender that fails is not fast.
	Run func() error
}

// Plan says how long to measure.
type Plan struct {
	Rounds int           // turns of each contender; the median is over these
	Slice  time.Duration // length of one turn
}

// Result is what one contender came to.
type Result struct {
	Name   string
	Time   time.Duration // of the processor, in one Run; the median
	Ratio  float64       // to the first contender in the same round, the median
	Allocs float64       // of one Run
	Bytes  float64       // allocated by one Run
}

// Compare measures the contenders against the first of them, the floor.
func (p Plan) Compare(contenders []Contender) ([]Result, error) {
	results := make([]Result, len(contenders))
	repeats := make([]int, len(contenders))
	for i, c := range contenders {
		n, err := p.calibrate(c)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name, err)
		}
		repeats[i] = n
		results[i].Name = c.Name
		results[i].Allocs, results[i].Bytes = garbage(c, min(n, 200))
	}
	rounds := make([][]float64, len(contenders)) // nanoseconds of one Run, by contender
	order := rand.New(rand.NewPCG(1, 2))
	for range p.Rounds {
		for _, i := range order.Perm(len(contenders)) {
			took, err := repeat(contenders[i], repeats[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", contenders[i].Name, err)
			}
			rounds[i] = append(rounds[i], float64(took)/float64(repeats[i]))
		}
	}
	for i := range results {
		results[i].Time = time.Duration(Median(rounds[i]))
		results[i].Ratio = Median(quotients(rounds[i], rounds[0]))
	}
	return results, nil
}

// calibrate finds how many times a contender runs in a slice, from the fastest of three tries: the first one also sets up what a first
// run sets up, and a contender that is taken for slow would be measured in slices of a few runs, with cold caches.
func (p Plan) calibrate(c Contender) (int, error) {
	most := 1
	for range 3 {
		n, err := p.fill(c)
		if err != nil {
			return 0, err
		}
		most = max(most, n)
	}
	return most, nil
}

// fill doubles the runs until they take a good part of a slice.
func (p Plan) fill(c Contender) (int, error) {
	for n := 1; ; n *= 2 {
		took, err := repeat(c, n)
		if err != nil {
			return 0, err
		}
		if took >= p.Slice/4 {
			return int(float64(n) * float64(p.Slice) / float64(took)), nil
		}
	}
}

func repeat(c Contender, n int) (time.Duration, error) {
	start := clock()
	for range n {
		if err := c.Run(); err != nil {
			return 0, err
		}
	}
	return clock() - start, nil
}

// garbage counts what n runs allocate, as testing.AllocsPerRun does, and the bytes too. Over a connection the other end counts as
// well, for it lives in the same process.
func garbage(c Contender, n int) (allocs, bytes float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		_ = c.Run() // calibrate has seen it succeed
	}
	runtime.ReadMemStats(&after)
	return float64((after.Mallocs - before.Mallocs) / uint64(n)), float64((after.TotalAlloc - before.TotalAlloc) / uint64(n))
}

func quotients(a, b []float64) []float64 {
	q := make([]float64, len(a))
	for i := range a {
		q[i] = a[i] / b[i]
	}
	return q
}

// Median is the middle of values, 0 of none.
func Median(values []float64) float64 { return Quantile(values, 0.5) }

// Quantile is the value below which a share q of values lies, 0 of none.
func Quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
