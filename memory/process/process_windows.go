package process

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// StartTime returns the start time of a process, which differs from that of a later
// process with the same pid. The error wraps os.ErrProcessDone if the process has ended.
func StartTime(pid int) (time.Time, error) {
	if pid <= 0 {
		return time.Time{}, fmt.Errorf("process %d: must be positive", pid)
	}
	const access = windows.PROCESS_QUERY_LIMITED_INFORMATION | windows.SYNCHRONIZE
	handle, err := windows.OpenProcess(access, false, uint32(pid))
	if errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	if err != nil {
		return time.Time{}, fmt.Errorf("examine process %d: %w", pid, err)
	}
	defer func() { _ = windows.CloseHandle(handle) }()

	// A process that has ended exists as long as a handle to it is open.
	if event, err := windows.WaitForSingleObject(handle, 0); err == nil && event == windows.WAIT_OBJECT_0 {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(handle, &created, &exited, &kernel, &user); err != nil {
		return time.Time{}, fmt.Errorf("examine process %d: start time: %w", pid, err)
	}
	return time.Unix(0, created.Nanoseconds()).UTC(), nil
}
