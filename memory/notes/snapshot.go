package notes

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// ContextSection is the id of the section of the overview.
const ContextSection = "overview"

// A Snapshot is the overview of a session as it was read at one time, so that all parts of
// a context use the same overview. The zero Snapshot has no overview.
type Snapshot struct {
	Note
	// Problem is the reason why the overview cannot be read or created, nil if there is none.
	Problem error
	Outline
	room *Room
}

// An Outline is what is extracted from an overview. It is computed once per revision.
type Outline struct {
	// Own is the OwnRevision of the overview.
	Own string
	// Maintained is true if the overview has more content than its template.
	Maintained bool
	// Compacted is true if the overview describes history that was compacted.
	Compacted bool
	Chars     int
	Sections  []overview.Section
	Resolved  []string
	// Shown is the text without what an agent learns nothing from, see overview.Shown.
	Shown string
	// Said is Shown without the index of the notes.
	Said string
}

func outlineOf(text string) Outline {
	return Outline{
		Own: OwnRevision(text), Maintained: overview.Maintained(text),
		Compacted: overview.Block(text, overview.History) != "",
		Chars:     utf8.RuneCountInString(text), Sections: overview.Sections(text), Resolved: overview.Resolved(text),
		Shown: overview.Shown(text), Said: overview.Said(text),
	}
}

// Snapshot reads the overview of a session.
func (r *Room) Snapshot(session string) Snapshot {
	return r.SnapshotOf(readOverview(r.env.SessionDir(session)))
}

// Path returns the absolute path of the overview of a session, "" if it has no folder.
func (r *Room) Path(session string) string {
	folder, err := r.folder(session)
	if err != nil {
		return ""
	}
	return filepath.Join(folder.Path(), Overview)
}

// SnapshotOf returns the snapshot of an overview that was read or created.
func (r *Room) SnapshotOf(note Note, problem error) Snapshot {
	snapshot := Snapshot{Note: note, Problem: problem, room: r}
	if snapshot.Exists() {
		snapshot.Outline = r.outlines.Of(note.Revision, func() Outline { return outlineOf(note.Content) })
	}
	return snapshot
}

// Exists reports whether there is an overview.
func (s Snapshot) Exists() bool { return s.Revision != "" }

// A portion is the part of an overview that is rendered within a limit.
type portion struct {
	text    string
	omitted []string // headings
}

type portionKey struct {
	revision string
	maxChars int
}

// The tags around the overview.
const (
	openTag  = "<" + tag.Overview + ">\n"
	closeTag = "\n</" + tag.Overview + ">"
)

const maxTags = len(openTag + closeTag)

// Section returns the section of the overview. If nothing is written there yet, it is a line
// that says so. It is guidance as long as the overview is the template.
func (s Snapshot) Section() render.Section {
	section := render.Section{
		ID: ContextSection, Label: PanelTitle, Guidance: !s.Maintained, State: s.Revision,
		Render: func(int, render.DedupSet) render.Part { return render.Part{} },
	}
	switch {
	case s.Problem != nil:
		section.State += " " + s.Problem.Error()
		section.Render = func(int, render.DedupSet) render.Part {
			return render.Part{Omitted: []render.Omission{{ID: Overview, Reason: s.Problem.Error()}}}
		}
	case s.Exists() && s.Shown == "":
		line := s.empty()
		section.MaxChars, section.Render = utf8.RuneCountInString(line), render.Fixed(Overview, line)
	case s.Exists():
		section.MaxChars = s.room.env.Settings().Notes.MaxChars + maxTags
		section.Render = func(maxChars int, _ render.DedupSet) render.Part { return s.part(maxChars) }
		section.Gone = func(item render.Item) string { return "No longer in overview.md: " + item.ID }
	}
	return section
}

// emptyText says in each language that the overview is empty. Its path in the folder of the
// session follows. The guide has the absolute path.
var emptyText = map[string]string{"en": "empty: ", "zh": "空："}

// empty returns the line that stands for an overview without content.
func (s Snapshot) empty() string {
	said := cmp.Or(emptyText[s.room.env.Settings().Notes.Language], emptyText["en"])
	return "<" + tag.Overview + ">" + said + store.NotesName + "/" + Overview + "</" + tag.Overview + ">"
}

// part returns the rendered section, with whole sections of the overview (systems.md D2)
// and the deduplication keys of their lines.
func (s Snapshot) part(maxChars int) render.Part {
	key := portionKey{s.Revision, maxChars}
	shown := s.room.portions.Of(key, func() portion { return portionOf(s.Shown, maxChars-maxTags) })
	part := render.Part{}
	for _, heading := range shown.omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: cmp.Or(heading, Overview), Reason: "budget"})
	}
	if shown.text != "" {
		part.Text = openTag + shown.text + closeTag
		for _, section := range overview.Parts(shown.text) {
			part.Items = append(part.Items, render.Item{ID: cmp.Or(section.Title, Overview), Text: section.Text})
		}
		part.DedupKeys = s.room.dedup.Keys(shown.text)
	}
	return part
}

func portionOf(content string, maxChars int) portion {
	text := render.Inert(gate.Text(content))
	shown, omitted := overview.Render(text, maxChars)
	if len(omitted) > 0 {
		count := "1 section is"
		if n := len(omitted); n > 1 {
			count = fmt.Sprintf("%d sections are", n)
		}
		rest := "\n\n(" + count + " left out here; read overview.md)"
		shown, omitted = overview.Render(text, maxChars-len(rest))
		if len(rest) <= maxChars {
			shown = strings.TrimLeft(shown+rest, "\n")
		}
	}
	// Sections that were not adjacent may form a tag when they are joined.
	return portion{render.Inert(shown), omitted}
}
