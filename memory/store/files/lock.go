package files

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// lockRetry is the interval between two attempts to take a lock that another process holds.
const lockRetry = 2 * time.Millisecond

// Lock locks the file at path. It creates the file and its folder if they are missing. It waits
// for the lock until ctx is done. If the file is moved away meanwhile, Lock locks the new file
// at path.
func Lock(ctx context.Context, path string) (*flock.Flock, error) {
	return lock(path, func(l *flock.Flock) (bool, error) { return l.TryLockContext(ctx, lockRetry) })
}

// RLock is Lock for a shared lock.
func RLock(ctx context.Context, path string) (*flock.Flock, error) {
	return lock(path, func(l *flock.Flock) (bool, error) { return l.TryRLockContext(ctx, lockRetry) })
}

func lock(path string, try func(*flock.Flock) (bool, error)) (*flock.Flock, error) {
	for {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, fmt.Errorf("make the folder of the lock %s: %w", filepath.Base(path), err)
		}
		if err := regular.Alone(path); err != nil {
			return nil, err
		}
		l := flock.New(path, flock.SetPermissions(0o600))
		_, err := try(l)
		if err == nil && IsAt(l, path) {
			return l, nil
		}
		_ = l.Close()
		if errors.Is(err, context.DeadlineExceeded) {
			return nil, &HeldError{filepath.Base(path), Holder(path), err}
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("take the lock %s: %w", filepath.Base(path), err)
		}
	}
}

// A HeldError reports that another process holds a lock for too long.
type HeldError struct {
	Name   string // of the lock
	Holder store.Holder
	cause  error
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("%s holds the lock %s, %s: try again; %s", e.Holder, e.Name, e.Holder.State(), e.Holder.Fix())
}

func (e *HeldError) Unwrap() error { return e.cause }

// IsAt reports whether the locked file is the one at path.
func IsAt(l *flock.Flock, path string) bool {
	locked, err := l.Stat()
	if err != nil {
		return false
	}
	there, err := os.Lstat(path)
	return err == nil && os.SameFile(locked, there)
}
