package notes

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Section is the id of the section of the panel.
const Section = "notes"

// Panels returns the section of the notes of the shown session.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{{Section: Section, Paint: r.paint, Markdown: r.markdown}}
}

// HasMemory reports whether a session has an overview.
func (r *Room) HasMemory(session string) bool {
	_, there := r.Overview(session)
	return there
}

// PanelTitle is the title of the section of the panel.
const PanelTitle = "Agent notes"

// itemPrefix is the prefix of the ids of items. The path of the note follows.
const itemPrefix = "note:"

func (r *Room) paint(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: PanelTitle, Show: panel.ShowNonEmpty,
		Empty: "No notes yet. An agent is given an overview to maintain when it asks for its context.",
	}
	folder, err := r.folder(at.Shown)
	if err != nil {
		return section
	}
	files, err := folder.List()
	if err != nil {
		section.Empty = "The notes cannot be listed: " + fault.Plain(err)
		return section
	}
	var archived []panel.Item
	for _, file := range files {
		item := noteItem(at, folder, file)
		if strings.HasPrefix(file.Path, Archive+"/") {
			archived = append(archived, item)
		} else {
			section.Items = append(section.Items, item)
		}
	}
	if len(archived) > 0 {
		section.Items = append(section.Items, panel.Item{
			ID: "notes:archive", Kind: "group", Icon: "archive", Label: fmt.Sprintf("%d archived", len(archived)),
			Dimmed: true, Children: archived, Folded: true,
		})
	}
	if len(files) > 0 {
		section.Summary = at.WithName(fmt.Sprint(len(files)))
	}
	return section
}

func (r *Room) folder(session string) (Folder, error) {
	dir, err := r.env.SessionDir(session)
	return In(dir), err
}

func noteItem(at panel.Reader, folder Folder, file File) panel.Item {
	item := panel.Item{
		ID: itemPrefix + file.Path, Kind: "note", Icon: "note", Label: shorten.Line(file.Title),
		Detail: size(file.Bytes), Aside: file.Path, HasMarkdown: true,
		Location: &panel.Location{URI: panel.FileURI(folder.Path(), file.Path)},
	}
	action := panel.Action{
		Title: "Archive", Icon: "archive", Key: "A", Method: "wm/notes/archive",
		Params: at.WithSession(map[string]any{"path": file.Path}), Inline: true,
	}
	switch {
	case file.Path == Overview:
		item.Icon = "book"
	case strings.HasPrefix(file.Path, Archive+"/"):
		item.Icon, item.Dimmed = "archive", true
		action.Title, action.Icon, action.Key, action.Method = "Restore", "discard", "r", "wm/notes/restore"
	}
	item.Actions = []panel.Action{action}
	return item
}

func size(bytes int64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%d B", bytes)
	}
	return fmt.Sprintf("%.1f KB", float64(bytes)/1000)
}

// maxShown is how much of a note the panel shows, in characters.
const maxShown = 4000

// markdown returns the text of a note as a literal block, because it is not trusted
// Markdown.
func (r *Room) markdown(at panel.Reader, item string) (string, bool) {
	path, ours := strings.CutPrefix(item, itemPrefix)
	if !ours {
		return "", false
	}
	folder, err := r.folder(at.Shown)
	if err != nil {
		return "", false
	}
	note, err := folder.Read(path)
	if err != nil {
		return panel.Escape(fault.Plain(err)) + "\n", true
	}
	text := []rune(note.Content)
	if len(text) > maxShown {
		text = append(text[:maxShown:maxShown], '…')
	}
	return panel.Fence(string(text)) + "\n", true
}
