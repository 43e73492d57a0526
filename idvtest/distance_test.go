package idvtest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"smith", "smith", 0},
		{"smith", "smyth", 1},
		{"smith", "smiht", 1},
		{"smith", "smit", 1},
		{"smith", "msiht", 2},
		{"smith", "", 5},
		{"ca", "abc", 3},
		{"żółw", "zolw", 3},
		{"kitten", "sitting", 3},
	} {
		t.Run(row.a+" and "+row.b, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, row.want, distance([]rune(row.a), []rune(row.b), 10))
			assert.Equal(t, row.want, distance([]rune(row.b), []rune(row.a), 10))
		})
	}
}

// A limit only stops the computation early: it never changes what lies within it.
func TestDistanceWithinLimit(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	word := func() []rune {
		letters := make([]rune, chance.IntN(8))
		for i := range letters {
			letters[i] = rune('a' + chance.IntN(3))
		}
		return letters
	}
	for range 5000 {
		a, b := word(), word()
		exact := distance(a, b, 100)
		for limit := range 5 {
			got := distance(a, b, limit)
			if exact <= limit {
				require.Equal(t, exact, got, "%q %q within %d", string(a), string(b), limit)
			} else {
				require.Greater(t, got, limit, "%q %q within %d", string(a), string(b), limit)
			}
		}
	}
}
