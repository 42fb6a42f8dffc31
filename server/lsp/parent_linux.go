package lsp

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"
)

// clockTick is the unit of the start time in /proc, fixed by the kernel's
// interface (USER_HZ).
const clockTick = 10 * time.Millisecond

// processStart returns the start time of a process, which differs from that of a later
// process with the same pid. The error wraps os.ErrProcessDone if the process has ended.
//
// On Linux the time counts from the boot, as if the boot were at the Unix epoch. The real
// time of the boot is computed from the clock and changes with it, so two servers would
// get different times for the same process.
func processStart(pid int) (time.Time, error) {
	if pid <= 0 {
		return time.Time{}, fmt.Errorf("process %d: must be positive", pid)
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("examine process %d: %w", pid, err)
	}
	// The name, in parentheses, may contain anything; the state is field 3, the
	// start field 22 (proc_pid_stat(5)).
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return time.Time{}, fmt.Errorf("examine process %d: unknown format of /proc", pid)
	}
	if state := fields[0][0]; state == 'Z' || state == 'X' || state == 'x' {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	ticks, err := strconv.ParseInt(string(fields[19]), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("examine process %d: start time: %w", pid, err)
	}
	return time.Unix(0, 0).UTC().Add(time.Duration(ticks) * clockTick), nil
}
