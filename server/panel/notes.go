package panel

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// notesSection shows the notes of the session that looks at the panel: they are
// files and open as such.
func notesSection(r Reader) wire.PanelSection {
	section := wire.PanelSection{
		Title: "Notes", Show: wire.ShowNonEmpty, Items: []wire.PanelItem{},
		Empty: "No notes yet. An agent is given an overview to maintain when it asks for its context.",
	}
	folder, err := memory.ServiceOf[*notes.Service](r.Workspace).Folder(r.agent)
	if err != nil {
		return section
	}
	files, err := folder.List()
	if err != nil {
		section.Empty = "The notes cannot be listed: " + err.Error()
		return section
	}
	var archived []wire.PanelItem
	for _, file := range files {
		item := noteItem(r, folder, file)
		if strings.HasPrefix(file.Path, notes.Archive+"/") {
			item.Icon, item.Dimmed, item.Actions = "archive", true, []wire.PanelAction{{
				Title: "Restore", Icon: "discard", Key: "r", Method: "wm/notes/restore", Params: r.of(wire.Object{"path": file.Path}), Inline: true,
			}}
			archived = append(archived, item)
			continue
		}
		section.Items = append(section.Items, item)
	}
	if len(archived) > 0 {
		section.Items = append(section.Items, wire.PanelItem{
			ID: "notes:archive", Kind: "group", Icon: "archive", Label: fmt.Sprintf("%d archived", len(archived)), Dimmed: true,
			Actions: []wire.PanelAction{}, Children: archived,
		})
	}
	if len(files) > 0 {
		section.Summary = r.whose(fmt.Sprint(len(files)))
	}
	return section
}

func noteItem(r Reader, folder notes.Folder, file notes.File) wire.PanelItem {
	icon := "note"
	if file.Path == notes.Overview {
		icon = "book"
	}
	return wire.PanelItem{
		ID: "note:" + file.Path, Kind: "note", Icon: icon, Label: oneLine(file.Title), Detail: fmt.Sprintf("%s · %s", file.Path, size(file.Bytes)), HasMarkdown: true,
		Location: &wire.PanelLocation{URI: string(uri.File(filepath.Join(folder.Path(), filepath.FromSlash(file.Path))))},
		Actions: []wire.PanelAction{{
			Title: "Archive", Icon: "archive", Key: "A", Method: "wm/notes/archive", Params: r.of(wire.Object{"path": file.Path}), Inline: true,
		}},
	}
}

func size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/1000)
}

// maxNoteShown is how much of a note is shown beside the panel, in characters.
const maxNoteShown = 4000

// noteMarkdown is what a note says, which is Markdown that somebody else wrote:
// it is shown as it is.
func noteMarkdown(r Reader, path string) (string, bool) {
	folder, err := memory.ServiceOf[*notes.Service](r.Workspace).Folder(r.agent)
	if err != nil {
		return "", false
	}
	note, err := folder.Read(path)
	if err != nil {
		return escape(err.Error()) + "\n", true
	}
	text := []rune(note.Content)
	if len(text) > maxNoteShown {
		text = append(text[:maxNoteShown:maxNoteShown], '…')
	}
	return fence(string(text)) + "\n", true
}
