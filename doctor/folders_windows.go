package doctor

import (
	"io/fs"

	"golang.org/x/sys/windows"
)

// isForeign is false: the rights of a file are those of its folder, which the user's profile sets.
func isForeign(fs.FileInfo) bool { return false }

// freeBytes returns how many bytes the user can still write to the disk of a folder.
func freeBytes(dir string) (free uint64, err error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	return free, err
}
