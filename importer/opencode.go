// Package importer reads the memory of other programs from their files. It changes none of
// them, and what cannot be read of a file is named with the reason, never an error for all.
package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/regular"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// The limits of what is read.
const (
	// maxFileBytes is the maximum size of one file.
	maxFileBytes = 4 << 20
	// maxFiles is how many files of sessions are read of each folder, the newest ones.
	maxFiles = 200
	// maxBytes is how much is read of all files together.
	maxBytes = 32 << 20
	// maxEntries is how many entries are read of each file, the last ones.
	maxEntries = 500
	// maxID is how many bytes the id of a session has at most.
	maxID = 256
)

// A Memory is what was read.
type Memory struct {
	// Entries are those of the workspace memory, in the order of the files.
	Entries []Entry
	// Sessions are sorted by their id.
	Sessions []Session
	// Skipped is what was not read.
	Skipped []Skipped
}

// An Entry is a text that holds for the workspace.
type Entry struct {
	// Key identifies the entry among all of its program, also when the file has changed.
	Key, Type, Text, Rationale string
	// Source is "explicit", "manual" or "compaction", or what the file has instead.
	Source string
}

// A Session is the memory of one conversation.
type Session struct {
	// ID is that of the other program.
	ID string
	// Core are the blocks goal, progress and context that are not empty.
	Core map[string]string
	// Working are the items of the working memory.
	Working working.Legacy
}

// Skipped is a file, or an entry of one, that is not taken over.
type Skipped struct {
	// Path is the absolute path of the file, Reason a sentence without a full stop.
	Path, Reason string
}

// OpenCodeWorkingMemory reads the files of opencode-working-memory for a workspace, in both of
// its layouts (systems.md B15): .opencode/memory-core and .opencode/memory-working in the
// folders, and opencode-working-memory/workspaces in the data folder of the user. It identifies
// a workspace by the real path of the folder in which it was started, so folders are those
// that may have been it. Missing files are no error.
func OpenCodeWorkingMemory(folders []string, dataHome string) Memory {
	r := reader{sessions: map[string]*Session{}}
	for _, folder := range unique(folders) {
		if dataHome != "" { // what the user's folder has is read first, because what is read is bounded
			sum := sha256.Sum256([]byte(folder))
			dir := filepath.Join(dataHome, "opencode-working-memory", "workspaces", hex.EncodeToString(sum[:])[:16])
			r.file(dir, "workspace-memory.json", r.entriesFile)
			r.folder(dir, "sessions", r.stateFile)
		}
		r.folder(folder, filepath.Join(".opencode", "memory-core"), r.coreFile)
		r.folder(folder, filepath.Join(".opencode", "memory-working"), r.workingFile)
	}
	for _, session := range r.sessions {
		if len(session.Core) > 0 || len(session.Working.Items) > 0 {
			r.memory.Sessions = append(r.memory.Sessions, *session)
		}
	}
	slices.SortFunc(r.memory.Sessions, func(a, b Session) int { return strings.Compare(a.ID, b.ID) })
	return r.memory
}

// unique returns the real paths of folders, each once.
func unique(folders []string) []string {
	var real []string
	for _, folder := range folders {
		path, err := filepath.EvalSymlinks(folder)
		if err == nil && !slices.Contains(real, path) {
			real = append(real, path)
		}
	}
	return real
}

// A reader collects what files hold.
type reader struct {
	memory   Memory
	sessions map[string]*Session
	bytes    int // that were read
}

func (r *reader) skip(path, reason string) {
	r.memory.Skipped = append(r.memory.Skipped, Skipped{path, reason})
}

// folder reads the files of sessions in a folder below dir.
func (r *reader) folder(dir, name string, read func(path string, doc []byte) error) {
	entries, err := readDir(dir, name)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			r.skip(filepath.Join(dir, name), err.Error())
		}
		return
	}
	type found struct {
		name string
		at   int64
	}
	var files []found
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && !entry.IsDir() && isOfSession(entry.Name()) {
			files = append(files, found{entry.Name(), info.ModTime().UnixNano()})
		}
	}
	slices.SortFunc(files, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.at, a.at), strings.Compare(a.name, b.name))
	})
	for i, file := range files {
		if i >= maxFiles {
			reason := fmt.Sprintf("only the newest %d of %d sessions are read", maxFiles, len(files))
			r.skip(filepath.Join(dir, name), reason)
			return
		}
		r.file(dir, filepath.Join(name, file.name), read)
	}
}

// readDir returns what is in a folder below dir. A link is followed if it stays below dir.
func readDir(dir, name string) ([]fs.DirEntry, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	folder, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = folder.Close() }()
	return folder.ReadDir(-1)
}

// isOfSession reports whether a file holds the memory of a session, and is no record of its
// pressure, its compactions or its sweeps.
func isOfSession(name string) bool {
	name, isJSON := strings.CutSuffix(name, ".json")
	for _, record := range []string{"_pressure", "_compaction", "_sweep"} {
		if strings.HasSuffix(name, record) {
			return false
		}
	}
	return isJSON && name != ""
}

// file reads one file below dir, if there is one.
func (r *reader) file(dir, name string, read func(path string, doc []byte) error) {
	path := filepath.Join(dir, name)
	doc, err := regular.Read(dir, filepath.ToSlash(name), maxFileBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if r.bytes += len(doc); err == nil && r.bytes > maxBytes {
		err = fmt.Errorf("it is not read, because there are more than %d MB of files", maxBytes>>20)
	}
	if err == nil {
		err = read(path, doc)
	}
	if err != nil {
		r.skip(path, err.Error())
	}
}

func (r *reader) session(id string) (*Session, error) {
	if id == "" {
		return nil, errors.New("it names no session")
	}
	if len(id) > maxID {
		return nil, fmt.Errorf("the id of its session has more than %d bytes", maxID)
	}
	session := r.sessions[id]
	if session == nil {
		session = &Session{ID: id, Core: map[string]string{}}
		r.sessions[id] = session
	}
	return session, nil
}

// coreFile reads .opencode/memory-core/{session}.json.
func (r *reader) coreFile(path string, doc []byte) error {
	var file struct {
		SessionID string                     `json:"sessionID"`
		Blocks    map[string]json.RawMessage `json:"blocks"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return notRead(err)
	}
	session, err := r.session(cmp.Or(file.SessionID, nameOf(path)))
	if err != nil {
		return err
	}
	for _, name := range []string{"goal", "progress", "context"} {
		var block struct {
			Content string `json:"content"`
		}
		if file.Blocks[name] == nil {
			continue
		}
		if err := json.Unmarshal(file.Blocks[name], &block); err != nil {
			r.skip(path, fmt.Sprintf("the block %s: %v", name, notRead(err)))
		} else if strings.TrimSpace(block.Content) != "" {
			session.Core[name] = block.Content
		}
	}
	return nil
}

// nameOf is the session that the name of a file stands for.
func nameOf(path string) string { return strings.TrimSuffix(filepath.Base(path), ".json") }

// workingFile reads .opencode/memory-working/{session}.json, also in the form {items: []}
// (systems.md A14).
func (r *reader) workingFile(path string, doc []byte) error {
	legacy, err := working.ReadLegacy(doc)
	if err != nil {
		return notRead(errors.Unwrap(err))
	}
	session, err := r.session(cmp.Or(legacy.Session, nameOf(path)))
	if err != nil {
		return err
	}
	session.Working.Items = append(session.Working.Items, legacy.Items...)
	return nil
}

// An entry of workspace-memory.json, or one that a session has not handed over yet.
type entry struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	Text      string `json:"text"`
	Rationale string `json:"rationale"`
	Source    string `json:"source"`
	Status    string `json:"status"`
}

// entriesFile reads workspace-memory.json.
func (r *reader) entriesFile(path string, doc []byte) error {
	var file struct {
		Entries []json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return notRead(err)
	}
	r.entries(path, file.Entries)
	return nil
}

// entries takes the entries that are in force.
func (r *reader) entries(path string, docs []json.RawMessage) {
	first := max(0, len(docs)-maxEntries)
	if first > 0 {
		r.skip(path, fmt.Sprintf("only the last %d of %d entries are read", maxEntries, len(docs)))
	}
	for i := first; i < len(docs); i++ {
		doc := docs[i]
		var e entry
		if err := json.Unmarshal(doc, &e); err != nil {
			r.skip(path, fmt.Sprintf("entry %d: %v", i+1, notRead(err)))
			continue
		}
		if e.Status != "" && e.Status != "active" || strings.TrimSpace(e.Text) == "" {
			continue
		}
		key := e.ID
		if key == "" {
			sum := sha256.Sum256([]byte(e.Type + "\x00" + e.Text))
			key = hex.EncodeToString(sum[:8])
		}
		r.memory.Entries = append(r.memory.Entries, Entry{key, e.Type, e.Text, e.Rationale, e.Source})
	}
}

// stateFile reads workspaces/{key}/sessions/{hash}.json. Active files, open errors and
// decisions become items of the working memory.
func (r *reader) stateFile(path string, doc []byte) error {
	type item struct {
		Type      string  `json:"type,omitempty"`
		Content   string  `json:"content"`
		Timestamp float64 `json:"timestamp"`
		Mentions  int     `json:"mentions,omitempty"`
	}
	var file struct {
		SessionID string `json:"sessionID"`
		Files     []struct {
			Path  string  `json:"path"`
			Count int     `json:"count"`
			At    float64 `json:"lastSeen"`
		} `json:"activeFiles"`
		Errors []struct {
			Summary string  `json:"summary"`
			Status  string  `json:"status"`
			At      float64 `json:"lastSeen"`
		} `json:"openErrors"`
		Decisions []struct {
			Text string  `json:"text"`
			At   float64 `json:"createdAt"`
		} `json:"recentDecisions"`
		Pending []json.RawMessage `json:"pendingMemories"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return notRead(err)
	}
	session, err := r.session(file.SessionID)
	if err != nil {
		return err
	}
	r.entries(path, file.Pending)
	pool, slots := []item{}, map[string][]item{}
	for _, f := range file.Files {
		pool = append(pool, item{"file-path", f.Path, f.At, min(max(f.Count, 0), 1000)})
	}
	for _, e := range file.Errors {
		if e.Status == "open" {
			slots[working.Errors] = append(slots[working.Errors], item{Content: e.Summary, Timestamp: e.At})
		}
	}
	for _, d := range file.Decisions {
		slots[working.Decisions] = append(slots[working.Decisions], item{Content: d.Text, Timestamp: d.At})
	}
	same, err := json.Marshal(map[string]any{"slots": slots, "pool": pool})
	if err != nil {
		return err
	}
	legacy, err := working.ReadLegacy(same)
	if err != nil {
		return err
	}
	session.Working.Items = append(session.Working.Items, legacy.Items...)
	return nil
}

// notRead is the reason why a document is not read.
func notRead(err error) error { return fmt.Errorf("it is not read, because it is damaged: %w", err) }
