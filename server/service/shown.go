package service

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// WriteShown writes a document for an editor to open and returns its path. Secrets are
// removed.
func (s *Service) WriteShown(name, text string) (path string, err error) {
	if s.options.DataDir == "" {
		return "", ErrNoHome
	}
	dir := filepath.Join(s.options.DataDir, store.ShownName)
	if err := errors.Join(os.MkdirAll(dir, 0o700), regular.Folder(dir)); err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	return path, files.WriteUnsynced(path, []byte(gate.Text(text)))
}
