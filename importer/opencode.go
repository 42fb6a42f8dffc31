package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/working"
)

// OpenCodeWorkingMemory is the name of the format of the plugin of OpenCode.
const OpenCodeWorkingMemory = "opencode-working-memory"

// openCodeAgent is the agent of its sessions.
const openCodeAgent = "opencode"

// openCode is the format of opencode-working-memory, in both of its layouts (systems.md B15):
// .opencode/memory-core and .opencode/memory-working in the folders, and
// opencode-working-memory/workspaces in the data folder of the user. It identifies a workspace by the
// real path of the folder in which it was started.
func openCode() Format {
	return Format{
		Name: OpenCodeWorkingMemory, Title: "the plugin opencode-working-memory of OpenCode", Offered: true,
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				if at.DataHome != "" { // which is read first, because what is read is bounded
					sum := sha256.Sum256([]byte(folder))
					key := hex.EncodeToString(sum[:])[:16]
					dir := filepath.Join(at.DataHome, OpenCodeWorkingMemory, "workspaces", key)
					places = append(places, place{dir: dir, name: workspaceMemoryName},
						place{dir: dir, name: "sessions", takes: isOfSession})
				}
				for _, name := range []string{"memory-core", "memory-working"} {
					places = append(places, place{folder, filepath.Join(".opencode", name), isOfSession})
				}
			}
			return places
		},
		recognizes: func(f file) bool {
			return f.in("memory-core") || f.in("memory-working") || f.base() == workspaceMemoryName ||
				isOfSession(f.base()) && strings.Contains(f.text, `"activeFiles"`)
		},
		read: func(r *reader, f file) error {
			switch {
			case f.base() == workspaceMemoryName:
				return r.entriesFile(f)
			case f.in("memory-core"):
				return r.coreFile(f)
			case f.in("memory-working"):
				return r.workingFile(f)
			}
			return r.stateFile(f)
		},
	}
}

// workspaceMemoryName is the file with the entries.
const workspaceMemoryName = "workspace-memory.json"

// isOfSession reports whether a file holds the memory of a session, and is not a record of its
// pressure, its compactions or its sweeps.
func isOfSession(name string) bool {
	name, isJSON := strings.CutSuffix(name, ".json")
	for _, record := range []string{"_pressure", "_compaction", "_sweep"} {
		if strings.HasSuffix(name, record) {
			return false
		}
	}
	return isJSON && name != "" && !strings.Contains(name, "/")
}

// coreFile reads .opencode/memory-core/{session}.json.
func (r *reader) coreFile(f file) error {
	path, doc := f.path, []byte(f.text)
	var file struct {
		SessionID string                     `json:"sessionID"`
		Blocks    map[string]json.RawMessage `json:"blocks"`
	}
	if err := json.Unmarshal(doc, &file); err != nil {
		return notRead(err)
	}
	session, err := r.session(openCodeAgent, cmp.Or(file.SessionID, f.stem()))
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

// workingFile reads .opencode/memory-working/{session}.json, also in the form {items: []}
// (systems.md A14).
func (r *reader) workingFile(f file) error {
	legacy, err := working.ReadLegacy([]byte(f.text))
	if err != nil {
		return notRead(errors.Unwrap(err))
	}
	session, err := r.session(openCodeAgent, cmp.Or(legacy.Session, f.stem()))
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
func (r *reader) entriesFile(f file) error {
	var file struct {
		Entries []json.RawMessage `json:"entries"`
	}
	if err := json.Unmarshal([]byte(f.text), &file); err != nil {
		return notRead(err)
	}
	r.entries(f, file.Entries)
	return nil
}

// entries takes the entries that are in force.
func (r *reader) entries(f file, docs []json.RawMessage) {
	for i := r.newest(f, docs); i < len(docs); i++ {
		doc := docs[i]
		var e entry
		if err := json.Unmarshal(doc, &e); err != nil {
			r.skip(f.path, fmt.Sprintf("entry %d: %v", i+1, notRead(err)))
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
		r.add(f, Entry{Key: key, Type: e.Type, Text: e.Text, Rationale: e.Rationale, Source: e.Source})
	}
}

// stateFile reads workspaces/{key}/sessions/{hash}.json. Active files, open errors and
// decisions become items of the working memory.
func (r *reader) stateFile(f file) error {
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
	if err := json.Unmarshal([]byte(f.text), &file); err != nil {
		return notRead(err)
	}
	session, err := r.session(openCodeAgent, file.SessionID)
	if err != nil {
		return err
	}
	r.entries(f, file.Pending)
	pool, slots := []item{}, map[string][]item{}
	for _, used := range file.Files {
		pool = append(pool, item{"file-path", used.Path, used.At, min(max(used.Count, 0), 1000)})
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
