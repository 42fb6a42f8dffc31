package overview

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// A Section is one of the writer's sections.
type Section struct {
	Title string
	Chars int // Unicode code points, with the heading
}

// Sections returns the level-2 sections of an overview, without those that the
// server maintains.
func Sections(text string) []Section {
	d := parse(text)
	var found []Section
	for _, s := range d.sections() {
		if s.level == 2 && !s.own {
			found = append(found, Section{s.title, utf8.RuneCountInString(text[s.start:s.end])})
		}
	}
	return found
}

// resolved is a list item that is ticked off, or says that it is done.
var resolved = pattern.Lazy(
	`(?i)^\s*[-*+]\s+(?:\[x\]|✅|✔|~~|(?:done|fixed|resolved|closed|finished|完成|已完成|已解决|已修复)\s*[:：])`,
)

// Resolved returns the lines of a text that are ticked off or say that they are
// done.
func Resolved(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if resolved().MatchString(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
