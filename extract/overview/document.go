package overview

import (
	"cmp"
	"slices"
	"strings"
)

// bom is the byte order mark that some editors write at the beginning of a file.
const bom = "\ufeff"

// A span is a range of bytes, usually of whole lines with their line ends.
type span struct{ start, end int }

func (s span) holds(position int) bool { return s.start <= position && position < s.end }

func (s span) moved(by int) span { return span{s.start + by, s.end + by} }

type heading struct {
	span
	level int
	title string
}

// maxSections is how many headings begin a section; those behind them are text of the last one.
const maxSections = 1 << 13

// A document is a Markdown text and the positions of its parts. It has only parts
// at the top level: a heading in a list or a quote is content.
type document struct {
	text     string
	begin    int // after the byte order mark
	newline  string
	headings []heading
	comments []span // closed HTML comments with nothing else on their lines
	blocks   []block
	broken   bool // whether there are markers that belong to no block
	unclosed bool // whether the text ends in fenced code
	// What was found by divide and findSlots.
	divided  []section
	found    []slot
	searched bool // whether found is known
}

func parse(source string) *document {
	offset := len(source) - len(strings.TrimPrefix(source, bom))
	d := &document{text: source, begin: offset, newline: "\n"}
	if first, _, _ := strings.Cut(source, "\n"); strings.HasSuffix(first, "\r") {
		d.newline = "\r\n"
	}
	var fences []span
	d.unclosed = topBlocks(shallow(source[offset:]), func(n *node) {
		at := n.span.moved(offset)
		switch n.kind {
		case atx, setext:
			if len(d.headings) == cap(d.headings) { // there may be one in every four bytes
				d.headings = slices.Grow(d.headings, len(d.headings)+1)
			}
			d.headings = append(d.headings, heading{span: at, level: n.level, title: n.title})
		case fencedCode:
			if body := n.body.moved(offset); body.end > body.start {
				fences = append(fences, body)
			}
		case html:
			if n.comment && strings.TrimSpace(withoutComments(source[at.start:at.end])) == "" {
				d.comments = append(d.comments, at)
			}
		}
	})
	d.findBlocks(fences)
	return d
}

// withoutComments returns a string without its comments, as browsers parse them: an unclosed one ends with the text.
func withoutComments(text string) string {
	var kept strings.Builder
	for {
		before, rest, begins := strings.Cut(text, "<!--")
		kept.WriteString(before)
		if !begins {
			return kept.String()
		}
		_, text, _ = strings.Cut(rest, "-->")
	}
}

// lineEnd is where the next line begins.
func (d *document) lineEnd(position int) int {
	if at := strings.IndexByte(d.text[position:], '\n'); at >= 0 {
		return position + at + 1
	}
	return len(d.text)
}

// A section is a heading and its content, up to the next section.
type section struct {
	span
	title string
	body  int  // where the content begins
	level int  // of the heading, 0 if there is none
	own   bool // whether it begins with one of the server's blocks
}

// sections returns the sections of the text. A heading of level 1 is the title of
// the text, and not a section, if it is the first heading; others begin a section,
// as those of level 2 do. A block of the server is always a section.
func (d *document) sections() []section {
	if d.divided == nil {
		d.divided = d.divide()
	}
	return d.divided
}

func (d *document) divide() []section {
	found := make([]section, 0, min(len(d.headings), maxSections)+len(d.blocks))
	for i, h := range d.headings {
		if len(found) == maxSections {
			break
		}
		if h.level > 2 || h.level == 1 && i == 0 || d.inBlock(h.start) {
			continue
		}
		found = append(found, section{span: span{start: h.start}, title: h.title, level: h.level, body: h.end})
	}
	for _, b := range d.blocks {
		s := section{span: span{start: b.start}, body: b.start, own: true}
		for i := d.headingFrom(b.start); i < len(d.headings) && b.holds(d.headings[i].start) && s.level == 0; i++ {
			if h := d.headings[i]; h.level <= 2 {
				s.title, s.level = h.title, h.level
			}
		}
		found = append(found, s)
	}
	slices.SortFunc(found, func(a, b section) int { return cmp.Compare(a.start, b.start) })
	for i := range found {
		found[i].end = len(d.text)
		if i+1 < len(found) {
			found[i].end = found[i+1].start
		}
	}
	return found
}

// headingFrom returns the index of the first heading at or after a position.
func (d *document) headingFrom(position int) int {
	i, _ := slices.BinarySearchFunc(
		d.headings,
		position,
		func(h heading, at int) int { return cmp.Compare(h.start, at) },
	)
	return i
}

func (d *document) inBlock(position int) bool {
	i, there := slices.BinarySearchFunc(
		d.blocks,
		position,
		func(b block, at int) int { return cmp.Compare(b.start, at) },
	)
	return there || i > 0 && d.blocks[i-1].holds(position)
}

// maxNesting is the number of quotes and lists that may begin in one line. Parsing
// takes time that is quadratic in it.
const maxNesting = 50

// shallow returns a string in which lines that nest deeper are nothing but letters:
// as long as they were, so that every place stays what it is.
func shallow(text string) string {
	var changed []byte
	start := 0
	for line := range strings.Lines(text) {
		if containers(line) > maxNesting {
			if changed == nil {
				changed = []byte(text)
			}
			for i := 0; i < len(line) && line[i] != '\r' && line[i] != '\n'; i++ {
				changed[start+i] = 'x'
			}
		}
		start += len(line)
	}
	if changed == nil {
		return text
	}
	return string(changed)
}

// containers counts the marks of quotes and lists that a line begins with.
func containers(line string) int {
	count := 0
	for i := 0; i < len(line); count++ {
		for i < len(line) && (line[i] == ' ' || line[i] == '\t') {
			i++
		}
		mark := i
		for i < len(line) && line[i] >= '0' && line[i] <= '9' {
			i++
		}
		switch {
		case i == len(line):
			return count
		case line[i] == '>' && i == mark,
			i > mark && (line[i] == '.' || line[i] == ')'),
			i == mark && (line[i] == '-' || line[i] == '+' || line[i] == '*'):
			i++
		default:
			return count
		}
	}
	return count
}
