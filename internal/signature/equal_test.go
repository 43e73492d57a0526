package signature

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDifferSeesEveryBit(t *testing.T) {
	t.Parallel()
	for length := range 40 {
		a := bytes.Repeat([]byte{0xa5}, length)
		assert.Zero(t, differ(a, bytes.Clone(a)))
		for i := range length * 8 {
			b := bytes.Clone(a)
			b[i/8] ^= 1 << (i % 8)
			assert.NotZero(t, differ(a, b), "length %d, bit %d", length, i)
		}
	}
}
