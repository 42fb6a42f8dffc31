package service

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// A Remembering is what a person asks to be remembered in an editor.
type Remembering struct {
	Text, Type string
	// Path is the file that it is about, empty if there is none.
	Path string
	// Fix is how the error that the text tells of is fixed; it may be empty.
	Fix string
}

// Remember adds to the workspace memory. It is called on the queue.
func (s *Service) Remember(ctx context.Context, at *View, r Remembering) (wire.Receipt, error) {
	add := wire.MemoryAddParams{Text: r.Text, Type: r.Type}
	if r.Path != "" {
		add.Files = []string{r.Path}
	}
	if strings.TrimSpace(add.Text) == "" {
		return wire.Receipt{}, fault.Invalid("text", "is missing; give a text, or the uri and range of one")
	}
	if fix := strings.TrimSpace(r.Fix); fix != "" {
		add.Text = strings.TrimSpace(add.Text) + ". Fix: " + fix
	}
	return s.MemoryAdd(ctx, at, &add)
}

// Remembered returns what a person is told of a receipt.
func Remembered(receipt wire.Receipt) string {
	switch receipt.Status {
	case wire.ReceiptRejected:
		return fmt.Sprintf("Not remembered: %s.", receipt.Reason)
	case wire.ReceiptMerged:
		return "This was remembered already; it counts more now."
	default:
		return "Remembered."
	}
}

// TrackedFile returns the path of a file in the folder of the view. The fault is
// that of a file which is not tracked.
func (v *View) TrackedFile(uri string) (path string, err error) {
	file, err := filePath(uri)
	if err != nil {
		return "", fault.Invalid("uri", "%v", err)
	}
	if v.folder.scope == nil {
		return "", v.NoWorkspace()
	}
	path, inside := v.folder.scope.Rel("", file)
	if !inside || !v.folder.scope.Tracked(path) {
		return "", fault.Invalid("uri", "must be a file that this workspace tracks, got %s", uri)
	}
	return path, nil
}

// ReadFile returns the content of a file of the folder.
func (v *View) ReadFile(path string) (string, error) {
	content, err := os.ReadFile(v.folder.scope.Abs(path))
	if err != nil {
		return "", fault.Invalid("uri", "the file cannot be read: %v", err)
	}
	return string(content), nil
}

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

// PanelText returns the panel as a text in Markdown.
func (s *Service) PanelText(at *View) string {
	var text strings.Builder
	for _, section := range panel.Build(at.reader(), nil).Sections {
		fmt.Fprintf(&text, "# %s  %s\n\n", section.Title, section.Summary)
		if len(section.Items) == 0 {
			fmt.Fprintf(&text, "%s\n", section.Empty)
		}
		for _, item := range section.Items {
			fmt.Fprintf(&text, "- %s  (%s)\n", item.Label, item.Detail)
		}
		text.WriteString("\n")
	}
	return text.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
