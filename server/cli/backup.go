package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
	"github.com/wm-lsp/wm-lsp/server/service"
)

func (p *program) backupCommand() *cobra.Command {
	return &cobra.Command{
		Use: "backup FILE", Short: "Write the memory of the workspace to a file",
		Long: `Write the memory of the workspace to a new file of JSON Lines, or to the standard output if FILE is
-. docs/backup.md describes it.`,
		Example: `  wm-lsp backup memory.jsonl
  wm-lsp backup - | wc -l`,
		Args: takes(1, 1, "the name of one file"), ValidArgsFunction: fileNames(1),
		RunE: func(command *cobra.Command, args []string) error { return p.writeBackup(command.Context(), args[0]) },
	}
}

func (p *program) restoreCommand() *cobra.Command {
	var replace bool
	command := &cobra.Command{
		Use: "restore FILE", Short: "Read the memory of the workspace from a backup",
		Long: `Read the memory of the workspace from a backup. A memory that is not empty is only replaced with
--replace. docs/backup.md describes it.`,
		Example: `  wm-lsp backup memory.jsonl && wm-lsp restore --replace memory.jsonl`,
		Args:    takes(1, 1, "the name of one file"), ValidArgsFunction: fileNames(1),
		RunE: func(command *cobra.Command, args []string) error {
			if args[0] == "" || args[0] == "-" { // it is read more than once
				return usage("it takes the name of one file, got %q", args[0])
			}
			return p.restoreBackup(command.Context(), args[0], replace)
		},
	}
	command.Flags().BoolVar(&replace, "replace", false,
		"replace a memory that is not empty, after a backup of it beside FILE")
	return command
}

// backupResult and restoreResult are what the commands write as JSON.
type (
	backupResult struct {
		File string `json:"file"`
	}
	restoreResult struct {
		File string `json:"file"`
		// Former is the backup of the memory that was replaced.
		Former string `json:"former,omitempty"`
	}
)

// memory returns the memory of the workspace in the folder.
func (p *program) memory() (m backup.Memory, err error) {
	folder, err := absolute(p.folder)
	if err != nil {
		return m, err
	}
	return service.BackupOf(folder, p.Version)
}

// writeBackup writes the memory to a new file, or to the standard output if the name is -.
func (p *program) writeBackup(ctx context.Context, name string) error {
	m, err := p.memory()
	if err != nil {
		return err
	}
	switch name {
	case "":
		return usage("the name of the file is empty")
	case "-": // it is read twice, because what is written cannot be taken back
		if err := p.mended(func() error { return m.Write(ctx, io.Discard, time.Now()) }); err != nil {
			return err
		}
		return m.Write(ctx, p.Out, time.Now())
	}
	if _, err := os.Lstat(name); err == nil {
		return fmt.Errorf("%s exists already; name a new file", name)
	}
	defer p.halfway.begin()()
	err = files.WriteBeside(name, 0o600, func(to *os.File) error {
		return p.mended(func() error {
			if _, err := to.Seek(0, io.SeekStart); err != nil {
				return err
			}
			return errors.Join(to.Truncate(0), m.Write(ctx, to, time.Now()))
		})
	})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("The memory is in %s. It holds what was remembered in plain text.", name)
	return p.write(answer{result: backupResult{name}, text: text})
}

// restoreBackup reads the memory from a file. One that is not empty is only replaced with replace.
func (p *program) restoreBackup(ctx context.Context, name string, replace bool) error {
	m, err := p.memory()
	if err != nil {
		return err
	}
	from, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = from.Close() }()
	result, text := restoreResult{File: name}, "The memory is restored."
	var former func() (io.WriteCloser, error)
	if replace {
		former = func() (io.WriteCloser, error) {
			result.Former = name + ".before-" + time.Now().UTC().Format("20060102T150405.000Z")
			return os.OpenFile(result.Former, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		}
	}
	err = p.mended(func() error {
		if _, err := from.Seek(0, io.SeekStart); err != nil {
			return err
		}
		return m.Restore(ctx, from, time.Now(), former)
	})
	switch {
	case errors.Is(err, backup.ErrNotEmpty):
		return fmt.Errorf("%w; wm-lsp restore --replace %s replaces it, after a backup of it beside the file",
			err, name)
	case errors.Is(err, fs.ErrNotExist):
		return err
	case err != nil:
		return fmt.Errorf("%w; the memory is as it was", err)
	}
	if result.Former != "" {
		text += "\nWhat was there before is in " + result.Former + "."
	}
	return p.write(answer{result: result, text: text})
}
