//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// kept holds the files before they are polled, because their finalizers would close descriptors
// that are used again.
var kept []*os.File

func TestReadingFromAPipeOrSocketIsPolled(t *testing.T) {
	for name, open := range map[string]func(ends *[2]int) error{
		"pipe": func(ends *[2]int) error { return syscall.Pipe(ends[:]) },
		"socket": func(ends *[2]int) (err error) {
			*ends, err = syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			var ends [2]int
			require.NoError(t, open(&ends))
			in, client := os.NewFile(uintptr(ends[0]), "in"), os.NewFile(uintptr(ends[1]), "client")
			kept = append(kept, in)
			defer client.Close()
			require.ErrorIs(t, in.SetReadDeadline(time.Now()), os.ErrNoDeadline, "it blocks before")
			read := polled(in, os.Stdout).(*os.File)
			defer read.Close()
			require.NoError(t, read.SetReadDeadline(time.Now()))
			_, err := read.Read(make([]byte, 1))
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.NoError(t, read.SetReadDeadline(time.Time{}))
			_, err = client.WriteString("x")
			require.NoError(t, err)
			n, err := read.Read(make([]byte, 2))
			require.NoError(t, err)
			assert.Equal(t, 1, n)
		})
	}
}

func TestAFileOrASocketThatIsAnOutputTooStaysAsItIs(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "in"))
	require.NoError(t, err)
	defer file.Close()
	assert.Same(t, file, polled(file))
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	require.NoError(t, err)
	both, client := os.NewFile(uintptr(ends[0]), "both"), os.NewFile(uintptr(ends[1]), "client")
	defer both.Close()
	defer client.Close()
	assert.Same(t, both, polled(both, both))
}
