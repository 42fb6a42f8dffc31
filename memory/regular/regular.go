// Package regular reads files that a repository or another program may have created. Such a
// file may be a named pipe, which never ends, a device, or a link to a file elsewhere. Only
// regular files are read, up to a size.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// An Error is the reason why a file is not read or written.
type Error struct{ Path, Reason string }

func (e *Error) Error() string { return e.Path + " " + e.Reason }

// Read returns the content of a file below a folder, with at most max bytes. name is
// relative to the folder. A link is followed if it stays below the folder. The error is
// an *Error if it is not a regular file or is too large.
func Read(dir, name string, max int64) ([]byte, error) {
	root, err := OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	return read(filepath.FromSlash(name), max, root.Stat, root.OpenFile)
}

// OpenRoot is os.OpenRoot for a folder that may be something else: opening a named pipe would wait for a writer. The
// error is then an *Error. Links may lead anywhere.
func OpenRoot(dir string) (*os.Root, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &Error{dir, "is " + kind(info.Mode()) + " and not a folder; move it away"}
	}
	return os.OpenRoot(dir)
}

// Follow is Read for a file that only the user writes: links may lead anywhere.
func Follow(path string, max int64) ([]byte, error) {
	return read(path, max, os.Stat, os.OpenFile)
}

// Tail returns the last bytes of a file, at most max. Links may lead anywhere. The error is an
// *Error if it is not a regular file.
func Tail(path string, max int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := check(path, info, info.Size()); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err != nil {
		return nil, err
	}
	if err := check(path, info, info.Size()); err != nil {
		return nil, err
	}
	return io.ReadAll(io.NewSectionReader(file, info.Size()-min(info.Size(), max), max))
}

// read checks the file before it opens it, because opening a device may have side effects,
// and again afterwards, because the file may have been replaced. It opens the file in
// nonblocking mode, because opening a named pipe would wait for a writer.
func read(
	name string, max int64,
	stat func(string) (fs.FileInfo, error),
	open func(string, int, fs.FileMode) (*os.File, error),
) ([]byte, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if err := check(name, info, max); err != nil {
		return nil, err
	}
	file, err := open(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info, err = file.Stat(); err != nil {
		return nil, err
	}
	if err := check(name, info, max); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(file, max+1))
	if err == nil && int64(len(content)) > max {
		err = tooLarge(name, max, int64(len(content)))
	}
	return content, err
}

func check(name string, info fs.FileInfo, max int64) error {
	switch {
	case !info.Mode().IsRegular():
		return &Error{name, "is " + kind(info.Mode()) + " and not a regular file; it is not read"}
	case info.Size() > max:
		return tooLarge(name, max, info.Size())
	}
	return nil
}

func tooLarge(name string, max, got int64) error {
	return &Error{name, fmt.Sprintf("must have at most %d bytes, got %d; it is not read", max, got)}
}

// Own returns an *Error if a file of the memory's own, which is read and written, is
// something else: a pipe, a device, a folder, or a link, which would be another file. It
// returns nil if there is no such file yet.
func Own(path string) error {
	_, err := own(path, fs.FileMode.IsRegular, "a regular file")
	return err
}

// Alone is Own, and also refuses a file that has another name: a hard link, which would
// be another file too.
func Alone(path string) error {
	info, err := own(path, fs.FileMode.IsRegular, "a regular file")
	if err == nil && info != nil && links(info) > 1 {
		return &Error{path, "is a hard link to a file that has another name too; move it away"}
	}
	return err
}

// Folder returns an *Error if a folder of the memory's own is something else, also a link to a
// folder. It returns nil if there is no such folder yet.
func Folder(path string) error {
	_, err := own(path, fs.FileMode.IsDir, "a folder")
	return err
}

// own returns what is at a path, nil if nothing is. If that is not what it must be, the error is
// an *Error.
func own(path string, is func(fs.FileMode) bool, must string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !is(info.Mode()):
		return nil, &Error{path, "is " + kind(info.Mode()) + " and not " + must + "; move it away"}
	}
	return info, nil
}

// Links returns how many names a file has, 1 where the system does not say.
func Links(info fs.FileInfo) int { return links(info) }

// ReadAlone returns the content of a file for which Alone returns nil.
func ReadAlone(path string, max int64) ([]byte, error) {
	if err := Alone(path); err != nil {
		return nil, err
	}
	return Read(filepath.Dir(path), filepath.Base(path), max)
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "a file"
	case mode&fs.ModeSymlink != 0:
		return "a link"
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
