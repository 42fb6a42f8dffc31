package process

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

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

// A stat is what the kernel says of a process.
type stat struct {
	name    string
	parent  int
	dead    bool   // it has ended, and its parent was not told yet
	started string // in ticks since the machine runs
}

// id returns the ID of the process with a number.
func (s stat) id(pid int) ID {
	here, err := place()
	if err != nil {
		return ""
	}
	return ID(fmt.Sprintf("%s %d %s", here, pid, s.started))
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

// read reads what the kernel says of a process (proc_pid_stat(5)).
func read(pid int) (stat, error) {
	doc, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, fmt.Errorf("find a process: %w", err)
	}
	text := string(doc)
	from, to := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')') // the name may contain both
	if from < 0 || to < from {
		return stat{}, fmt.Errorf("find a process: %q has no name", text)
	}
	// The fields after the name: its state is the third of all, its parent the fourth, its start the 22nd.
	fields := strings.Fields(text[to+1:])
	if len(fields) < 20 {
		return stat{}, fmt.Errorf("find a process: %q has too few fields", text)
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return stat{}, fmt.Errorf("find a process: %w", err)
	}
	return stat{
		name: text[from+1 : to], parent: parent, dead: strings.Contains("ZX", fields[0]), started: fields[19],
	}, nil
}
