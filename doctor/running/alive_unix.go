//go:build unix

package running

import (
	"errors"
	"os"
	"syscall"
)

// Orphan reports whether the process that started it has ended.
func (p Process) Orphan() bool {
	return p.Parent <= 1 || errors.Is(syscall.Kill(p.Parent, 0), syscall.ESRCH)
}

// End asks the process to write what it holds and to end.
func (p Process) End() error {
	found, err := os.FindProcess(p.PID)
	if err != nil {
		return err
	}
	return found.Signal(syscall.SIGTERM)
}
