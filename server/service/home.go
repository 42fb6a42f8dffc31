package service

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"

	"github.com/wm-lsp/wm-lsp/memory/scope"
	"github.com/wm-lsp/wm-lsp/memory/settings"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// ErrNoHome means that nothing tells where the memory is kept.
var ErrNoHome = fmt.Errorf("%w: the home folder is not known; set HOME or XDG_DATA_HOME in the environment "+
	"of the program that starts wm-lsp", scope.ErrNoWorkspace)

// ErrNothingKept means that a folder has no memory because nothing was kept of it yet, and that none
// was to be made.
var ErrNothingKept = fmt.Errorf("%w: nothing is kept of it yet", scope.ErrNoWorkspace)

// existing returns ErrNothingKept if a place has no memory yet.
func existing(dataDir string, place scope.Place) error {
	if _, err := os.Stat(store.WorkspaceDir(dataDir, place.Key)); errors.Is(err, fs.ErrNotExist) {
		return ErrNothingKept
	}
	return nil // opening it says what is wrong
}

// DataDir returns the folder for the memory of all workspaces, "" if it is not known.
func DataDir() string { return below(xdg.DataHome, "XDG_DATA_HOME") }

// StateDir returns the folder for logs, "" if neither it nor that of the memory is known.
func StateDir() string { return cmp.Or(below(xdg.StateHome, "XDG_STATE_HOME"), DataDir()) }

// userFile returns the path of the user's settings, "" if it is not known.
func userFile() string {
	if dir := below(xdg.ConfigHome, "XDG_CONFIG_HOME"); dir != "" {
		return filepath.Join(dir, settings.FileName)
	}
	return ""
}

// below returns our folder in one of package xdg, which a variable may set. Without a home folder
// it is "", where xdg takes the root of the file system for one, and also if it is relative: it would be in
// the repository from which the program was started.
func below(folder, variable string) string {
	_, err := os.UserHomeDir()
	if err != nil && folder != os.Getenv(variable) && runtime.GOOS != "windows" { // which asks the system
		return ""
	}
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "wm-lsp")
}
