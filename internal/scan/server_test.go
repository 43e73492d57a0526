package scan

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// object is what the simulated service stores.
type object struct {
	id      string
	created int64
	updated int64
}

// ordering is how the service orders a list.
type ordering int

const (
	newest ordering = iota
	oldest
	hashed
	random
	byUpdate
)

var orderings = []ordering{newest, oldest, hashed, random, byUpdate}

func (o ordering) String() string {
	return [...]string{"newest first", "oldest first", "by hash", "at random", "by updated_at"}[o]
}

// server simulates the list of a service: filters by created_at, an order, pages, counts.
type server struct {
	mu      sync.Mutex
	objects []object // ascending by created
	order   ordering
	page    int
	now     int64 // its clock
	rnd     *rand.Rand

	count   func(total int) int                     // a lie about total_count
	disturb func(s *server)                         // runs before each request: inserts, deletions
	answer  func(Window, Page[object]) Page[object] // a lie about the rest
	delay   time.Duration

	err      error // what it answers instead
	requests int
	flying   int
	most     int // requests in flight at once
}

func newServer(times []int64, o ordering, page int) *server {
	s := &server{order: o, page: page, now: epoch + span + 3600, rnd: rand.New(rand.NewPCG(uint64(len(times)), uint64(page)))}
	for i, at := range times {
		id := fmt.Sprintf("%08x", i)
		s.objects = append(s.objects, object{id, at, at + int64(hash(id)%3)*86400})
	}
	s.sort()
	return s
}

func (s *server) sort() {
	slices.SortStableFunc(s.objects, func(a, b object) int { return int(a.created - b.created) })
}

func hash(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>29
}

func (s *server) list(ctx context.Context, w Window, offset int) (Page[object], error) {
	s.enter()
	defer s.leave()
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-ctx.Done():
			return Page[object]{}, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if s.err != nil {
		return Page[object]{}, s.err
	}
	if s.disturb != nil {
		s.disturb(s)
	}
	p := s.cut(s.match(w), offset)
	p.Date = time.Unix(s.now, 0)
	if s.answer != nil {
		p = s.answer(w, p)
	}
	return p, nil
}

// fail makes every request from now on end in err.
func (s *server) fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// asked is how many requests came so far.
func (s *server) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

func (s *server) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying++
	s.most = max(s.most, s.flying)
}

func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.flying--
}

// match returns the objects created in w, ascending; the slice is the server's own.
func (s *server) match(w Window) []object {
	from, _ := slices.BinarySearchFunc(s.objects, w.From, func(o object, at int64) int { return before(o.created < at) })
	to, _ := slices.BinarySearchFunc(s.objects, w.To, func(o object, at int64) int { return before(o.created <= at) })
	return s.objects[from:max(from, to)]
}

func before(b bool) int {
	if b {
		return -1
	}
	return 1
}

func (s *server) cut(match []object, offset int) Page[object] {
	total := len(match)
	from, to := min(offset, total), min(offset+s.page, total)
	p := Page[object]{Total: total, HasMore: to < total}
	if s.count != nil {
		p.Total = s.count(total)
	}
	switch s.order {
	case oldest:
		p.Items = slices.Clone(match[from:to])
	case newest:
		p.Items = slices.Clone(match[total-to : total-from])
		slices.Reverse(p.Items)
	default:
		p.Items = s.shuffle(match)[from:to]
	}
	return p
}

func (s *server) shuffle(match []object) []object {
	all := slices.Clone(match)
	switch s.order {
	case hashed:
		slices.SortFunc(all, func(a, b object) int { return before(hash(a.id) < hash(b.id)) })
	case byUpdate:
		slices.SortStableFunc(all, func(a, b object) int { return int(a.updated - b.updated) })
	case random:
		s.rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	}
	return all
}

func (s *server) config() Config[object] {
	return Config[object]{
		List:    s.list,
		ID:      func(o object) string { return o.id },
		Created: func(o object) int64 { return o.created },
		Bounds:  everything,
	}
}

// everything is the Window without bounds.
var everything = Window{Past, Future}

// The collections of the tests lie in the two years after epoch.
const (
	epoch = 1_600_000_000
	span  = 2 * 365 * 86400
)

// shape makes the times of n objects.
type shape struct {
	name  string
	times func(n int, rnd *rand.Rand) []int64
}

var shapes = []shape{
	{"even", func(n int, rnd *rand.Rand) []int64 { return spread(n, rnd, func(f float64) float64 { return f }) }},
	{"50 in a minute", func(n int, rnd *rand.Rand) []int64 { return clumps(n, 50, 60, rnd) }},
	{"groups of one second", func(n int, rnd *rand.Rand) []int64 {
		return append(clumps(n/10, 8, 1, rnd), spread(n-n/10, rnd, func(f float64) float64 { return f })...)
	}},
	{"heavy tail", heavy},
	{"growth", func(n int, rnd *rand.Rand) []int64 {
		return spread(n, rnd, func(f float64) float64 { return math.Log(1+f*(math.Exp(6)-1)) / 6 })
	}},
	{"office hours", office},
}

func spread(n int, rnd *rand.Rand, at func(float64) float64) []int64 {
	times := make([]int64, n)
	for i := range times {
		times[i] = epoch + int64(at(rnd.Float64())*span)
	}
	return times
}

func clumps(n, size int, width int64, rnd *rand.Rand) []int64 {
	var times []int64
	for len(times) < n {
		at := epoch + rnd.Int64N(span)
		for range min(size, n-len(times)) {
			times = append(times, at+rnd.Int64N(width))
		}
	}
	return times
}

func heavy(n int, rnd *rand.Rand) []int64 {
	gaps, sum := make([]float64, n), 0.0
	for i := range gaps {
		gaps[i] = math.Pow(1-rnd.Float64(), -1/1.1)
		sum += gaps[i]
	}
	times, at := make([]int64, n), 0.0
	for i, gap := range gaps {
		at += gap
		times[i] = epoch + int64(at/sum*span)
	}
	return times
}

func office(n int, rnd *rand.Rand) []int64 {
	times := make([]int64, n)
	for i := range times {
		day := rnd.Int64N(span / 86400)
		for day%7 >= 5 {
			day = rnd.Int64N(span / 86400)
		}
		times[i] = epoch + day*86400 + 9*3600 + rnd.Int64N(8*3600)
	}
	return times
}
