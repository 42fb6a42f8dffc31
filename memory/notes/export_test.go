package notes

import "time"

// Impatient returns a folder that waits for its lock for so long only.
func Impatient(sessionDir string, patience time.Duration) Folder {
	return Folder{dir: sessionDir, patience: patience}
}
