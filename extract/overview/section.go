package overview

import (
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// A Section is a section that the server does not maintain.
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

// resolved matches a list item that is checked off or marked as done.
var resolved = once.Compile(
	`(?i)^\s*[-*+]\s+(?:\[x\]|✅|✔|~~|(?:done|fixed|resolved|closed|finished|完成|已完成|已解决|已修复)\s*[:：])`,
)

// Resolved returns the list items of a string that are checked off or marked as done.
func Resolved(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if resolved.MatchString(line) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}
