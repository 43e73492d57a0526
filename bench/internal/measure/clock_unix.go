//go:build unix

package measure

import (
	"syscall"
	"time"
)

// clock is the processor time of this process, the garbage collector's and the kernel's on its behalf included. It is what work
// costs; the time on the wall has in it what others do on the same machine.
func clock() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic("measure: getrusage: " + err.Error()) // it fails for wrong arguments only
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
