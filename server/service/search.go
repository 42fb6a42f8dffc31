package service

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A SearchResult is the result of a search, as entries and as Markdown.
type SearchResult struct {
	Entries  []wire.MemoryEntry `json:"entries"`
	Markdown string             `json:"-"`
}

// Search returns the entries that contain every word of a query; if there are none, those that
// contain the most of its words.
func (s *Service) Search(at *View, query string) (SearchResult, error) {
	words := strings.Fields(quality.Canonical(query))
	if len(words) == 0 {
		return SearchResult{}, fault.Invalid("query", "is missing; must be the words to search for")
	}
	found := SearchResult{Entries: []wire.MemoryEntry{}}
	var text strings.Builder
	fmt.Fprintf(&text, "# Memory: %s\n\n", oneLine(query))
	entries := at.longterm().List(nil, false)
	most := 1
	for _, entry := range entries {
		most = max(most, contained(entry, words))
	}
	for _, entry := range entries {
		if contained(entry, words) >= most {
			found.Entries = append(found.Entries, memoryEntry(entry))
			fmt.Fprintf(&text, "- [%s] %s\n", entry.Type, oneLine(entry.Text))
		}
	}
	if len(found.Entries) == 0 {
		text.WriteString("No memory contains these words.\n")
	}
	found.Markdown = text.String()
	return found, nil
}

// contained returns how many of the words an entry contains.
func contained(entry longterm.Entry, words []string) (n int) {
	text := quality.Canonical(entry.Text + " " + entry.Rationale + " " + entry.Type)
	for _, word := range words {
		if strings.Contains(text, word) {
			n++
		}
	}
	return n
}
