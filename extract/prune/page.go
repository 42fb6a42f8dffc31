package prune

import (
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/terminal"
)

// A page is an output while it is being pruned.
type page struct {
	options Options
	measure measure
	lines   []line
	entries []entry // what is left after folding, in order
	found   []Kind
}

// A line is one line of the output as a terminal shows it.
type line struct {
	text  string
	fault fault
	shape uint64 // equal for near-identical lines
}

// An entry is a line that is left after folding.
type entry struct {
	line int
	// more describes the lines that were folded behind this one, if any.
	more string
	// again is true for a line that occurred before and is left out for that.
	again bool
	kept  bool
}

// maxLines is the number of lines that are processed, half of them at either end.
const maxLines = 400_000

func newPage(text string, options Options) *page {
	lines := split(strings.TrimSuffix(terminal.Strip(text), "\n"))
	p := &page{options: options, measure: measures.Get()[options.Mode], lines: make([]line, len(lines))}
	for i, l := range lines {
		p.lines[i].text = overwritten(l)
	}
	p.findFaults()
	for i := range p.lines {
		p.lines[i].shape = p.lines[i].shapeOf()
	}
	return p
}

// split returns the lines of a string. If there are too many, one line with a note
// replaces those in the middle.
func split(text string) []string {
	count := strings.Count(text, "\n") + 1
	if count <= maxLines {
		return strings.Split(text, "\n")
	}
	first := strings.SplitN(text, "\n", maxLines/2+1)
	rest := first[maxLines/2]
	first[maxLines/2] = fmt.Sprintf("[… %d lines, which were not looked at for errors]", count-maxLines)
	for skip := count - maxLines; skip > 0; skip-- {
		rest = rest[strings.IndexByte(rest, '\n')+1:]
	}
	return append(first, strings.Split(rest, "\n")...)
}

// overwritten returns a line as it is after carriage returns, which progress bars
// use to overwrite themselves, without trailing white space.
func overwritten(text string) string {
	text = strings.TrimRight(text, " \t\r")
	if last := strings.LastIndexByte(text, '\r'); last >= 0 {
		text = text[last+1:]
	}
	return text
}

func (p *page) hasLongLine() bool {
	for _, l := range p.lines {
		if len(l.text) > longLine {
			return true
		}
	}
	return false
}
