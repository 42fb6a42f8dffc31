//go:build !linux

package files

// Holder returns 0: the system does not tell which process holds the lock of a file.
func Holder(string) (pid int, stopped bool) { return 0, false }
