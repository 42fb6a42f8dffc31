package process

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// clockTick is the unit of the start time in /proc, fixed by the kernel's interface (USER_HZ).
const clockTick = 10 * time.Millisecond

// maxShells is how many shells may stand between a program and a command that it runs.
const maxShells = 8

// Caller returns the program that runs this process: its nearest ancestor that is not a shell. It is "" if that is
// not known.
func Caller() ID {
	pid := os.Getppid()
	for range maxShells {
		if pid <= 1 {
			return "" // who started this process has ended
		}
		found, err := read(pid)
		if err != nil {
			return ""
		}
		if !isShell(found.name) {
			return found.id(pid)
		}
		pid = found.parent
	}
	return ""
}

// Ended reports whether the process is known to have ended. Of a process of another machine or container, and of one
// before a restart, nothing is known.
func (id ID) Ended() bool {
	here, err := place()
	rest, isHere := strings.CutPrefix(string(id), here+" ")
	number, _, _ := strings.Cut(rest, " ")
	pid, notNumber := strconv.Atoi(number)
	if err != nil || !isHere || notNumber != nil || pid <= 1 {
		return false
	}
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	found, err := read(pid)
	return err == nil && (found.id(pid) != id || found.dead)
}

// StartTime returns the start time of a process, which differs from that of a later
// process with the same pid. The error wraps os.ErrProcessDone if the process has ended.
//
// On Linux the time counts from the boot, as if the boot were at the Unix epoch. The real
// time of the boot is computed from the clock and changes with it, so two servers would
// get different times for the same process.
func StartTime(pid int) (time.Time, error) {
	found, err := read(pid)
	if err != nil {
		return time.Time{}, err
	}
	if found.dead {
		return time.Time{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	return time.Unix(0, 0).UTC().Add(time.Duration(found.started) * clockTick), nil
}

// A stat is what the kernel says of a process.
type stat struct {
	name    string
	parent  int
	dead    bool  // it has ended, and its parent was not told yet
	started int64 // in clock ticks since the boot
}

// id returns the ID of the process with a number.
func (s stat) id(pid int) ID {
	here, err := place()
	if err != nil {
		return ""
	}
	return ID(fmt.Sprintf("%s %d %d", here, pid, s.started))
}

// place returns what the numbers of processes hold for: a start of the machine, and a container.
func place() (string, error) {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("find the start of the machine: %w", err)
	}
	container, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return "", fmt.Errorf("find the container: %w", err)
	}
	return strings.TrimSpace(string(boot)) + " " + container, nil
}

// read reads what the kernel says of a process (proc_pid_stat(5)). The error wraps os.ErrProcessDone if there is none.
func read(pid int) (stat, error) {
	if pid <= 0 {
		return stat{}, fmt.Errorf("process %d: must be positive", pid)
	}
	doc, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
		return stat{}, fmt.Errorf("process %d: %w", pid, os.ErrProcessDone)
	}
	if err != nil {
		return stat{}, fmt.Errorf("examine process %d: %w", pid, err)
	}
	text := string(doc)
	from, to := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')') // the name may contain both
	if from < 0 || to < from {
		return stat{}, fmt.Errorf("examine process %d: unknown format of /proc", pid)
	}
	// The fields after the name: the state is field 3 of all, the parent field 4, the start field 22.
	fields := strings.Fields(text[to+1:])
	if len(fields) < 20 {
		return stat{}, fmt.Errorf("examine process %d: unknown format of /proc", pid)
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return stat{}, fmt.Errorf("examine process %d: parent: %w", pid, err)
	}
	started, err := strconv.ParseInt(fields[19], 10, 64)
	if err != nil {
		return stat{}, fmt.Errorf("examine process %d: start time: %w", pid, err)
	}
	return stat{
		name: text[from+1 : to], parent: parent, dead: strings.Contains("ZXx", fields[0]), started: started,
	}, nil
}
