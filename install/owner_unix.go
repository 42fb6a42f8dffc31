//go:build unix

package install

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// keepOwner gives a new file the owner and the group of the one that it replaces.
func keepOwner(root *os.Root, created, replaced fs.FileInfo) error {
	is, ok := created.Sys().(*syscall.Stat_t)
	was, ok2 := replaced.Sys().(*syscall.Stat_t)
	if !ok || !ok2 || is.Uid == was.Uid && is.Gid == was.Gid {
		return nil
	}
	if err := root.Chown(created.Name(), int(was.Uid), int(was.Gid)); err != nil {
		return fmt.Errorf("it belongs to another user (%w); run the command as that user", err)
	}
	return nil
}
