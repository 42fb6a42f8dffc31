package pressure

import (
	"fmt"

	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// ContextSection is the id of the room's section of the context.
const ContextSection = "pressure"

// MaxChars is the limit of the section in characters.
const MaxChars = 300

// Tokens is the unit of a report in tokens. Other reports are in characters.
const Tokens = "tokens"

// warnings are the sentences that follow the line of a level.
var warnings = map[Level]string{
	Moderate: " It is getting full.",
	High: " Compress your core blocks, clear resolved errors from the working memory, note what must not be lost, " +
		"compact the history, ask for outputs pruned.",
	Critical: " There is hardly any room left. Now: note what must not be lost, compact the history, compress your " +
		"core blocks, clear resolved errors from the working memory.",
}

// ahead follows the line of Safe when the hint says what to archive, so that the two do not contradict each other.
const ahead = " Archive what you are done with before it gets full."

// Sections returns the section of the pressure: a line that says how full the context is,
// with a warning from Moderate and advice from High (systems.md A11). It is empty while there
// is nothing new.
func (r *Room) Sections(at room.Reader) []render.Section {
	part := func(maxChars int, shown render.DedupSet) render.Part {
		p, bounds := r.Of(at.Session), r.env.Settings().Pressure
		if !p.IsNews(bounds) {
			return render.Part{}
		}
		level := p.Level(bounds)
		line := p.line(level, r.env.Settings().Compact)
		part := render.Fixed(ContextSection, line)(maxChars, shown)
		if part.Text != "" {
			part.Items = []render.Item{{
				ID: ContextSection, Text: line, Told: told(level), Same: string(level), Silent: level == Safe,
			}}
		}
		return part
	}
	return []render.Section{{ID: ContextSection, Label: "How full it is", MaxChars: MaxChars, Render: part}}
}

// told returns the line of a delta for a level, without the numbers that the host reported.
func told(level Level) string {
	if level == Moderate {
		return "your context is getting full; memory pressure is moderate."
	}
	return fmt.Sprintf("memory pressure is %s.%s", level, warnings[level])
}

func (p Pressure) line(level Level, bounds settings.Compact) string {
	more := warnings[level]
	if level == Safe && p.part() >= bounds.Medium {
		more = ahead
	}
	return fmt.Sprintf("<"+tag.Pressure+">%d %% of your context is used (%s).%s</"+tag.Pressure+">",
		p.Percent(), level, more)
}
