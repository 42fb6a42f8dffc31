package service

import (
	"errors"
	"log/slog"

	"github.com/wm-lsp/wm-lsp/memory/backup"
	"github.com/wm-lsp/wm-lsp/memory/index"
	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// BackupOf returns the memory of a folder, whose path is absolute, as it is backed up and restored. No service has to
// be open on it. version is that of the program. The index of search is left out, because it follows from the rest.
func BackupOf(folder, version string) (m backup.Memory, err error) {
	data := DataDir()
	if data == "" {
		return m, errors.New("there is no home folder, so nothing is kept; set HOME or XDG_DATA_HOME")
	}
	place, err := scope.Locate(folder, "git")
	if err != nil {
		return m, err
	}
	return backup.Memory{
		Dir: store.WorkspaceDir(data, place.Key), Version: version, Log: slog.New(slog.DiscardHandler),
		Derived: []string{(*index.Room)(nil).Name()},
	}, nil
}
