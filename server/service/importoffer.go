package service

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/importer"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// importSection is the section of the panel that offers the memory of other programs.
const importSection = "import"

// offered is what was found of other programs for a folder, for the record of what was imported as it was then.
type offered struct {
	record string // the time and size of the record
	found  []importer.Found
}

// offers returns the memory of other programs that is to be offered to a person: what nobody has answered yet,
// by taking it over or dismissing it. Files are looked for at the first call, and when somebody has
// answered.
func (s *Service) offers(v *View) []importer.Found {
	if v.NoWorkspace() != nil || s.options.DataDir == "" {
		return nil
	}
	stamp := ""
	path := filepath.Join(s.options.DataDir, store.ImportedName, v.folder.place.Key+".json")
	if info, err := os.Lstat(path); err == nil {
		stamp = fmt.Sprint(info.ModTime().UnixNano(), info.Size())
	}
	if known := v.folder.offered.Load(); known != nil && known.record == stamp {
		return known.found
	}
	record, err := s.readImported(v.folder.place.Key)
	if err != nil { // wm/import says so
		return nil
	}
	found := slices.DeleteFunc(importer.Find(v.importPlace()), func(f importer.Found) bool {
		return slices.Contains(record.Answered, f.Format.Name) ||
			f.Format.Name == importer.OpenCodeWorkingMemory && len(record.Done) > 0 && record.Answered == nil
	})
	v.folder.offered.Store(&offered{stamp, found})
	return found
}

// importPart returns the section that offers what was found.
func importPart(found []importer.Found) panel.Part {
	paint := func(panel.Reader) panel.Section {
		section := panel.Section{Title: "Memory of other programs", Show: panel.ShowNonEmpty, Empty: "There is none."}
		for _, f := range found {
			section.Items = append(section.Items, importItem(f))
		}
		return section
	}
	markdown := func(_ panel.Reader, id string) (string, bool) {
		for _, f := range found {
			if item := importItem(f); item.ID == id {
				return panel.WithFacts(panel.Literal(item.Label), panel.Fact{Name: "Found", Value: item.Detail},
					panel.Fact{Name: "Read", Value: "not yet; its files stay as they are, whatever you choose"}), true
			}
		}
		return "", false
	}
	return panel.Part{Section: importSection, Paint: paint, Markdown: markdown}
}

func importItem(f importer.Found) panel.Item {
	params := func(more string) map[string]any {
		all := map[string]any{"from": f.Format.Name}
		if more != "" {
			all[more] = true
		}
		return all
	}
	files := "1 file"
	if f.Files > 1 {
		files = fmt.Sprintf("%d files", f.Files)
	}
	return panel.Item{
		ID: importSection + ":" + f.Format.Name, Kind: importSection, Icon: "archive",
		Label: strings.ToUpper(f.Format.Title[:1]) + f.Format.Title[1:], Detail: files + " · " + f.Example,
		HasMarkdown: true,
		Actions: []panel.Action{
			{
				Title: "Take over", Icon: "check", Key: "c", Method: "wm/import", Params: params(""), Inline: true,
				Undoable: true,
			},
			{Title: "Show what would come", Icon: "eye", Key: "x", Method: "wm/import", Params: params("dryRun")},
			{Title: "Dismiss", Icon: "close", Key: "d", Method: "wm/import", Params: params("dismiss"), Inline: true},
		},
	}
}

// importMarkdown describes what an import would take over.
func importMarkdown(result wire.ImportResult) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, "- "+format+"\n", args...) }
	heading := func(n int, title string) {
		if n > 0 {
			fmt.Fprintf(&text, "%s (%d)\n\n", title, n)
		}
	}
	added := func(r wire.Receipt) bool { return r.Status == wire.ReceiptAdded }
	aside := func(r wire.Receipt) bool { return r.Entry != nil && r.Entry.Status == wire.StatusEvicted }
	for _, part := range []struct {
		title string
		has   func(wire.Receipt) bool
	}{
		{"Would be remembered", func(r wire.Receipt) bool { return added(r) && !aside(r) }},
		{"Would be found by search only", func(r wire.Receipt) bool { return added(r) && aside(r) }},
		{"Remembered already", func(r wire.Receipt) bool { return r.Status == wire.ReceiptUnchanged }},
		{"Would be rejected", func(r wire.Receipt) bool { return r.Status == wire.ReceiptRejected }},
	} {
		some := slices.DeleteFunc(slices.Clone(result.Memories), func(r wire.Receipt) bool { return !part.has(r) })
		heading(len(some), part.title)
		for _, r := range some {
			line("%s", receiptLine(r))
		}
		if len(some) > 0 {
			text.WriteString("\n")
		}
	}
	heading(len(result.Sessions), "Sessions")
	for _, id := range result.Sessions {
		line("%s", panel.Escape(id))
	}
	heading(len(result.Notes), "Notes")
	for _, note := range result.Notes {
		line("%s of %s (%s)", panel.Escape(note.Path), panel.Escape(note.SessionID), panel.Escape(note.Imported.File))
	}
	heading(len(result.Skipped), "Not read")
	for _, skipped := range result.Skipped {
		line("%s: %s", panel.Escape(skipped.Name), panel.Escape(skipped.Reason))
	}
	if result.Redactions > 0 {
		fmt.Fprintf(&text, "\nSecrets that are removed: %d\n", result.Redactions)
	}
	if text.Len() == 0 {
		return "There is nothing new to take over.\n"
	}
	return text.String()
}

// receiptLine returns what a receipt is about, where that stands, and the reason.
func receiptLine(r wire.Receipt) string {
	said := r.Text
	if r.Entry != nil {
		said = r.Entry.Text
	}
	where := r.Imported.File
	if r.Imported.Line > 0 {
		where += fmt.Sprintf(":%d", r.Imported.Line)
	}
	if r.Reason != "" {
		where += ", " + r.Reason
	}
	return fmt.Sprintf("%s (%s)", panel.Escape(said), panel.Escape(where))
}
