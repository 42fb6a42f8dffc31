package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteBeside replaces or creates the file at path, which is in a folder of a person and not in one of
// this program. write writes the content into a file beside it, which gets the mode and is renamed when
// it is on the disk. If that fails, the file at path stays as it was, and the error names it.
func WriteBeside(path string, mode fs.FileMode, write func(*os.File) error) error {
	to, err := os.CreateTemp(filepath.Dir(path), ".wm-lsp-*")
	if err != nil {
		return at(path, err)
	}
	if err = write(to); err == nil {
		err = errors.Join(to.Chmod(mode), to.Sync())
	}
	if err = errors.Join(err, to.Close()); err == nil {
		err = os.Rename(to.Name(), path)
	}
	if err != nil {
		return errors.Join(at(path, err), os.Remove(to.Name()))
	}
	return nil
}

// at returns an error about a file with the name of the file that it becomes.
func at(path string, err error) error {
	var file *fs.PathError
	if errors.As(err, &file) {
		file.Path = path
	}
	return err
}
