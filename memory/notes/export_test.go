package notes

import "time"

// InWithTimeout returns a folder that waits for its lock no longer than a timeout.
func InWithTimeout(sessionDir string, timeout time.Duration) Folder {
	return Folder{dir: sessionDir, timeout: timeout}
}
