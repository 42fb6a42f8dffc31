package files

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

func TestTheProcessThatHoldsTheLockOfAFileIsFound(t *testing.T) {
	lock := flock.New(filepath.Join(t.TempDir(), "lock"))
	require.NoError(t, lock.Lock())
	// The system's list of locks is read in parts: while other processes lock and unlock, one may be left out.
	assert.Eventually(t, func() bool { return Holder(lock.Path()) == store.Holder{PID: os.Getpid()} },
		5*time.Minute, time.Millisecond)
	require.NoError(t, lock.Close())
	assert.Zero(t, Holder(lock.Path()))
	assert.Zero(t, Holder(lock.Path()+" that is not there"))
}

func TestALockIsThatOfItsFile(t *testing.T) {
	const device, inode = 0x801, 1234
	for _, c := range []struct {
		name, locks string
		want        int
	}{
		{"the file on its device", "1: FLOCK  ADVISORY  WRITE 11 08:01:1234 0 EOF\n", 11},
		{"one that waits holds nothing", "1: -> FLOCK  ADVISORY  WRITE 12 08:01:1234 0 EOF\n", 0},
		{"a shared lock", "1: FLOCK  ADVISORY  READ 11 08:01:1234 0 EOF\n", 0},
		{"another kind of lock", "1: POSIX  ADVISORY  WRITE 11 08:01:1234 0 EOF\n", 0},
		{"another file", "1: FLOCK  ADVISORY  WRITE 11 08:01:12345 0 EOF\n", 0},
		{"a device that is called otherwise", "1: FLOCK  ADVISORY  WRITE 11 00:2a:1234 0 EOF\n", 11},
		{"two of that number", "1: FLOCK  ADVISORY  WRITE 11 00:2a:1234 0 EOF\n" +
			"2: FLOCK  ADVISORY  WRITE 13 00:2b:1234 0 EOF\n", 0},
		{"two of that number, one on its device", "1: FLOCK  ADVISORY  WRITE 11 00:2a:1234 0 EOF\n" +
			"2: FLOCK  ADVISORY  WRITE 13 08:01:1234 0 EOF\n", 13},
		{"a process of another namespace", "1: FLOCK  ADVISORY  WRITE 0 08:01:1234 0 EOF\n", 0},
		{"what is not a lock", "1: FLOCK\n\nx\n", 0},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, holderIn(c.locks, device, inode)) })
	}
}
