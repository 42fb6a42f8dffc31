//go:build !linux

package sqlite

import "os"

// syncData waits until what was written to a file is on the disk.
func syncData(file *os.File) error { return file.Sync() }
