package panel

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// Hover is what there is to say at a place in a file, as Markdown: the errors
// that are open there, and memories about it, a paragraph each.
func Hover(errors []hot.Error, entries []longterm.Entry) string {
	return hoverText(errors, entries, func(text string) string { return "**" + text + "**" }, panel.Escape)
}

// PlainHover is Hover for clients that do not read Markdown.
func PlainHover(errors []hot.Error, entries []longterm.Entry) string {
	same := func(text string) string { return text }
	return hoverText(errors, entries, same, same)
}

func hoverText(errors []hot.Error, entries []longterm.Entry, strong, written func(string) string) string {
	literal := func(text string) string { return written(panel.Visible(panel.OneLine(text))) }
	var paragraphs []string
	for _, e := range errors {
		facts := []string{e.Category, fmt.Sprintf("%d×", e.Count), "since " + e.FirstSeen.Local().Format("2 Jan 15:04")}
		if e.Command != "" {
			facts = append(facts, e.Command)
		}
		if e.MaybeFixed {
			facts = append(facts, "maybe fixed")
		}
		paragraphs = append(paragraphs,
			strong("Open error")+" ("+literal(strings.Join(facts, ", "))+"): "+literal(e.Summary))
	}
	for _, entry := range entries {
		text := strong("Remembered") + " (" + literal(entry.Type) + "): " + literal(entry.Text)
		if entry.Rationale != "" {
			text += " – " + literal(entry.Rationale)
		}
		paragraphs = append(paragraphs, text)
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}
