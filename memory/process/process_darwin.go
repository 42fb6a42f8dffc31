package process

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// zombie is the state of a process that has ended and has not been waited for
// (SZOMB in sys/proc.h).
const zombie = 5

// StartTime returns the start time of a process, which differs from that of a later
// process with the same pid. The error wraps os.ErrProcessDone if the process has ended.
func StartTime(pid int) (time.Time, error) {
	if pid <= 0 {
		return time.Time{}, fmt.Errorf("process %d: must be positive", pid)
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	// For a pid without a process, the kernel returns nothing, which SysctlKinfoProc
	// reports as EIO.
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("examine process %d: %w", pid, err)
	}
	if info.Proc.P_stat == zombie {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	return time.Unix(info.Proc.P_starttime.Unix()).UTC(), nil
}
