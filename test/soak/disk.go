//go:build linux

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A disk is where the servers keep their memory.
type disk interface {
	// fill makes writes fail, empty ends that.
	fill(w *world) error
	empty(w *world) error
	close()
}

// diskBytes is the size of the mounted disk.
const diskBytes = 256 << 20

// A mountedDisk is a file system in memory, which a ballast fills.
type mountedDisk struct{ dir string }

// mountDisk mounts a disk at a folder.
func mountDisk(dir string) (disk, error) {
	err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("size=%d,mode=700", diskBytes))
	if err != nil {
		return nil, fmt.Errorf("mount a disk at %s: %w", dir, err)
	}
	return mountedDisk{dir}, nil
}

func (d mountedDisk) ballast() string { return filepath.Join(d.dir, "ballast") }

func (d mountedDisk) fill(*world) error {
	file, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	for chunk := make([]byte, 1<<20); ; {
		_, err := file.Write(chunk)
		switch {
		case errors.Is(err, unix.ENOSPC) && len(chunk) > 1<<12:
			chunk = chunk[:1<<12]
		case errors.Is(err, unix.ENOSPC):
			return nil
		case err != nil:
			return err
		}
	}
}

func (d mountedDisk) empty(*world) error { return os.Remove(d.ballast()) }

func (d mountedDisk) close() { _ = unix.Unmount(d.dir, unix.MNT_DETACH) } // else it is gone with the namespace

// A limitedDisk limits the size of the files of the servers that run.
type limitedDisk struct{}

// limitBytes is the size up to which files can be written while the disk is full.
const limitBytes = 4 << 10

func (limitedDisk) fill(w *world) error { return w.limitFiles(limitBytes) }

func (limitedDisk) empty(w *world) error { return w.limitFiles(unix.RLIM_INFINITY) }

func (limitedDisk) close() {}

// limitFiles limits the size of the files that the servers write.
func (w *world) limitFiles(size uint64) error {
	for _, s := range w.slots {
		pid := s.pid()
		if pid == 0 {
			continue
		}
		limit := unix.Rlimit{Cur: size, Max: unix.RLIM_INFINITY}
		err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // it was just killed
			return err
		}
	}
	return nil
}

// fullness records when the disk was full. It is safe for concurrent use.
type fullness struct {
	mu    sync.Mutex
	count int
	until time.Time // zero while it is full
	now   bool
}

func (f *fullness) begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.count++
	f.now = true
}

func (f *fullness) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now, f.until = false, time.Now()
}

// since reports whether the disk was full at any time from a given time on.
func (f *fullness) since(at time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now || f.until.After(at)
}

func (f *fullness) times() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.count
}
