package service

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/memory/store/files"
)

// imported is the record of what was taken over into a workspace. It lies outside of the workspace's folder, so
// that what a person removes later, or purges with the whole memory, does not come back. It holds ids and
// hashes, and no content.
type imported struct {
	// Done are the keys of what was taken over.
	Done []string `json:"done"`
	// Answered are the formats that are not offered any more.
	Answered []string `json:"answered,omitempty"`
	// Imports are the latest ones, the latest last.
	Imports []importRecord `json:"imports,omitempty"`
}

// An importRecord is what one import has added.
type importRecord struct {
	At      time.Time     `json:"at"`
	From    []string      `json:"from"` // formats
	Entries []addedRecord `json:"entries,omitempty"`
	Notes   []addedRecord `json:"notes,omitempty"`
	// Sessions are those that were not known before.
	Sessions []string `json:"sessions,omitempty"`
}

// An addedRecord is an entry, or a note of a session, as it was added.
type addedRecord struct {
	ID       string `json:"id"` // of the entry or the session
	Path     string `json:"path,omitempty"`
	Revision string `json:"revision"`
}

const (
	// maxImported is how many bytes the record of one workspace has at most.
	maxImported = 8 << 20
	// maxImports is how many imports can be taken back.
	maxImports = 20
	// maxRecordedID is how many bytes an id has at most that is recorded as it is.
	maxRecordedID = 64
)

// recordedID returns the id of another program as it is recorded: itself, or its key if it is long
// or holds a secret.
func recordedID(id string) string {
	if len(id) > maxRecordedID || gate.Text(id) != id {
		return store.SessionKey(id)
	}
	return id
}

// answer records that a format is not offered any more.
func (i *imported) answer(format string) {
	if !slices.Contains(i.Answered, format) {
		i.Answered = append(i.Answered, format)
	}
}

// latest returns the place of the latest import of a format, or of any if it is "", and -1 if there is none.
func (i *imported) latest(format string) int {
	for at, one := range slices.Backward(i.Imports) {
		if format == "" || slices.Contains(one.From, format) {
			return at
		}
	}
	return -1
}

// readImported returns the record of a workspace.
func (s *Service) readImported(key string) (record imported, err error) {
	dir := filepath.Join(s.options.DataDir, store.ImportedName)
	doc, err := regular.Read(dir, key+".json", maxImported)
	if errors.Is(err, fs.ErrNotExist) {
		return record, nil
	}
	if err == nil && len(doc) > 0 && doc[0] == '[' { // of an older version
		err = json.Unmarshal(doc, &record.Done)
	} else if err == nil {
		err = json.Unmarshal(doc, &record)
	}
	if err != nil {
		return record, fault.Refuse(fault.Store, fault.Data{}, "what was imported before is not known, because %s "+
			"cannot be read: %v; delete it to import all again", filepath.Join(dir, key+".json"), err)
	}
	return record, nil
}

// writeImported writes the record of a workspace.
func (s *Service) writeImported(key string, record imported) error {
	dir := filepath.Join(s.options.DataDir, store.ImportedName)
	record.Imports = record.Imports[max(0, len(record.Imports)-maxImports):]
	doc, err := json.Marshal(record)
	if err == nil {
		err = errors.Join(os.MkdirAll(dir, 0o700), regular.Folder(dir))
	}
	if err == nil {
		err = files.Write(filepath.Join(dir, key+".json"), doc)
	}
	if err != nil {
		return fmt.Errorf("record what was imported: %w", err)
	}
	return nil
}
