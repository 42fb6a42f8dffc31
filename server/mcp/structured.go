package mcp

import (
	"encoding/json"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// Most hosts give a model the structured result of a call and not its text. The types here are
// what a model needs of a result; the others of package wire are short enough. Hosts print both in
// a terminal, so strings have no characters that a person does not see.

// A knownContext is what a model needs of a wire.ContextResult, which has every string three times.
type knownContext struct {
	// The context, or with since what an agent that has one must be told.
	Text string `json:"text,omitzero"`
	// True if there is nothing to tell.
	Unchanged bool `json:"unchanged,omitzero"`
	// The revision, for since in the next call.
	Revision wire.Revision `json:"revision"`
	// The estimated length of the text in tokens.
	Tokens int `json:"tokens,omitzero"`
}

// A knownEntry is what a model needs of a wire.MemoryEntry.
type knownEntry struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Text      string   `json:"text"`
	Rationale string   `json:"rationale,omitzero"`
	Files     []string `json:"files,omitzero"`
	Pinned    bool     `json:"pinned,omitzero"`
	// The status, unless it is active.
	Status wire.EntryStatus `json:"status,omitzero"`
	Stale  *wire.Stale      `json:"stale,omitzero"`
}

// knownEntries are the result of a list.
type knownEntries struct {
	Entries []knownEntry `json:"entries"`
}

// A knownHit is what a model needs of a wire.SearchHit.
type knownHit struct {
	ID    string `json:"id"`
	Store string `json:"store"`
	Type  string `json:"type,omitzero"`
	Text  string `json:"text"`
	// Where it is from, and in which state.
	From string    `json:"from"`
	At   wire.Time `json:"at,omitzero"`
}

// knownHits are the result of a search.
type knownHits struct {
	Hits []knownHit `json:"hits"`
}

func hitsOf(result wire.SearchResult) knownHits {
	known := knownHits{[]knownHit{}}
	for _, hit := range result.Hits {
		known.Hits = append(known.Hits, knownHit{
			ID: hit.Item.ID, Store: hit.Store, Type: tag.Visible(hit.Item.Type), Text: tag.Visible(hit.Item.Text),
			From: tag.Visible(hit.From), At: hit.Item.At,
		})
	}
	return known
}

// forgotten is what a model needs of a wire.MemoryRemoveResult.
type forgotten struct {
	Entry     knownEntry `json:"entry"`
	FilesLeft []string   `json:"filesLeft,omitzero"`
	Message   string     `json:"message,omitzero"`
}

// A knownError is what a model needs of a wire.OpenError.
type knownError struct {
	Category   string    `json:"category"`
	Summary    string    `json:"summary"`
	Path       string    `json:"path,omitzero"`
	Line       int       `json:"line,omitzero"`
	Tool       string    `json:"tool,omitzero"`
	Command    string    `json:"command,omitzero"`
	Count      int       `json:"count"`
	LastSeen   wire.Time `json:"lastSeen"`
	Verified   bool      `json:"verified"`
	MaybeFixed bool      `json:"maybeFixed,omitzero"`
}

// knownErrors are the open errors.
type knownErrors struct {
	Errors []knownError `json:"errors"`
}

// structured returns the data of a result.
func structured(result any) any {
	switch result := result.(type) {
	case wire.ContextResult:
		return contextOf(result)
	case wire.Receipt:
		result.Entry = nil // it is what the call said
		result.Related = slices.Clone(result.Related)
		for i, other := range result.Related {
			result.Related[i].Text = tag.Visible(other.Text)
		}
		return result
	case wire.MemoryListResult:
		return entriesOf(result.Entries)
	case wire.SearchResult:
		return hitsOf(result)
	case wire.MemoryRemoveResult:
		return forgotten{entryOf(result.Entry), result.FilesLeft, result.Message}
	case wire.ErrorsListResult:
		known := knownErrors{[]knownError{}}
		for _, e := range result.Errors {
			known.Errors = append(known.Errors, knownError{
				Category: e.Category, Summary: tag.Visible(e.Summary), Path: tag.Visible(e.Path), Line: e.Line,
				Tool: e.Tool, Command: tag.Visible(e.Command),
				Count: e.Count, LastSeen: e.LastSeen, Verified: e.Verified, MaybeFixed: e.MaybeFixed,
			})
		}
		return known
	}
	return result
}

func contextOf(result wire.ContextResult) knownContext {
	known := knownContext{Unchanged: result.Unchanged, Revision: result.Revision}
	switch {
	case result.Delta != nil:
		known.Text = result.Delta.Text
	case result.Context != nil:
		known.Text, known.Tokens = result.Text, result.Tokens
	}
	return known
}

func entriesOf(entries []wire.MemoryEntry) knownEntries {
	known := knownEntries{[]knownEntry{}}
	for _, entry := range entries {
		known.Entries = append(known.Entries, entryOf(entry))
	}
	return known
}

func entryOf(entry wire.MemoryEntry) knownEntry {
	known := knownEntry{
		ID: entry.ID, Type: entry.Type, Text: tag.Visible(entry.Text), Rationale: tag.Visible(entry.Rationale),
		Pinned: entry.Pinned, Status: entry.Status, Stale: entry.Stale,
	}
	for _, file := range entry.Files {
		known.Files = append(known.Files, tag.Visible(file))
	}
	if known.Status == wire.StatusActive {
		known.Status = ""
	}
	return known
}

// callable replaces the method in the undo of a result by the tool that the agent can call. An
// undo for which there is no tool is left out.
func (s *Server) callable(doc json.RawMessage) json.RawMessage {
	var result struct {
		Undo *wire.Undo `json:"undo"`
	}
	if json.Unmarshal(doc, &result) != nil || result.Undo == nil {
		return doc
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(doc, &members) != nil {
		return doc
	}
	delete(members, "undo")
	if name, offered := namesOf(s.tools)[result.Undo.Method]; offered {
		result.Undo.Method = name
		if undo, err := wire.Encode(result.Undo); err == nil {
			members["undo"] = undo
		}
	}
	replaced, err := wire.Encode(members)
	if err != nil {
		return doc
	}
	return replaced
}
