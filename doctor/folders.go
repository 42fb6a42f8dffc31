package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/dustin/go-humanize"

	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// own returns the folders of the program that there are.
func (m Machine) own() (dirs []string) {
	for _, dir := range []string{m.DataDir, m.StateDir} {
		if _, err := os.Stat(dir); dir != "" && err == nil && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// others are the permissions that only the user should have.
const others fs.FileMode = 0o077

// permissions looks at who may read and write the folders of the program.
func permissions(_ context.Context, m Machine) (all []Finding) {
	if m.DataDir == "" {
		return []Finding{failure("no home", "There is no home folder, so nothing is kept.",
			"Set HOME or XDG_DATA_HOME.")}
	}
	for _, dir := range m.own() {
		all = append(all, folder(dir)...)
	}
	return otherwise(all, "only you can read %s", m.DataDir)
}

func folder(dir string) (all []Finding) {
	var open, unreadable []string
	var foreign int
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil {
			info, err = entry.Info()
		}
		switch {
		case errors.Is(err, fs.ErrNotExist): // it was deleted meanwhile
		case err != nil:
			unreadable = append(unreadable, path)
		case info.Mode()&fs.ModeSymlink != 0:
		case isForeign(info):
			foreign++
		case runtime.GOOS != "windows" && info.Mode().Perm()&others != 0:
			open = append(open, path)
		}
		return nil
	})
	if err := files.Writable(dir); err != nil {
		all = append(all, failure("not writable", "Nothing can be written to "+dir+": "+err.Error()+".",
			"Check its permissions, and that the disk is not mounted to be read only."))
	}
	if foreign > 0 {
		all = append(all, failure("foreign", fmt.Sprintf("%s in %s that other users own.",
			count(foreign, "file or folder is", "files or folders are"), dir),
			"Make them yours with chown; a command was run as another user.").with("files", int64(foreign)))
	}
	if len(unreadable) > 0 {
		all = append(all, failure("unreadable", fmt.Sprintf("%s cannot be read, the first is %s.",
			count(len(unreadable), "file", "files"), unreadable[0]), "Check its permissions.").
			with("files", int64(len(unreadable))))
	}
	if len(open) > 0 {
		all = append(all, warning("open to others", fmt.Sprintf("Other users may have access to %s in %s.",
			count(len(open), "file or folder", "files or folders"), dir), "Take the permissions of others away.").
			with("files", int64(len(open))).
			fixedBy(func(context.Context) error { return closeToOthers(open) }))
	}
	return all
}

func closeToOthers(paths []string) (err error) {
	for _, path := range paths {
		info, failed := os.Lstat(path)
		if failed == nil && info.Mode()&fs.ModeSymlink == 0 {
			failed = os.Chmod(path, info.Mode().Perm()&^others)
		}
		if !errors.Is(failed, fs.ErrNotExist) {
			err = errors.Join(err, failed)
		}
	}
	return err
}

// little is how many bytes of a disk are so few that writing may soon fail.
const little = 200 << 20

// disk looks at the space for the memory.
func disk(_ context.Context, m Machine) []Finding {
	dirs := m.own()
	if len(dirs) == 0 {
		return nil
	}
	free, err := freeBytes(dirs[0])
	switch {
	case err != nil:
		return []Finding{note("not known", "How much space is free is not known: "+err.Error(), "")}
	case free < little:
		return []Finding{warning("little space",
			fmt.Sprintf("The disk of %s has %s left.", dirs[0], humanize.Bytes(free)),
			"Delete what is not needed. What cannot be written is refused and not lost.").with("bytes", int64(free))}
	}
	return []Finding{fine("%s free", humanize.Bytes(free)).with("bytes", int64(free))}
}
