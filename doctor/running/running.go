// Package running records which processes of the program run on the machine, so that one that is
// older than the others, or whose parent has ended, can be found. A record is a file in a folder,
// beside a lock that its process holds; a process that was killed leaves both, and they are deleted
// when the records are listed.
package running

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// A Process is a process of the program.
type Process struct {
	// PID is its number, and Parent that of the process that started it.
	PID    int `json:"pid"`
	Parent int `json:"parent"`
	// Version is its version, and Program the path of its program, whose file was written at Built.
	Version string    `json:"version"`
	Program string    `json:"program"`
	Built   time.Time `json:"built"`
	// Face is what it serves: lsp or mcp.
	Face    string    `json:"face"`
	Started time.Time `json:"started"`
}

// This returns the process that calls it.
func This(version, face string, started time.Time) Process {
	p := Process{PID: os.Getpid(), Parent: os.Getppid(), Version: version, Face: face, Started: started}
	p.Program, _ = os.Executable() // "" is not known
	p.Built = writtenAt(p.Program)
	return p
}

// writtenAt returns when a file was written, the zero time if that is not known.
func writtenAt(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// Replaced reports whether another program lies now where the program of the process was.
func (p Process) Replaced() bool {
	now := writtenAt(p.Program)
	return !now.IsZero() && !now.Equal(p.Built)
}

const (
	recordSuffix = ".json"
	// maxRecord is how many bytes a record has at most.
	maxRecord = 64 << 10
)

func recordName(pid int) string { return strconv.Itoa(pid) + recordSuffix }
func lockName(pid int) string   { return strconv.Itoa(pid) + store.LockSuffix }

// Record records a process in a folder until end is called.
func Record(dir string, p Process) (end func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("record the process: %w", err)
	}
	lock := flock.New(filepath.Join(dir, lockName(p.PID)), flock.SetPermissions(0o600))
	if free, err := lock.TryLock(); err != nil || !free {
		return nil, errors.Join(fmt.Errorf("record the process %d: its lock is not free", p.PID), err)
	}
	doc, err := json.Marshal(p)
	if err == nil {
		err = files.WriteUnsynced(filepath.Join(dir, recordName(p.PID)), doc)
	}
	end = func() {
		_ = os.Remove(filepath.Join(dir, recordName(p.PID)))
		_ = lock.Close()
		_ = os.Remove(lock.Path())
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("record the process: %w", err)
	}
	return end, nil
}

// List returns the processes that are recorded in a folder and run, in the order of their starts. It
// deletes the records of the others.
func List(dir string) ([]Process, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the processes: %w", err)
	}
	var list []Process
	for _, entry := range entries {
		name, is := strings.CutSuffix(entry.Name(), recordSuffix)
		pid, err := strconv.Atoi(name)
		if !is || err != nil || recordName(pid) != entry.Name() {
			continue
		}
		if p, runs := look(dir, pid); runs {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b Process) int { return a.Started.Compare(b.Started) })
	return list, nil
}

// look returns a recorded process. If it has ended, its record is deleted.
func look(dir string, pid int) (p Process, runs bool) {
	lock := flock.New(filepath.Join(dir, lockName(pid)), flock.SetPermissions(0o600))
	free, err := lock.TryLock()
	if err != nil {
		return p, false
	}
	if free {
		_ = os.Remove(filepath.Join(dir, recordName(pid)))
		_ = lock.Close()
		_ = os.Remove(lock.Path())
		return p, false
	}
	doc, err := regular.Read(dir, recordName(pid), maxRecord)
	if err == nil {
		err = json.Unmarshal(doc, &p)
	}
	return p, err == nil && p.PID == pid
}
