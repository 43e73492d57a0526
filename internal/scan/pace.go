package scan

import "math"

// pace is the density of the recent ranges of a sweep, older ranges fading.
type pace struct {
	objects, seconds float64
	misses           int // guesses in a row that found next to nothing
}

// fading is what a range weighs after one more.
const fading = 0.7

func (p *pace) learn(w Window, objects int) {
	if w.From == Past {
		return
	}
	p.objects = fading*p.objects + float64(objects)
	p.seconds = fading*p.seconds + float64(w.To) - float64(w.From) + 1
}

// judge tells how a guess came out.
func (p *pace) judge(found, size int) {
	if found < size/4 {
		p.misses++
	} else {
		p.misses = 0
	}
}

// leap lengthens the way across a void, which the pace of the crowd before it would cross in steps without number.
func (p *pace) leap() float64 { return math.Pow(4, float64(min(p.misses, 30))) }

// stride is the time in which so many objects should lie.
func (p *pace) stride(objects float64) float64 { return objects * p.seconds / p.objects * p.leap() }
