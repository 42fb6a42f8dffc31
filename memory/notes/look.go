package notes

import (
	"cmp"
	"fmt"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/overview"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// ContextSection is the id of the section of the overview.
const ContextSection = "overview"

// A Look is the overview of a session as it was read once, so that everything in
// a context that depends on it sees the same. The zero Look is that of no
// overview.
type Look struct {
	Note
	// Problem is why the overview cannot be read or made, nil if there is no problem.
	Problem error
	Outline
	room *Room
}

// An Outline is what an overview says, made once for each revision.
type Outline struct {
	// Own is the revision without the blocks of the server.
	Own string
	// Maintained is whether the overview says more than its template.
	Maintained bool
	// Compacted is whether it tells of history that was compacted.
	Compacted bool
	Chars     int
	Sections  []overview.Section
	Resolved  []string
}

func outlineOf(text string) Outline {
	return Outline{
		Own: OwnRevision(text), Maintained: overview.Maintained(text),
		Compacted: overview.Block(text, overview.History) != "",
		Chars:     utf8.RuneCountInString(text), Sections: overview.Sections(text), Resolved: overview.Resolved(text),
	}
}

// Look reads the overview of a session.
func (r *Room) Look(session string) Look { return r.LookAt(r.Read(session)) }

// LookAt returns the look at an overview that was just read or made.
func (r *Room) LookAt(note Note, problem error) Look {
	look := Look{Note: note, Problem: problem, room: r}
	if look.There() {
		look.Outline = r.outlines.Of(note.Revision, func() Outline { return outlineOf(note.Content) })
	}
	return look
}

// There reports whether there is an overview.
func (l Look) There() bool { return l.Revision != "" }

// A portion is what of an overview is rendered within a length.
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

// Section returns the section of the overview. While the overview is the template
// it is guidance.
func (l Look) Section() render.Section {
	section := render.Section{
		ID: ContextSection, Guidance: !l.Maintained, State: l.Revision,
		Render: func(int, render.Said) render.Part { return render.Part{} },
	}
	switch {
	case l.Problem != nil:
		section.State += " " + l.Problem.Error()
		section.Render = func(int, render.Said) render.Part {
			return render.Part{Omitted: []render.Omission{{ID: Overview, Reason: l.Problem.Error()}}}
		}
	case l.There():
		section.MaxChars = l.room.Settings().Notes.MaxChars + maxTags
		section.Render = func(maxChars int, _ render.Said) render.Part { return l.part(maxChars) }
	}
	return section
}

// part shows whole sections of the overview (systems.md D2). It says what its
// lines say.
func (l Look) part(maxChars int) render.Part {
	key := portionKey{l.Revision, maxChars}
	shown := l.room.portions.Of(key, func() portion { return portionOf(l.Content, maxChars-maxTags) })
	part := render.Part{}
	for _, heading := range shown.omitted {
		part.Omitted = append(part.Omitted, render.Omission{ID: cmp.Or(heading, Overview), Reason: "budget"})
	}
	if shown.text != "" {
		part.Text = openTag + shown.text + closeTag
		part.Items = []render.Item{{ID: Overview, Text: part.Text}}
		part.Says = l.room.sayings.Of(shown.text)
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
		if shown, omitted = overview.Render(text, maxChars-len(rest)); shown != "" {
			shown += rest
		}
	}
	// Sections that did not follow on each other may make a tag together.
	return portion{render.Inert(shown), omitted}
}
