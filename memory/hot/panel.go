package hot

import (
	"fmt"
	"path"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// The ids of the sections of the panel: the open errors and the active files.
const (
	ErrorsSection = "errors"
	FilesSection  = "files"
)

// Panels returns the sections of the open errors and of the active files.
func (r *Room) Panels() []panel.Part {
	return []panel.Part{
		{Section: ErrorsSection, Paint: r.paintErrors, Markdown: r.errorMarkdown},
		{Section: FilesSection, Paint: r.paintFiles, Markdown: r.fileMarkdown},
	}
}

// The prefixes of the ids of items.
const (
	errorItems = "error:"
	fileItems  = "file:"
)

// maxPerCommand is how many errors of one command the panel lists. The others are
// children of an item that counts them.
const maxPerCommand = 5

func (r *Room) paintErrors(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: "Failing now", Show: panel.ShowAlways, Empty: "Nothing fails.",
	}
	list := r.Errors(at.Session, at.Worktree)
	if len(list) > 0 {
		section.Summary = fmt.Sprint(len(list))
	}
	var current, left []Error
	for _, e := range list {
		if e.Over {
			left = append(left, e)
		} else {
			current = append(current, e)
		}
	}
	section.Items = itemsOf(at, current, "errors:")
	if len(left) > 0 {
		section.Items = append(section.Items, panel.Item{
			ID: "errors:left", Kind: "group", Icon: "history", Label: "Not checked since " + who(left) + " ended",
			Dimmed: true, Children: itemsOf(at, left, "errors:left:"),
		})
	}
	return section
}

// who returns the name of the only editor or agent that reported errors, or else what all of them have in common.
func who(list []Error) string {
	name := ""
	for _, e := range list {
		for _, s := range e.Sources {
			if s.By == "" || name != "" && name != s.By {
				return "their sessions"
			}
			name = s.By
		}
	}
	return shorten.Line(name)
}

// itemsOf returns the items of errors. Above maxPerCommand those of a command are children of an item, whose id is
// the command after a prefix.
func itemsOf(at panel.Reader, list []Error, prefix string) []panel.Item {
	var items []panel.Item
	// By command: the number of listed errors, and the index of the item with the others.
	shown, rest := map[string]int{}, map[string]int{}
	for _, e := range list {
		item := errorItem(at, e)
		if e.Command == "" || shown[e.Command] < maxPerCommand {
			shown[e.Command]++
			items = append(items, item)
			continue
		}
		i, there := rest[e.Command]
		if !there {
			i = len(items)
			rest[e.Command] = i
			items = append(items, panel.Item{
				ID: prefix + e.Command, Kind: "group", Icon: "ellipsis", Dimmed: true, Folded: true,
			})
		}
		more := &items[i]
		more.Children = append(more.Children, item)
		more.Label = fmt.Sprintf("%d more of %s", len(more.Children), shorten.Line(e.Command))
	}
	return items
}

func errorItem(at panel.Reader, e Error) panel.Item {
	item := panel.Item{
		ID: errorItems + e.Fingerprint, Kind: "error", Icon: "error",
		Label: shorten.Line(e.Summary), Detail: errorDetail(e), Severity: 1, Dimmed: !e.Verified(), HasMarkdown: true,
	}
	item.Actions, item.Location, item.Aside = errorActions(e), e.location(at.Worktree), e.place()
	return item
}

// location returns the place of an error in a file, nil if it has none.
func (e Error) location(worktree string) *panel.Location {
	if e.Path == "" {
		return nil
	}
	location := &panel.Location{URI: panel.FileURI(worktree, e.Path)}
	if e.Line > 0 {
		location.Range = panel.AtLine(e.Line)
	}
	return location
}

// place returns the place of an error, such as "pay.go:7", "" if it has none.
func (e Error) place() string {
	if e.Path == "" || e.Line <= 0 {
		return e.Path
	}
	return fmt.Sprintf("%s:%d", e.Path, e.Line)
}

// errorActions returns what a person can do with an error.
func errorActions(e Error) []panel.Action {
	params := func() map[string]any { return map[string]any{"fingerprint": e.Fingerprint} }
	var actions []panel.Action
	if e.Rerun != nil {
		actions = append(actions, panel.Action{
			Title: "Run again", Icon: "debug-rerun", Key: "r", Method: "wm/errors/command", Params: params(),
			Inline: true,
		})
	}
	return append(actions,
		panel.Action{
			Title: "Dismiss", Icon: "close", Key: "d", Method: "wm/errors/dismiss", Params: params(), Inline: true,
			Undo: &panel.Action{Title: "Restore", Icon: "discard", Method: "wm/errors/restore", Params: params()},
		},
		panel.Action{
			Title: "Remember with its fix", Icon: "bookmark", Key: "s", Method: "wm/errors/remember", Params: params(),
			Inputs: []panel.Input{{Param: "fix", Prompt: "How is it fixed?", Kind: panel.InputText}},
		},
		panel.Action{
			Title: "Copy for an agent", Icon: "copy", Key: "y", Method: "wm/errors/copy", Params: params(),
		},
	)
}

func errorDetail(e Error) string {
	parts := []string{e.Category}
	if e.Count > 1 {
		parts = append(parts, fmt.Sprintf("%d×", e.Count))
	}
	if e.Masked {
		parts = append(parts, "a pipe hid the exit code")
	}
	if e.MaybeFixed {
		parts = append(parts, "not checked since the edit")
	}
	switch {
	case e.Over:
		parts = append(parts, "not checked since "+e.LastSeen.Local().Format("2 Jan 15:04"))
	case !e.Verified():
		parts = append(parts, "not reported since the restart")
	}
	return strings.Join(parts, " · ")
}

// errorMarkdown returns the page of an error, or of what stands below a session.
func (r *Room) errorMarkdown(at panel.Reader, item string) (string, bool) {
	fingerprint, ours := strings.CutPrefix(item, errorItems)
	if !ours {
		return r.sessionMarkdown(item)
	}
	e, there := r.Open(at.Worktree, fingerprint)
	if !there {
		return "", false
	}
	return panel.WithFacts(panel.Fence(e.Summary),
		panel.Fact{Name: "Category", Value: e.Category}, panel.Fact{Name: "File", Value: e.Path},
		panel.Fact{Name: "Reported by", Value: e.Tool}, panel.Fact{Name: "Command", Value: e.Command},
		panel.Fact{Name: "First seen", Value: panel.Clock(e.FirstSeen)},
		panel.Fact{Name: "Last seen", Value: panel.Clock(e.LastSeen)},
		panel.Fact{Name: "Times", Value: fmt.Sprint(e.Count)},
	), true
}

// actionIcons are the icons of actions on a file.
var actionIcons = map[event.FileAction]string{
	event.Edit: "edit", event.Write: "save", event.Grep: "search", event.Read: "eye",
	event.Glob: "search",
}

func (r *Room) paintFiles(at panel.Reader) panel.Section {
	section := panel.Section{
		Title: "Files", Show: panel.ShowAlways, Empty: "Opened files appear here.",
	}
	list := r.filesOf(at)
	if len(list) > 0 {
		section.Summary = fmt.Sprint(len(list))
	}
	for _, f := range list {
		detail := f.counted()
		if by := byOf(f, at); f.Session != at.Session && by != "" {
			detail += " · " + by
		}
		if reader := readBy(f, at); reader != "" {
			detail += " · read by " + reader
		}
		section.Items = append(section.Items, panel.Item{
			ID: fileItems + f.Path, Kind: "file", Icon: actionIcons[f.Action],
			Label: path.Base(f.Path), Detail: detail, Aside: folder(f.Path),
			Location: &panel.Location{URI: panel.FileURI(at.Worktree, f.Path)}, HasMarkdown: true,
		})
	}
	return section
}

// filesOf returns the files that the panel shows: the active ones, and then those that an ended session changed and
// left to the next one. One that was only looked at since stays what the session changed.
func (r *Room) filesOf(at panel.Reader) []File {
	list := r.Files(at.Session, at.Worktree, 0)
	if at.Left == "" {
		return list
	}
	active := map[string]int{}
	for i, f := range list {
		active[f.Path] = i
	}
	for _, f := range r.filesLeft(at.Left, at.Worktree) {
		i, isActive := active[f.Path]
		switch {
		case !isActive:
			list = append(list, f)
		case !list[i].isChanged():
			looked := list[i]
			f.reader = &looked
			list[i] = f
		}
	}
	return list
}

// byOf returns who worked with a file, and when its session ended if it has.
func byOf(f File, at panel.Reader) string {
	if f.Session == at.Left && at.Left != "" {
		return at.LeftBy
	}
	return f.By
}

// readBy returns who read a file that another one changed, such as an editor that has it open; "" if nobody did.
func readBy(f File, at panel.Reader) string {
	switch {
	case f.reader == nil || !f.isChanged():
		return ""
	case f.reader.Session == at.Own:
		return "you"
	}
	return f.reader.By
}

// folder returns the folder of a file, "" if that is the worktree.
func folder(file string) string {
	if dir := path.Dir(file); dir != "." {
		return dir
	}
	return ""
}

func (r *Room) fileMarkdown(at panel.Reader, item string) (string, bool) {
	file, ours := strings.CutPrefix(item, fileItems)
	if !ours {
		return "", false
	}
	for _, f := range r.filesOf(at) {
		if f.Path == file {
			return panel.WithFacts(panel.Fence(f.Path),
				panel.Fact{Name: "Done to it", Value: fmt.Sprintf("%s, %d times in all", f.Action, f.Count)},
				panel.Fact{Name: "Last", Value: panel.Clock(f.LastSeen)}, panel.Fact{Name: "By", Value: byOf(f, at)},
				panel.Fact{Name: "Read by", Value: readBy(f, at)},
			), true
		}
	}
	return "", false
}
