// Package files replaces files atomically. The new content is written to a temporary file in
// the folder of the file, which is then renamed. The temporary file is locked while it is
// written, so that temporary files of killed processes can be recognized and deleted.
package files

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// The prefix and suffix of the names of temporary files.
const (
	tempPrefix = ".writing-"
	tempSuffix = ".tmp"
)

// IsTemporary reports whether a file with this name is a temporary one of this package.
func IsTemporary(name string) bool {
	return strings.HasPrefix(name, tempPrefix) && strings.HasSuffix(name, tempSuffix)
}

// A Pending is a temporary file that was written. The caller must call Replace, Create or
// Discard.
type Pending struct {
	root *os.Root
	temp string
	lock *flock.Flock
}

// Write replaces or creates the file at path, with the mode 0600. The content is on the disk
// when Write returns.
func Write(path string, content []byte) error { return write(path, content, New) }

// WriteUnsynced is Write without the sync. After a power cut, the file may be empty.
func WriteUnsynced(path string, content []byte) error {
	return write(path, content, NewUnsynced)
}

func write(path string, content []byte, newPending func(*os.Root, []byte) (*Pending, error)) error {
	root, err := regular.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	pending, err := newPending(root, content)
	if err != nil {
		return err
	}
	return pending.Replace(filepath.Base(path))
}

// New writes content to a temporary file in root and syncs it to the disk.
func New(root *os.Root, content []byte) (*Pending, error) {
	return newPending(root, content, (*os.File).Sync)
}

// NewUnsynced is New without the sync. After a power cut, the file may be empty.
func NewUnsynced(root *os.Root, content []byte) (*Pending, error) {
	return newPending(root, content, func(*os.File) error { return nil })
}

// Writable returns an error if no file can be made in a folder.
func Writable(dir string) error {
	path := filepath.Join(dir, TempName())
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return errors.Unwrap(err)
	}
	return errors.Join(file.Close(), RemoveTemp(path))
}

// TempName returns a new name of a temporary file.
func TempName() string { return tempPrefix + strings.ToLower(rand.Text()) + tempSuffix }

// RemoveTemp deletes a temporary file that is not locked. It may be gone: ClearLeft takes it for that of a killed
// process.
func RemoveTemp(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Unwrap(err)
	}
	return nil
}

func newPending(root *os.Root, content []byte, sync func(*os.File) error) (*Pending, error) {
	p, file, err := create(root)
	if err != nil {
		return nil, err
	}
	_, err = file.Write(content)
	if err = errors.Join(err, sync(file), file.Close()); err != nil {
		p.Discard()
		return nil, err
	}
	return p, nil
}

// create creates a temporary file and locks it.
func create(root *os.Root) (*Pending, *os.File, error) {
	for {
		temp := TempName()
		file, err := root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, err
		}
		lock := flock.New(filepath.Join(root.Name(), temp), flock.SetFlag(os.O_RDWR))
		if locked, err := lock.TryLock(); locked && err == nil && IsAt(lock, lock.Path()) {
			return &Pending{root, temp, lock}, file, nil
		}
		// Before it was locked, another process took it for a file of a killed process.
		_, _ = file.Close(), lock.Close()
		if err := root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
}

// Path returns the path of the file before it is renamed.
func (p *Pending) Path() string { return filepath.Join(p.root.Name(), p.temp) }

// Info returns the information about the file. Renaming does not change it.
func (p *Pending) Info() (fs.FileInfo, error) { return p.root.Stat(p.temp) }

// Replace renames the file. A file with that name is replaced.
func (p *Pending) Replace(name string) error {
	if runtime.GOOS == "windows" { // an open file cannot be renamed
		_ = p.lock.Close()
	}
	err := p.root.Rename(p.temp, name)
	if err != nil {
		_ = p.root.Remove(p.temp)
	}
	_ = p.lock.Close()
	return err
}

// Create renames the file if no file has that name. Otherwise the error is fs.ErrExist. On a
// file system without hard links it replaces the other file.
func (p *Pending) Create(name string) error {
	switch err := p.root.Link(p.temp, name); {
	case err == nil:
		p.Discard()
		return nil
	case errors.Is(err, fs.ErrExist):
		p.Discard()
		return err
	}
	return p.Replace(name)
}

// Discard deletes the file.
func (p *Pending) Discard() {
	if runtime.GOOS == "windows" {
		_ = p.lock.Close()
	}
	_ = p.root.Remove(p.temp)
	_ = p.lock.Close()
}

// ClearLeft deletes the temporary files of killed processes in dir, and in all folders below
// it if below is true. It continues after an error.
func ClearLeft(dir string, below bool) error {
	var errs []error
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			errs = append(errs, err)
		case entry.IsDir() && path != dir && !below:
			return fs.SkipDir
		case entry.Type().IsRegular() && IsTemporary(entry.Name()):
			errs = append(errs, clearLeft(path))
		}
		return nil
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return fmt.Errorf("delete the temporary files of killed processes: %w", err)
	}
	return nil
}

func clearLeft(path string) error {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	defer func() { _ = lock.Close() }()
	free, err := lock.TryLock()
	if !free || err != nil { // it is being written, or was renamed
		return nil
	}
	if runtime.GOOS == "windows" {
		_ = lock.Close()
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveHolding deletes a file if it contains one of the strings, or if there are no strings. It
// reports whether it did. It only reads regular files.
func RemoveHolding(path string, texts []string) (removed bool, err error) {
	info, err := os.Lstat(path)
	var holds bool
	switch {
	case err != nil:
	case len(texts) == 0:
		holds = true
	case info.Mode().IsRegular():
		holds, err = contains(path, texts)
	}
	if err == nil && holds {
		err = os.Remove(path)
	}
	if errors.Is(err, fs.ErrNotExist) { // another process deleted it
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("erase from %s: %w", filepath.Base(path), err)
	}
	return holds, nil
}

func contains(path string, texts []string) (bool, error) {
	content, err := os.ReadFile(path)
	return slices.ContainsFunc(texts, func(text string) bool { return bytes.Contains(content, []byte(text)) }), err
}
