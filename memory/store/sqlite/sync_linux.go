package sqlite

import (
	"os"
	"syscall"
)

// syncData waits until what was written to a file is on the disk, with the size of the file
// but without its times.
func syncData(file *os.File) error {
	conn, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var syncErr error
	err = conn.Control(func(fd uintptr) {
		for {
			if syncErr = syscall.Fdatasync(int(fd)); syncErr != syscall.EINTR {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	return os.NewSyscallError("fdatasync", syncErr)
}
