package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// maxSettings is how many bytes a settings file has at most.
const maxSettings = 16 << 20

// A file is a settings file as it was read.
type file struct {
	// path is what the agent opens, target the file itself: links are followed.
	path, target string
	exists       bool
	content      []byte
	info         fs.FileInfo // nil if there is no file
}

// read reads a settings file. There need not be one.
func read(path string) (file, error) {
	f := file{path: path, target: path}
	target, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(path); err == nil {
			return f, fmt.Errorf("%s is a link to a file that does not exist; create that file or remove the link",
				path)
		}
		// the folder may be a link
		f.target = filepath.Join(resolved(filepath.Dir(path)), filepath.Base(path))
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("%s cannot be opened: %w", path, err)
	}
	f.target = target
	f.content, err = regular.Follow(target, maxSettings)
	if err == nil {
		f.info, err = os.Stat(target)
	}
	if err != nil {
		return f, fmt.Errorf("%s is not read: %w", path, err)
	}
	if !utf8.Valid(f.content) {
		return f, fmt.Errorf("%s is not UTF-8; save it as UTF-8, then run the command again", path)
	}
	f.exists = true
	return f, nil
}

// resolved returns a folder with its links followed, as far as it exists.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	if parent := filepath.Dir(dir); parent != dir {
		return filepath.Join(resolved(parent), filepath.Base(dir))
	}
	return dir
}

// writable returns an error if the file must not be written.
func (f file) writable() error {
	if !f.exists {
		return nil
	}
	if f.info.Mode().Perm()&0o200 == 0 {
		return fmt.Errorf("%s is read-only; make it writable (chmod u+w), or change it where it comes from", f.target)
	}
	if err := regular.Alone(f.target); err != nil {
		return err
	}
	return nil
}

// changed returns an error if the file is no longer as it was read.
func (f file) changed() error {
	now, err := read(f.path)
	if err != nil {
		return err
	}
	if now.exists != f.exists || now.target != f.target || string(now.content) != string(f.content) {
		return fmt.Errorf("%s was changed meanwhile and is not written; run the command again", f.path)
	}
	return nil
}

// write replaces the file if it is still as it was read, or creates it with a mode, in folders that
// it makes. Mode and owner of a file that exists stay.
func (f file) write(content []byte, mode fs.FileMode) error {
	dir := filepath.Dir(f.target)
	if f.exists {
		return f.replace(content, f.info.Mode().Perm())
	}
	folders := missing(dir)
	err := os.MkdirAll(dir, mode|mode&0o444>>2)
	if err != nil {
		err = fmt.Errorf("%s is not written: %w", f.path, err)
	} else {
		err = f.replace(content, mode)
	}
	if err != nil {
		removeFolders(folders)
	}
	return err
}

func (f file) replace(content []byte, mode fs.FileMode) (err error) {
	var different error // says what happened itself
	defer func() {
		if err != nil && different == nil {
			err = fmt.Errorf("%s is not written: %w", f.path, err)
		}
	}()
	root, err := regular.OpenRoot(filepath.Dir(f.target))
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	pending, err := files.New(root, content)
	if err != nil {
		return err
	}
	info, err := pending.Info()
	if err == nil {
		err = root.Chmod(info.Name(), mode)
	}
	if err == nil && f.exists {
		err = keepOwner(root, info, f.info)
	}
	if err == nil { // as late as possible, because the agent may write it, too
		different = f.changed()
		err = different
	}
	if err != nil {
		pending.Discard()
		return err
	}
	return pending.Replace(filepath.Base(f.target))
}

// missing returns a folder and those above it that do not exist, outermost first.
func missing(dir string) (folders []string) {
	for ; !exists(dir) && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		folders = append(folders, dir)
	}
	slices.Reverse(folders)
	return folders
}

// removeFolders removes the folders that are empty, the last one first.
func removeFolders(folders []string) {
	for _, folder := range slices.Backward(folders) {
		if !removeFolder(folder) && exists(folder) {
			return
		}
	}
}

// removeFolder removes a folder if it is empty, and reports whether it did. Somebody may have put a
// file or a link in its place.
func removeFolder(folder string) bool {
	info, err := os.Lstat(folder)
	return err == nil && info.IsDir() && os.Remove(folder) == nil
}
