package running

import "os"

// Orphan reports whether the process that started it has ended.
func (p Process) Orphan() bool {
	parent, err := os.FindProcess(p.Parent)
	if err == nil {
		_ = parent.Release()
	}
	return err != nil
}

// End ends the process. What it has acknowledged is written.
func (p Process) End() error {
	found, err := os.FindProcess(p.PID)
	if err != nil {
		return err
	}
	return found.Kill()
}
