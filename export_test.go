package idv

// WithoutRaw gives a copy that compares equal to one that was written by hand.
func WithoutRaw(p Person) Person {
	p.raw = nil
	return p
}
