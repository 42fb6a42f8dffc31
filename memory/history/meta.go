package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

const (
	metaVersion  = 1
	maxMetaBytes = 1 << 20
)

// Meta describes the session of a folder (systems.md D1).
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

// Meta returns the description of the session. The error is fs.ErrNotExist if there is none.
func (l Log) Meta() (Meta, error) {
	path := filepath.Join(l.dir, store.MetaName)
	doc, err := regular.ReadAlone(path, maxMetaBytes)
	if err != nil {
		return Meta{}, fmt.Errorf("read the description of the session: %w", err)
	}
	var m Meta
	if err := json.Unmarshal(doc, &m); err != nil {
		return Meta{}, fmt.Errorf("read the description of the session from %s: %w", path, err)
	}
	if m.Version > metaVersion {
		return Meta{}, fmt.Errorf("%s has version %d, this program reads up to version %d: update wm-lsp",
			path, m.Version, metaVersion)
	}
	return m, nil
}

// SetMeta writes the description of the session atomically. It does not replace that of a
// newer version. A new one is on the disk when SetMeta returns.
func (l Log) SetMeta(m Meta) error {
	before, err := l.Meta()
	if isNewer := err != nil && !errors.Is(err, fs.ErrNotExist) && !isBroken(err); isNewer {
		return fmt.Errorf("write the description of the session: %w", err)
	}
	m.Version = metaVersion
	if err == nil && before == m {
		return nil
	}
	doc, encodeErr := json.MarshalIndent(m, "", "  ")
	if encodeErr != nil {
		return fmt.Errorf("write the description of the session: %w", encodeErr)
	}
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the session: %w", err)
	}
	write := files.WriteUnsynced // it can be written again
	if errors.Is(err, fs.ErrNotExist) {
		write = files.Write // the file says that the conversation is kept
	}
	if err := write(filepath.Join(l.dir, store.MetaName), append(doc, '\n')); err != nil {
		return fmt.Errorf("write the description of the session: %w", err)
	}
	return nil
}

// isBroken reports whether an error says that a document cannot be decoded.
func isBroken(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	var moment *time.ParseError
	return errors.As(err, &syntax) || errors.As(err, &kind) || errors.As(err, &moment)
}
