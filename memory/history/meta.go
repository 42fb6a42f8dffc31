package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/google/renameio/v2/maybe"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

const (
	metaVersion  = 1
	maxMetaBytes = 1 << 20
)

// Meta says what session the folder is of (systems.md D1).
type Meta struct {
	Version     int       `json:"version"`
	SessionID   string    `json:"sessionId"`
	Agent       string    `json:"agent,omitempty"`
	Title       string    `json:"title,omitempty"`
	Worktree    string    `json:"worktree,omitempty"`
	StartedAt   time.Time `json:"startedAt,omitzero"`
	UpdatedAt   time.Time `json:"updatedAt,omitzero"`
	Turn        int       `json:"turn"`
	Messages    int       `json:"messages"`
	Compactions int       `json:"compactions"`
}

// Meta returns what session the folder is of. The error is fs.ErrNotExist where
// nothing says so.
func (l Log) Meta() (Meta, error) {
	path := filepath.Join(l.dir, store.MetaName)
	info, err := os.Lstat(path)
	if err == nil && (!info.Mode().IsRegular() || info.Size() > maxMetaBytes) {
		return Meta{}, fmt.Errorf("%s is not a regular file of at most %d bytes; move it away", path, maxMetaBytes)
	}
	doc, err := os.ReadFile(path)
	if err != nil {
		return Meta{}, fmt.Errorf("read what session it is: %w", err)
	}
	var m Meta
	if err := json.Unmarshal(doc, &m); err != nil {
		return Meta{}, fmt.Errorf("read what session it is from %s: %w", path, err)
	}
	if m.Version > metaVersion {
		return Meta{}, fmt.Errorf("%s is of version %d, this program reads up to %d: update wm-lsp", path, m.Version, metaVersion)
	}
	return m, nil
}

// SetMeta writes what session the folder is of, at once and as a whole. The file
// of a newer version is left as it is.
func (l Log) SetMeta(m Meta) error {
	before, err := l.Meta()
	if isNewer := err != nil && !errors.Is(err, fs.ErrNotExist) && !isBroken(err); isNewer {
		return fmt.Errorf("keep what session it is: %w", err)
	}
	m.Version = metaVersion
	if err == nil && before == m {
		return nil
	}
	doc, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("keep what session it is: %w", err)
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the session: %w", err)
	}
	if err := maybe.WriteFile(filepath.Join(l.dir, store.MetaName), append(doc, '\n'), 0o600); err != nil {
		return fmt.Errorf("keep what session it is: %w", err)
	}
	return nil
}

// isBroken reports whether a document could not be understood at all.
func isBroken(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var moment *time.ParseError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.As(err, &moment)
}
