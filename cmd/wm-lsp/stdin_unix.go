//go:build unix

package main

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// polled returns the input of a server as a file whose reader waits in the poller of the
// runtime. In a read that blocks it would keep the processor of the process for a while, although
// other goroutines could run. Whether reads block belongs to what is open, not to the file
// descriptor, so in is returned as it is unless it is a pipe or socket that is not an output too.
func polled(in io.Reader, outputs ...io.Writer) io.Reader {
	file, is := in.(*os.File)
	if !is {
		return in
	}
	info, err := file.Stat()
	if err != nil || info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket) == 0 {
		return in
	}
	for _, output := range outputs {
		if out, is := output.(*os.File); is {
			if other, err := out.Stat(); err != nil || os.SameFile(info, other) {
				return in
			}
		}
	}
	fd := file.Fd()
	if err := syscall.SetNonblock(int(fd), true); err != nil {
		return in
	}
	return os.NewFile(fd, file.Name()) // it looks whether reads block
}
