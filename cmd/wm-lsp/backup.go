package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/lsp"
	"github.com/wm-lsp/wm-lsp/server/service"
)

var backupUsage = map[string]string{
	"backup": "wm-lsp backup FILE writes the memory of the workspace in this folder to a file of JSON Lines.\n" +
		"FILE may be -, which is standard output. docs/backup.md describes it.\n",
	"restore": "wm-lsp restore FILE reads the memory of the workspace in this folder from a backup. A memory\n" +
		"that is not empty is only replaced with --replace. docs/backup.md describes it.\n",
}

// runBackup runs the commands backup and restore.
func runBackup(command string, args []string, out, errOut io.Writer) int {
	flags := flag.NewFlagSet("wm-lsp "+command, flag.ContinueOnError)
	flags.SetOutput(errOut)
	flags.Usage = func() {
		fmt.Fprintln(errOut, backupUsage[command])
		flags.PrintDefaults()
	}
	folder, replace := backupFlags(command, flags)
	names, err := parseMixed(flags, args)
	if errors.Is(err, flag.ErrHelp) {
		return lsp.ExitOK
	}
	if err == nil && (len(names) != 1 || command == "restore" && names[0] == "-") {
		err = errors.New("it takes the name of one file")
		fmt.Fprintf(errOut, "wm-lsp %s: %v; see wm-lsp %s --help\n", command, err, command)
	}
	if err != nil {
		return exitUsage
	}
	if command == "backup" {
		err = writeBackup(*folder, names[0], out, errOut)
	} else {
		err = restoreBackup(*folder, names[0], *replace, out, errOut)
	}
	if err != nil {
		fmt.Fprintf(errOut, "wm-lsp %s: %v\n", command, err)
		return exitFailed
	}
	return lsp.ExitOK
}

// backupFlags adds the flags of one of these commands.
func backupFlags(command string, flags *flag.FlagSet) (folder *string, replace *bool) {
	folder, replace = flags.String("C", ".", "the `folder` of the workspace"), new(bool)
	if command == "restore" {
		flags.BoolVar(replace, "replace", false, "replace a memory that is not empty, after a backup of it beside FILE")
	}
	return folder, replace
}

// memoryOf returns the memory of the workspace in a folder.
func memoryOf(folder string) (m backup.Memory, err error) {
	data := service.DataDir()
	if data == "" {
		return m, errors.New("there is no home folder, so nothing is kept; set HOME or XDG_DATA_HOME")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return m, err
	}
	place, err := scope.Locate(folder, "git")
	if err != nil {
		return m, err
	}
	dir := store.WorkspaceDir(data, place.Key)
	return backup.Memory{
		Dir: dir, Version: version, Log: slog.New(slog.DiscardHandler),
		Derived: []string{(*index.Room)(nil).Name()},
	}, nil
}

func writeBackup(folder, name string, out, errOut io.Writer) error {
	m, err := memoryOf(folder)
	if err != nil {
		return err
	}
	if name == "-" { // it is read twice, because what is written cannot be taken back
		err := mended(folder, errOut, func() error { return m.Write(context.Background(), io.Discard, time.Now()) })
		if err != nil {
			return err
		}
		return m.Write(context.Background(), out, time.Now())
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists already; name a new file", name)
	}
	to, err := os.CreateTemp(filepath.Dir(name), ".wm-lsp-backup-*") // with the mode 0600
	if err != nil {
		return fmt.Errorf("write the backup: %w", err)
	}
	err = mended(folder, errOut, func() error {
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return errors.Join(to.Truncate(0), m.Write(context.Background(), to, time.Now()))
	})
	if err = errors.Join(err, to.Sync(), to.Close()); err == nil {
		err = os.Rename(to.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(to.Name()))
	}
	fmt.Fprintf(out, "The memory is in %s. It holds what was remembered in plain text.\n", name)
	return nil
}

func restoreBackup(folder, name string, replace bool, out, errOut io.Writer) error {
	m, err := memoryOf(folder)
	if err != nil {
		return err
	}
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	var kept string
	var former func() (io.WriteCloser, error)
	if replace {
		former = func() (io.WriteCloser, error) {
			kept = name + ".before-" + time.Now().UTC().Format("20060102T150405.000Z")
			return os.OpenFile(kept, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
	}
	err = mended(folder, errOut, func() error {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return m.Restore(context.Background(), from, time.Now(), former)
	})
	switch {
	case errors.Is(err, backup.ErrNotEmpty):
		return fmt.Errorf("%w; --replace replaces it, after a backup of it beside %s", err, name)
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return fmt.Errorf("%w; the memory is as it was", err)
	}
	fmt.Fprintln(out, "The memory is restored.")
	if kept != "" {
		fmt.Fprintf(out, "What was there before is in %s.\n", kept)
	}
	return nil
}
