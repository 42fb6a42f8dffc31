package hostile

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// took is the time that the processor spent on a reading: what else the machine does
// meanwhile is not counted.
func took(read func(string), text string) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := spent()
	read(text)
	return spent() - start
}

func spent() time.Duration {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		panic(err) // every Linux has this clock
	}
	return time.Duration(now.Nano())
}
