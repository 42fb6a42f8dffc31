package pressure

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section.
const ContextSection = "pressure"

// MaxChars bounds the section, in characters.
const MaxChars = 300

// Tokens is the unit of a report in tokens; all else is in characters.
const Tokens = "tokens"

// warnings are what the levels say besides their name: from moderate a warning,
// from high advice.
var warnings = map[Level]string{
	Moderate: " It is getting full.",
	High: " It is nearly full: finish the step you are at, note what must not be lost, and compact the conversation;" +
		" ask for outputs pruned.",
	Critical: " There is hardly any room left: note what must not be lost and compact the conversation now;" +
		" ask for outputs pruned.",
}

// Sections returns the section of the pressure: one line that says how full the
// context is, from moderate a warning, from high what to do. It is empty before
// the first report.
func (r *Room) Sections(at room.Reader) []render.Section {
	part := func(maxChars int, said render.Said) render.Part {
		p := r.Of(at.Session)
		if p.Limit == 0 {
			return render.Part{}
		}
		line := p.line(p.Level(r.Settings().Pressure))
		part := render.Fixed(ContextSection, line)(maxChars, said)
		if part.Text != "" {
			part.Items = []render.Item{{ID: ContextSection, Text: line}}
		}
		return part
	}
	return []render.Section{{ID: ContextSection, MaxChars: MaxChars, Render: part}}
}

func (p Pressure) line(level Level) string {
	unit := "characters"
	if p.Unit == Tokens {
		unit = "tokens"
	}
	return fmt.Sprintf("<"+tag.Pressure+">%.0f %% of your context is used (%s): %d of %d %s.%s</"+tag.Pressure+">",
		p.Percentage(), level, p.Used, p.Limit, unit, warnings[level])
}
