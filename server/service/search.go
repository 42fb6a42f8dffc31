package service

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A Found is what a search found, as entries and as a text in Markdown.
type Found struct {
	Entries  []wire.MemoryEntry `json:"entries"`
	Markdown string             `json:"-"`
}

// Search returns the entries that hold every word of a query.
func (s *Service) Search(at *View, query string) (Found, error) {
	words := strings.Fields(quality.Canonical(query))
	if len(words) == 0 {
		return Found{}, fault.Invalid("query", "is missing; give the words to look for")
	}
	found := Found{Entries: []wire.MemoryEntry{}}
	var text strings.Builder
	fmt.Fprintf(&text, "# Memory: %s\n\n", oneLine(query))
	for _, entry := range memory.RoomOf[*longterm.Room](at.Workspace).List(nil, false) {
		if containsAll(quality.Canonical(entry.Text+" "+entry.Rationale+" "+entry.Type), words) {
			found.Entries = append(found.Entries, memoryEntry(entry))
			fmt.Fprintf(&text, "- [%s] %s\n", entry.Type, oneLine(entry.Text))
		}
	}
	if len(found.Entries) == 0 {
		text.WriteString("Nothing is remembered of this.\n")
	}
	found.Markdown = text.String()
	return found, nil
}

func containsAll(text string, words []string) bool {
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}
