//go:build unix

package frame

import (
	"os"

	"golang.org/x/sys/unix"
)

// HungUp reports whether the other end of a pipe or socket is closed for writing, even if
// there is unread data, or whether a terminal is closed.
func HungUp(in *os.File) (gone bool) {
	raw, err := in.SyscallConn()
	if err != nil {
		return true // closed
	}
	err = raw.Control(func(fd uintptr) {
		ends := []unix.PollFd{{Fd: int32(fd)}}
		n, err := unix.Poll(ends, 0)
		gone = err == nil && n > 0 && ends[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0
	})
	return gone || err != nil
}
