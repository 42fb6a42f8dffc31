//go:build !unix

package frame

import "os"

// HungUp returns false, because this system does not report it. The process of the client is
// watched instead.
func HungUp(*os.File) bool { return false }
