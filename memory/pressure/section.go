package pressure

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// ContextSection is the id of the room's section of the context.
const ContextSection = "pressure"

// MaxChars is the limit of the section in characters.
const MaxChars = 300

// Tokens is the unit of a report in tokens. Other reports are in characters.
const Tokens = "tokens"

// warnings are the texts that follow the line of a level.
var warnings = map[Level]string{
	Moderate: " It is getting full.",
	High: " It is nearly full: finish the step you are at, note what must not be lost, and compact the conversation;" +
		" ask for outputs pruned.",
	Critical: " There is hardly any room left: note what must not be lost and compact the conversation now;" +
		" ask for outputs pruned.",
}

// Sections returns the section of the pressure: a line that says how full the context is,
// with a warning from Moderate and advice from High. It is empty before the first report.
func (r *Room) Sections(at room.Reader) []render.Section {
	part := func(maxChars int, shown render.DedupSet) render.Part {
		p := r.Of(at.Session)
		if p.Limit == 0 {
			return render.Part{}
		}
		line := p.line(p.Level(r.env.Settings().Pressure))
		part := render.Fixed(ContextSection, line)(maxChars, shown)
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
