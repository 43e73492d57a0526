//go:build !unix

package measure

import "time"

var began = time.Now()

// clock is the time on the wall, for want of a better one.
func clock() time.Duration { return time.Since(began) }
