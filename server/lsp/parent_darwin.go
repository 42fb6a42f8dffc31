package lsp

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// zombie is the state of a process that has ended and was not waited for
// (SZOMB of sys/proc.h).
const zombie = 5

// processStart returns when the process was started, to tell it from a later
// one with the same pid. The error wraps os.ErrProcessDone if it has ended.
func processStart(pid int) (time.Time, error) {
	if pid <= 0 {
		return time.Time{}, fmt.Errorf("process %d: a process id is positive", pid)
	}
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	// For a pid that no process has, the kernel answers with nothing, which
	// SysctlKinfoProc reports as EIO.
	if errors.Is(err, unix.EIO) || errors.Is(err, unix.ESRCH) {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("look at process %d: %w", pid, err)
	}
	if info.Proc.P_stat == zombie {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	return time.Unix(info.Proc.P_starttime.Unix()).UTC(), nil
}
