package overview

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// The names of the server's own blocks.
const (
	Index   = "index"   // the files in detail/ (systems.md C5)
	History = "history" // the compacted history (systems.md C4)
)

// A block is text that the server maintains between two markers. The span extends
// from the first marker to the end of the second one's line, without the line end.
type block struct {
	span
	name string
	body span // without the line end before the second marker
}

type mark struct {
	span
	name  string
	close bool
}

// findBlocks finds the blocks: an opening marker followed by the closing marker of
// the same name, with no other marker between. All other markers are text of the
// author, because it is unknown which part of it the server wrote.
func (d *document) findBlocks(fences []span) {
	if !strings.Contains(d.text, "wm:") {
		return
	}
	marks := d.marks(fences)
	for i := 0; i+1 < len(marks); i++ {
		first, second := marks[i], marks[i+1]
		if first.close || !second.close || first.name != second.name {
			continue
		}
		b := block{
			name: first.name,
			span: span{first.start, second.end},
			body: span{d.lineEnd(first.end), second.start},
		}
		if b.body.end > b.body.start {
			b.body.end -= len("\n")
			if strings.HasSuffix(d.text[b.body.start:b.body.end], "\r") {
				b.body.end -= len("\r")
			}
		}
		d.blocks = append(d.blocks, b)
		i++
	}
	d.broken = len(marks) != 2*len(d.blocks)
}

func (d *document) marks(fences []span) []mark {
	var marks []mark
	start := 0
	for line := range strings.Lines(d.text) {
		at := start
		start += len(line)
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		name, closes, is := marker(line)
		if !is {
			continue
		}
		for len(fences) > 0 && fences[0].end <= at {
			fences = fences[1:]
		}
		if len(fences) > 0 && fences[0].holds(at) {
			continue
		}
		marks = append(marks, mark{span{max(d.begin, at), at + len(line)}, name, closes})
	}
	return marks
}

// IsMarker reports whether a line, without its end, is one of the markers around what the server writes.
func IsMarker(line string) bool {
	_, _, is := marker(line)
	return is
}

// marker returns the name of the marker that a line is, and whether it is the second one of a block. A marker is alone
// on its line without indentation.
func marker(line string) (name string, closes, is bool) {
	name, is = strings.CutPrefix(strings.TrimPrefix(line, bom), "<!-- ")
	if !is {
		return "", false, false
	}
	name, closes = strings.CutPrefix(name, "/")
	name, is = strings.CutPrefix(name, "wm:")
	name, rest, ends := strings.Cut(name, " -->")
	is = is && ends && name != "" && strings.Trim(rest, " \t") == "" &&
		!strings.ContainsFunc(name, func(r rune) bool { return r < 'a' || r > 'z' })
	return name, closes, is
}

// block returns the block with a name. If there are several it returns the last
// one, because a new block is written behind a broken one.
func (d *document) block(name string) (block, bool) {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if d.blocks[i].name == name {
			return d.blocks[i], true
		}
	}
	return block{}, false
}

// Block returns the text between the markers with a name (lower case letters), with
// "\n" as line ends, or "" if there is no such block.
func Block(text, name string) string {
	d := parse(text)
	return d.blockBody(name)
}

func (d *document) blockBody(name string) string {
	b, _ := d.block(name)
	return strings.ReplaceAll(d.text[b.body.start:b.body.end], "\r\n", "\n")
}

// SetBlock replaces the text between the markers with a name, and nothing else. If
// there is no such block it appends one after an empty line, or puts it first if
// the text ends inside unclosed code. An empty body removes the block. Unpaired
// markers are kept as text of the author; next to them a block is emptied instead
// of removed, so that they never enclose text of the author. Line ends are those of
// the text. A body that would break out of its markers (unclosed code, markers) is
// indented by four spaces.
func SetBlock(text, name, body string) string {
	d := parse(text)
	old, there := d.block(name)
	body = strings.TrimRight(lineEnds.Get().Replace(body), "\n")
	if strings.TrimSpace(body) == "" {
		return d.withoutBlock(name)
	}
	if !staysInside(name, body) {
		body = "    " + strings.ReplaceAll(body, "\n", "\n    ")
	}
	written := strings.ReplaceAll(opening(name)+"\n"+body+"\n"+closing(name), "\n", d.newline)
	if there {
		return text[:old.start] + written + text[old.end:]
	}
	if !d.unclosed {
		return text + d.gap(text) + written + d.newline
	}
	return text[:d.begin] + written + d.newline + d.newline + text[d.begin:]
}

var lineEnds = once.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("\r\n", "\n", "\r", "\n")
}}

func opening(name string) string { return "<!-- wm:" + name + " -->" }
func closing(name string) string { return "<!-- /wm:" + name + " -->" }

// gap returns the line ends to append so that a nonempty text ends with an empty
// line.
func (d *document) gap(text string) string {
	switch {
	case len(text) <= d.begin, strings.HasSuffix(text, "\n\n"), strings.HasSuffix(text, "\n\r\n"):
		return ""
	case strings.HasSuffix(text, "\n"):
		return d.newline
	}
	return d.newline + d.newline
}

// staysInside reports whether a body between its markers does not affect the text
// after them.
func staysInside(name, body string) bool {
	d := parse(opening(name) + "\n" + body + "\n" + closing(name) + "\n\n## after\n")
	last := len(d.headings) - 1
	return !d.broken && len(d.blocks) == 1 && d.blockBody(name) == body &&
		last >= 0 && d.headings[last].title == "after" && !d.inBlock(d.headings[last].start)
}

func (d *document) withoutBlock(name string) string {
	old, there := d.block(name)
	if !there {
		return d.text
	}
	before, after := d.text[:old.start], d.text[old.end:]
	if d.broken || d.count(name) > 1 {
		return before + opening(name) + d.newline + closing(name) + after
	}
	after = after[min(len(after), d.lineEnd(old.end)-old.end):]
	if strings.TrimSpace(after) == "" && (strings.HasSuffix(before, "\n\n") || strings.HasSuffix(before, "\n\r\n")) {
		before = strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r")
	}
	return before + after
}

func (d *document) count(name string) int {
	n := 0
	for _, b := range d.blocks {
		if b.name == name {
			n++
		}
	}
	return n
}
