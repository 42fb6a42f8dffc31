package files

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Holder returns the process that holds the exclusive lock of a file. It is not known if there
// is none, or if the system does not tell, which also happens when the list of locks changes
// while it is read.
func Holder(path string) (holder store.Holder) {
	var file syscall.Stat_t
	if syscall.Stat(path, &file) != nil {
		return holder
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return holder
	}
	holder.PID = holderIn(string(locks), uint64(file.Dev), file.Ino)
	holder.Stopped = holder.PID != 0 && isStopped(holder.PID)
	return holder
}

// holderIn returns the process that holds the exclusive lock of a file, in a string such as
// /proc/locks. On some file systems the text names another device than stat, so a file with
// the same number on another device is taken if there is only one.
func holderIn(locks string, device, inode uint64) (pid int) {
	at := fmt.Sprintf("%02x:%02x", unix.Major(device), unix.Minor(device))
	var others []int
	for line := range strings.Lines(locks) {
		// 1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF; a waiting one has -> after the number
		fields := strings.Fields(line)
		if len(fields) < 6 || fields[1] != "FLOCK" || fields[3] != "WRITE" {
			continue
		}
		holder, err := strconv.Atoi(fields[4])
		where, found := strings.CutSuffix(fields[5], fmt.Sprintf(":%d", inode))
		switch {
		case err != nil || !found || holder <= 0:
		case where == at:
			return holder
		default:
			others = append(others, holder)
		}
	}
	if len(others) == 1 {
		return others[0]
	}
	return 0
}

// isStopped reports whether a process is stopped by a signal or a debugger.
func isStopped(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, state, _ := bytes.Cut(stat[bytes.LastIndexByte(stat, ')')+1:], []byte{' '})
	return len(state) > 0 && (state[0] == 'T' || state[0] == 't')
}
