//go:build !unix

package frame

import "os"

// hungUp returns false, because this system does not report it. The process of the client is
// watched instead.
func hungUp(*os.File) bool { return false }
