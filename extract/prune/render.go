package prune

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

const (
	// longLine is the length, in bytes, from which one line is worth pruning.
	longLine = 2000
	// faultWidth is the number of bytes kept of an error line.
	faultWidth = 2000
)

// width returns the number of bytes kept of a line.
func (p *page) width(l line) int {
	if l.fault > places {
		return faultWidth
	}
	return p.measure.width
}

// render returns the text of the kept entries and its number of lines.
func (p *page) render() (text string, lines int) {
	var out strings.Builder
	put := func(s string) {
		if lines > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(s)
		lines++
	}
	next := 0
	for i := 0; i < len(p.entries); i++ {
		if e := p.entries[i]; e.kept {
			put(p.shown(p.lines[e.line]))
			if e.more != "" {
				put(e.more)
			}
			next = i + 1
			continue
		}
		for i+1 < len(p.entries) && !p.entries[i+1].kept {
			i++
		}
		gap := p.gap(next, i+1)
		put(gap)
	}
	return out.String(), lines
}

// gap returns a note about the lines left out between two entries, or the lines
// themselves if they are shorter than the note.
func (p *page) gap(from, to int) string {
	end := len(p.lines)
	if to < len(p.entries) {
		end = p.entries[to].line
	}
	first := p.entries[from].line
	what := "lines"
	if end-first == 1 {
		what = "line"
	}
	if p.is(Listing) || p.is(Tree) {
		what += endings(p.lines[first:end])
	}
	note := fmt.Sprintf("[… %d %s]", end-first, what)
	whole := 0
	for _, l := range p.lines[first:end] {
		if whole += len(l.text) + 1; whole > len(note) {
			return note
		}
	}
	lines := make([]string, 0, end-first)
	for _, l := range p.lines[first:end] {
		lines = append(lines, l.text)
	}
	return strings.Join(lines, "\n")
}

// shown returns a line, cut in its middle if it is too long.
func (p *page) shown(l line) string {
	text, width := l.text, p.width(l)
	if l.fault == heads {
		return ruled.ReplaceAllString(text, "$1$1$1")
	}
	if len(text) <= width+cutNote {
		return text
	}
	if l.fault > places {
		return around(text, width)
	}
	what := "characters"
	if isBase64(text, longBase64) {
		what, width = "characters of base64", width/4
	}
	head, tail := runes(text[:width*3/4], true), runes(text[len(text)-width/4:], false)
	left := utf8.RuneCountInString(text) - utf8.RuneCountInString(head) - utf8.RuneCountInString(tail)
	return fmt.Sprintf("%s[… %d %s]%s", head, left, what, tail)
}

// ruled matches the rules around a heading.
var ruled = once.Compile(`(=|_)(?:=|_){3,}`)

// cutNote is the approximate length of the note that replaces the middle of a line.
const cutNote = 24

// around returns about width bytes of a string, beginning shortly before its first
// sign of an error.
func around(text string, width int) string {
	at := max(0, signAt(text)-width/4)
	end := min(len(text), at+width)
	at = max(0, end-width)
	part := runes(runes(text[at:end], true), false)
	if at > 0 {
		part = fmt.Sprintf("[… %d characters]", utf8.RuneCountInString(text[:at])) + part
	}
	if end < len(text) {
		part += fmt.Sprintf("[… %d characters]", utf8.RuneCountInString(text[end:]))
	}
	return part
}

// runes removes an incomplete character at the end or the beginning of a string.
func runes(text string, atEnd bool) string {
	for i := 0; i < utf8.UTFMax && text != ""; i++ {
		if atEnd {
			if r, size := utf8.DecodeLastRuneInString(text); r != utf8.RuneError || size > 1 {
				break
			}
			text = text[:len(text)-1]
			continue
		}
		if utf8.RuneStart(text[0]) {
			break
		}
		text = text[1:]
	}
	return text
}
