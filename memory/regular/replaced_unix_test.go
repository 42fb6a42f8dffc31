//go:build unix

package regular

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// The file may be replaced between stat and open.
func TestAFIFOThatTakesTheFilesPlaceIsRefusedWithoutWaiting(t *testing.T) {
	dir := t.TempDir()
	fifo, file := filepath.Join(dir, "fifo"), filepath.Join(dir, "file")
	require.NoError(t, syscall.Mkfifo(fifo, 0o600))
	require.NoError(t, os.WriteFile(file, nil, 0o600))

	_, err := read(fifo, 100, func(string) (os.FileInfo, error) { return os.Stat(file) }, os.OpenFile)
	require.ErrorContains(t, err, "not a regular file")
}
