// Package scope determines the workspace of a folder and which of its files are
// tracked.
package scope

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/regular"
)

// ErrNoWorkspace means that a folder has no memory.
var ErrNoWorkspace error = fault.Refuse(fault.NoWorkspace, fault.Data{}, "this folder has no memory")

// A Place is a folder with memory.
type Place struct {
	// Folder is the folder as it was given. Worktree is the real folder to which the
	// paths of files are relative: the top of the git worktree, or the folder.
	Folder, Worktree string
	// Root is the folder that identifies the memory: the main worktree of the
	// repository, or the folder. Key is the first 16 hex digits of its sha256.
	Root, Key string
	// ResolvedBy is how the root was found: "git", "folder" or "setting".
	ResolvedBy string
}

// Locate returns the place of a folder. The mode is the setting root: "git" or
// "folder". The error is ErrNoWorkspace if the folder does not exist, cannot be read,
// or is the home folder, the root of the file system or a folder of the system without a repository.
func Locate(folder, mode string) (Place, error) {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return Place{}, fmt.Errorf("%w: %s cannot be opened (%w); open a folder that exists", ErrNoWorkspace, folder,
			reason(err))
	}
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		return Place{}, fmt.Errorf("%w: %s is a file, %w; open the folder that it is in", ErrNoWorkspace, folder,
			syscall.ENOTDIR)
	}
	if _, err := os.ReadDir(real); err != nil {
		return Place{}, fmt.Errorf("%w: %s cannot be read (%w); check its permissions", ErrNoWorkspace, folder,
			reason(err))
	}
	if tooWide(real) {
		return Place{}, fmt.Errorf("%w: %s is your home folder or the whole disk; open the folder of a project",
			ErrNoWorkspace, folder)
	}
	place := Place{Folder: filepath.Clean(folder), Worktree: real, Root: real, ResolvedBy: "folder"}
	if mode == "folder" {
		place.ResolvedBy = "setting"
	} else if worktree, main, found := repository(real); found && !tooWide(worktree) && !tooWide(main) {
		place.Worktree, place.Root, place.ResolvedBy = worktree, main, "git"
	}
	if place.ResolvedBy == "folder" && ofSystem(real) {
		return Place{}, fmt.Errorf("%w: %s belongs to the system; open the folder of a project", ErrNoWorkspace, folder)
	}
	place.Key = KeyOf(place.Root)
	return place, nil
}

// KeyOf returns the key of a workspace: the first 16 hex digits of the sha256 of its root.
func KeyOf(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:8])
}

// reason returns the cause without the operation and the path, which are in the
// message already.
func reason(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// ofSystem reports whether a folder is one of the operating system, such as /etc. Folders below it may be projects.
func ofSystem(folder string) bool {
	above := filepath.Dir(folder)
	if filepath.Dir(above) != above {
		return false
	}
	switch strings.ToLower(filepath.Base(folder)) {
	case "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "lost+found", "media", "mnt", "opt", "proc",
		"run", "sbin", "snap", "sys", "tmp", "usr", "var",
		"applications", "library", "private", "system", "users", "volumes",
		"program files", "program files (x86)", "programdata", "windows":
		return true
	}
	return false
}

func tooWide(folder string) bool {
	if filepath.Dir(folder) == folder {
		return true
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return false
	}
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return folder == home
}

// repository returns the git worktree that contains the folder and the main worktree
// of the repository. It only reads the files of git.
func repository(folder string) (worktree, main string, found bool) {
	for dir := folder; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case err == nil && info.IsDir():
			if _, err := os.Stat(filepath.Join(dir, ".git", "HEAD")); err == nil {
				return dir, dir, true
			}
		case err == nil && info.Mode().IsRegular():
			if main, ok := mainWorktree(dir); ok {
				return dir, main, true
			}
		}
		if filepath.Dir(dir) == dir {
			return "", "", false
		}
	}
}

// mainWorktree follows the .git file of a linked worktree ("gitdir: …") and the
// commondir file of the folder it names. A submodule has no commondir, so it is a
// repository of its own. So is a folder that the repository does not list as one of its
// worktrees, because a .git file can name any repository.
func mainWorktree(worktree string) (string, bool) {
	gitDir, ok := firstLine(filepath.Join(worktree, ".git"))
	if !ok {
		return "", false
	}
	gitDir, ok = strings.CutPrefix(gitDir, "gitdir: ")
	if !ok {
		return "", false
	}
	gitDir = under(worktree, gitDir)
	if _, err := os.Stat(filepath.Join(gitDir, "HEAD")); err != nil {
		return "", false
	}
	common, ok := firstLine(filepath.Join(gitDir, "commondir"))
	if !ok {
		return worktree, true
	}
	common, err := filepath.EvalSymlinks(under(gitDir, common))
	if err != nil || !listed(worktree, gitDir, common) {
		return worktree, true
	}
	if filepath.Base(common) == ".git" {
		return filepath.Dir(common), true
	}
	return common, true // a bare repository
}

// listed reports whether the list of worktrees of a repository, whose git folder is common,
// holds gitDir, and whether that entry names the worktree.
func listed(worktree, gitDir, common string) bool {
	if real, err := filepath.EvalSymlinks(gitDir); err != nil ||
		filepath.Dir(real) != filepath.Join(common, "worktrees") {
		return false
	}
	pointer, ok := firstLine(filepath.Join(gitDir, "gitdir"))
	if !ok {
		return false
	}
	there, err := os.Lstat(under(gitDir, pointer))
	if err != nil {
		return false
	}
	here, err := os.Lstat(filepath.Join(worktree, ".git"))
	return err == nil && os.SameFile(here, there)
}

func under(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// maxPointerBytes bounds the files with which git points to folders.
const maxPointerBytes = 64 << 10

// firstLine reads the first line of a file, as git's pointer files have only one.
func firstLine(path string) (string, bool) {
	content, err := regular.Read(filepath.Dir(path), filepath.Base(path), maxPointerBytes)
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(string(content), "\n")
	return strings.TrimRight(line, "\r"), true
}

// maxIndexBytes bounds the index of git that is read.
const maxIndexBytes = 64 << 20

// Indexed reports whether the index of git holds a file of a worktree, relative to it. Of an index
// of version 4, which shortens names, it is not known.
func Indexed(worktree, file string) bool {
	_, indexed := blobOf(worktree, file)
	return indexed
}

// Pristine reports whether a file of a worktree is as the index of git holds it, byte for byte.
func Pristine(worktree, file string) bool {
	blob, indexed := blobOf(worktree, file)
	if !indexed || len(blob) == 0 {
		return false
	}
	content, err := regular.Read(worktree, filepath.FromSlash(file), maxComparedBytes)
	if err != nil {
		return false
	}
	sum := sha1.New() // git names contents by it
	fmt.Fprintf(sum, "blob %d\x00", len(content))
	sum.Write(content)
	return bytes.Equal(sum.Sum(nil), blob)
}

// maxComparedBytes bounds the files that are compared with the index.
const maxComparedBytes = 4 << 20

// blobOf returns the SHA-1 of the content of a file that the index of git holds; it is empty if the
// index names contents in another way.
func blobOf(worktree, file string) (blob []byte, indexed bool) {
	dir := filepath.Join(worktree, ".git")
	if pointed, ok := firstLine(dir); ok {
		dir = under(worktree, strings.TrimPrefix(pointed, "gitdir: "))
	}
	index, err := regular.Read(dir, "index", maxIndexBytes)
	if err != nil {
		return nil, false
	}
	// The low twelve bits before a name are its length.
	length := min(len(file), 0xfff)
	name := append([]byte(file), 0)
	for at := 0; ; at++ {
		found := bytes.Index(index[at:], name)
		if found < 0 {
			return nil, false
		}
		at += found
		if at >= 2 && (int(index[at-2])<<8|int(index[at-1]))&0xfff == length {
			return index[max(0, at-2-sha1.Size) : at-2], true
		}
	}
}
