package longterm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/store"
)

// DocumentVersion is the version of the readable copy that this code writes.
const DocumentVersion = 1

// Document is the readable copy of the active entries, workspace-memory.json. It
// may be edited by hand.
type Document struct {
	Version   int               `json:"version"`
	Workspace DocumentWorkspace `json:"workspace"`
	Limits    DocumentLimits    `json:"limits"`
	// Seq is the latest change that the copy includes. Hand edits are the differences to
	// the memory as of that change.
	Seq       int64     `json:"seq"`
	Entries   []Entry   `json:"entries"`
	UpdatedAt time.Time `json:"updatedAt"`

	// Broken holds the entries that could not be decoded. It is not written.
	Broken []BrokenEntry `json:"-"`
}

// DocumentWorkspace identifies the workspace of a document.
type DocumentWorkspace struct {
	Root string `json:"root"`
	Key  string `json:"key"`
}

// DocumentLimits are the limits of the settings when the document was written.
type DocumentLimits struct {
	MaxEntries int `json:"maxEntries"`
	MaxChars   int `json:"maxChars"`
}

// BrokenEntry is an entry of a document that could not be decoded.
type BrokenEntry struct {
	Index int    // in the document, from 0
	ID    string // empty if it could not be decoded either
	Err   error
}

// CorruptError means that a document is not a valid readable copy.
type CorruptError struct{ Err error }

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s cannot be read: %v", store.CopyName, e.Err)
}

func (e *CorruptError) Unwrap() error { return e.Err }

// LossError means that an edit of the readable copy removes more than half of the entries,
// which is probably a mistake.
type LossError struct{ Lost, Of int }

func (e *LossError) Error() string {
	return fmt.Sprintf("the edited copy of the workspace memory lacks %d of %d entries, more than half", e.Lost, e.Of)
}

// NewerError means that a document was written by a newer version of wm-lsp.
type NewerError struct{ Version int }

func (e *NewerError) Error() string {
	return fmt.Sprintf(
		"the copy of the workspace memory has version %d, this wm-lsp reads up to %d: update wm-lsp",
		e.Version,
		DocumentVersion,
	)
}

// Document returns the readable copy of the active entries, ordered by creation, as of the
// change seq.
func (r *Room) Document(workspace DocumentWorkspace, seq int64, at time.Time) Document {
	limits := r.env.Settings().Memory
	return Document{
		Version: DocumentVersion, Workspace: workspace, Seq: seq, Entries: r.List(nil, false), UpdatedAt: stamp(at),
		Limits: DocumentLimits{MaxEntries: limits.MaxEntries, MaxChars: limits.MaxChars},
	}
}

// Encode returns the document as indented JSON that ends with a newline.
func (d Document) Encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		return nil, fmt.Errorf("write the copy of the workspace memory: %w", err)
	}
	return out.Bytes(), nil
}

// utf8BOM is the byte order mark that some editors write at the beginning of a file.
var utf8BOM = []byte("\xef\xbb\xbf")

// ParseDocument decodes a readable copy. Entries that cannot be decoded are in Broken. A
// document without a list of entries is corrupt. The error is a CorruptError or NewerError.
func ParseDocument(data []byte) (Document, error) {
	data = bytes.TrimPrefix(data, utf8BOM)
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return Document{}, &CorruptError{err}
	}
	if head.Version > DocumentVersion {
		return Document{}, &NewerError{head.Version}
	}
	if head.Version < 1 {
		return Document{}, &CorruptError{fmt.Errorf("it has no version from 1 to %d", DocumentVersion)}
	}
	var raw struct {
		Document
		Entries []json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(data, &raw); err != nil {
		return Document{}, &CorruptError{err}
	}
	if raw.Entries == nil {
		return Document{}, &CorruptError{errors.New(`it has no list "entries"`)}
	}
	doc := raw.Document
	doc.Entries = make([]Entry, 0, len(raw.Entries))
	for i, data := range raw.Entries {
		entry, broken := parseEntry(data)
		if broken != nil {
			doc.Broken = append(doc.Broken, BrokenEntry{Index: i, ID: entry.ID, Err: broken})
			continue
		}
		doc.Entries = append(doc.Entries, entry)
	}
	return doc, nil
}

// parseEntry decodes one entry. With an error, it returns an entry with the id only, if that
// can be decoded.
func parseEntry(data json.RawMessage) (Entry, error) {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return Entry{}, fmt.Errorf("it is null")
	}
	var entry Entry
	err := json.Unmarshal(data, &entry)
	if err == nil {
		return entry, nil
	}
	var id struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(data, &id) != nil {
		return Entry{}, err
	}
	return Entry{ID: id.ID}, err
}

// broke reports whether an entry with the id may be among the broken ones.
func (d Document) broke(id string) bool {
	return slices.ContainsFunc(d.Broken, func(b BrokenEntry) bool { return b.ID == id || b.ID == "" })
}
