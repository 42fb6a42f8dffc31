//go:build !unix

package install

import (
	"io/fs"
	"os"
)

// keepOwner does nothing: files have no owner here that a rename would change.
func keepOwner(*os.Root, fs.FileInfo, fs.FileInfo) error { return nil }
