package idvtest

import (
	"fmt"
	"math/rand/v2"
	"sync"
)

// dice is the one source of chance of a service, so that a seed repeats all of it.
type dice struct {
	mu   sync.Mutex
	rand *rand.Rand
}

func newDice(seed uint64) *dice { return &dice{rand: rand.New(rand.NewPCG(seed, seed))} }

// hex returns n random lowercase hex digits.
func (d *dice) hex(n int) string {
	const digits = "0123456789abcdef"
	d.mu.Lock()
	defer d.mu.Unlock()
	text := make([]byte, n)
	var bits uint64
	for i := range text {
		if i%16 == 0 {
			bits = d.rand.Uint64()
		}
		text[i] = digits[bits&15]
		bits >>= 4
	}
	return string(text)
}

// id returns 24 hex digits: the form of every identifier of the REST API (observed, not in the written contract).
func (d *dice) id() string { return d.hex(24) }

// uuid returns a random UUID: the form of X-Request-Id.
func (d *dice) uuid() string {
	h := d.hex(32)
	return fmt.Sprintf("%s-%s-4%s-a%s-%s", h[:8], h[8:12], h[13:16], h[17:20], h[20:])
}

func (d *dice) shuffle(n int, swap func(i, j int)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rand.Shuffle(n, swap)
}

func (d *dice) intN(n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.rand.IntN(n)
}
