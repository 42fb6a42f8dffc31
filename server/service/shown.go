package service

import (
	"os"
	"path/filepath"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// WriteShown writes a document for an editor to open and returns its path. Secrets are
// removed.
func (s *Service) WriteShown(name, text string) (path string, err error) {
	if s.options.DataDir == "" {
		return "", ErrNoHome
	}
	dir := filepath.Join(s.options.DataDir, store.ShownName)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	path = filepath.Join(dir, name)
	return path, os.WriteFile(path, []byte(gate.Text(text)), 0o600)
}
