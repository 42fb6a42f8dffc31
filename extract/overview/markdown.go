package overview

import (
	"slices"
	"strings"
)

// A kind is the kind of a block.
type kind uint8

const (
	wholeText kind = iota // the text
	quote
	list
	item
	paragraph
	atx    // a heading that begins with #
	setext // an underlined heading
	thematicBreak
	fencedCode
	indentedCode
	html
)

// A node is a block of Markdown. The span of a node at the top level is its lines.
type node struct {
	parent *node
	span
	title  string // of a heading
	level  int    // of a heading
	body   span   // the lines between the fences
	latest *node  // item of a list
	indent int    // of the content of an item
	fence  int    // the length of the opening fence

	ends func(line string) bool // of HTML; nil if an empty line ends it

	kind    kind
	marker  byte // of a list, or of a fence
	ordered bool // of a list
	filled  bool // whether an item has content
	closed  bool // whether HTML ended on its first line
	comment bool // whether HTML begins with a comment
}

func (n *node) holdsBlocks() bool { return n.kind == quote || n.kind == list || n.kind == item }

// blocks parses the blocks at the top level of a Markdown text. This is the first
// phase of parsing CommonMark: lists and quotes are parsed to find their ends, and
// inline elements are ignored. A link reference definition is a paragraph. In rare
// cases it follows goldmark, against which it is fuzzed.
type blocks struct {
	cursor
	root *node
	open []*node // from the outermost to the innermost
	// each is called with each block at the top level, in order, when it has ended.
	each func(n *node)

	nextItem bool // whether the line begins an item of the open list
	gap      bool // whether an empty line follows an empty item

	free  []*node // ended, to be used again
	spare []node  // are used for the next ones
	made  int
}

// maxSpare is how many nodes are made at once.
const maxSpare = 128

// newNode returns a node of its own. A string may have one in every two bytes, so they are made many at a time.
func (b *blocks) newNode(n node) *node {
	if last := len(b.free) - 1; last >= 0 {
		made := b.free[last]
		b.free, *made = b.free[:last], n
		return made
	}
	if len(b.spare) == 0 {
		b.spare = make([]node, min(8+b.made, maxSpare))
	}
	made := &b.spare[0]
	b.spare, *made = b.spare[1:], n
	b.made++
	return made
}

// ended ends blocks that were open, from the outermost to the innermost. A block that holds others
// is not used again, because its parent may refer to it.
func (b *blocks) ended(nodes []*node) {
	for _, n := range nodes {
		if n.parent == b.root {
			b.each(n)
		}
		if !n.holdsBlocks() {
			b.free = append(b.free, n)
		}
	}
}

// topBlocks calls each with the blocks at the top level of a string, which are valid until it returns. It reports
// whether the last one is fenced code without an end.
func topBlocks(text string, each func(n *node)) (unclosed bool) {
	b := &blocks{cursor: cursor{text: text}, root: &node{kind: wholeText}, each: each}
	for b.nextLine() {
		if len(b.open) > 0 {
			b.resume()
		} else {
			b.begin(b.root)
		}
	}
	unclosed = len(b.open) == 1 && b.open[0].kind == fencedCode
	b.ended(b.open)
	return unclosed
}

func (b *blocks) innermost() *node {
	if len(b.open) == 0 {
		return b.root
	}
	return b.open[len(b.open)-1]
}

// resume processes a line while blocks are open.
func (b *blocks) resume() {
	count := len(b.open)
	for i, n := range b.open {
		if b.atEnd() {
			return
		}
		if n.kind != paragraph && b.continues(n) {
			if i == count-1 && n.holdsBlocks() {
				b.begin(n)
				return
			}
			continue
		}
		parent, last := b.root, b.innermost()
		was := last.kind
		if i > 0 {
			parent = b.open[i-1]
		}
		if b.begin(parent) {
			return
		}
		if last.kind != was {
			count-- // the paragraph became a heading
		}
		b.ended(b.open[i:max(i, count)])
		b.open = slices.Delete(b.open, i, max(i, count))
		return
	}
}

// begin opens the blocks that begin in the rest of the line. It reports whether the
// rest continues the open paragraph instead.
func (b *blocks) begin(parent *node) (lazy bool) {
	last := b.innermost()
	interrupts := last.kind == paragraph
	for rest := b.rest(); rest != "" && rest[0] != '\n'; rest = b.rest() {
		n, more := b.beginOne(parent, rest, interrupts)
		if n == nil {
			break
		}
		b.add(n, parent)
		if !more {
			return false
		}
		parent, interrupts = n, false
	}
	if !interrupts || isBlank(b.rest()) {
		return false
	}
	last.end = b.end
	return true
}

func (b *blocks) add(n, parent *node) {
	n.parent, n.end = parent, b.end
	if n.kind != setext {
		n.start = b.start
	}
	switch parent.kind {
	case list:
		parent.latest = n
	case item:
		parent.filled = true
	}
	b.open = append(b.open, n)
}

// maxIndent is the maximum indentation of anything but code.
const maxIndent = 3

// beginOne returns the block that begins with the rest of a line, or nil, and whether
// another one may begin in it on the same line.
func (b *blocks) beginOne(parent *node, rest string, interrupts bool) (begun *node, more bool) {
	indent, bytes := indentOf(rest, b.restColumn())
	if indent > maxIndent {
		if interrupts || isBlank(rest) {
			return nil, false
		}
		return b.newNode(node{kind: indentedCode}), false
	}
	text := rest[bytes:]
	switch {
	case text == "":
	case text[0] == '>':
		b.skipQuoteMark(rest)
		return b.newNode(node{kind: quote}), true
	case text[0] == '#':
		begun = b.beginHeading(text)
	case text[0] == '`', text[0] == '~':
		begun = b.beginFence(text)
	case text[0] == '<':
		begun = b.beginHTML(rest, b.innermost().kind == paragraph)
	case strings.IndexByte("=-_*+0123456789", text[0]) >= 0:
		if begun = b.underline(parent, rest); begun != nil {
			break
		}
		if isThematicBreak(rest, b.restColumn()) {
			return b.newNode(node{kind: thematicBreak}), false
		}
		if begun = b.beginList(parent, rest); begun != nil {
			return begun, true
		}
		if parent.kind == list {
			begun, more = b.beginItem(rest)
		}
	}
	if begun == nil && !interrupts && !isBlank(rest) {
		begun = b.newNode(node{kind: paragraph})
	}
	return begun, more
}

// continues reports whether a block that is not a paragraph continues in the line, and
// skips its markers.
func (b *blocks) continues(n *node) bool {
	rest := b.rest()
	indent, bytes := indentOf(rest, b.restColumn())
	switch n.kind {
	case quote:
		if indent > maxIndent || bytes == len(rest) || rest[bytes] != '>' {
			return false
		}
		b.skipQuoteMark(rest)
		return true
	case list:
		return b.continuesList(n, rest, indent)
	case item:
		return b.continuesItem(n, rest, indent)
	case indentedCode:
		return isBlank(rest) || indent > maxIndent
	case fencedCode:
		fence := runOf(rest[bytes:], n.marker)
		if indent <= maxIndent && fence >= n.fence && isBlank(rest[bytes+fence:]) {
			b.skipAll()
			n.end = b.end
			return false
		}
		if n.body.end == 0 {
			n.body.start = b.start
		}
		n.end, n.body.end = b.end, b.end
		return true
	case html:
		return b.continuesHTML(n, rest)
	}
	return false
}

// skipQuoteMark skips the marker of a quote and a space after it.
func (b *blocks) skipQuoteMark(rest string) {
	mark := strings.IndexByte(rest, '>') + 1
	b.skip(mark, 0)
	if mark == len(rest) {
		return
	}
	switch rest[mark] {
	case ' ':
		b.skip(1, 0)
	case '\t':
		b.skip(1, width('\t', b.restColumn())-1)
	}
}

func isThematicBreak(text string, column int) bool {
	indent, bytes := indentOf(text, column)
	text = strings.Trim(text[bytes:], space)
	if indent > maxIndent || text == "" || strings.IndexByte("*-_", text[0]) < 0 {
		return false
	}
	mark := text[:1]
	return strings.Count(text, mark) > 2 && strings.Trim(text, mark+space) == ""
}

const maxLevel = 6

func (b *blocks) beginHeading(text string) *node {
	level := runOf(text, '#')
	if level > maxLevel || level < len(text) && strings.IndexByte(space, text[level]) < 0 {
		return nil
	}
	title := strings.Trim(text[level:], space)
	if opened := strings.TrimRight(title, "#"); strings.TrimRight(opened, space) != opened || opened == "" {
		title = opened
	}
	return b.newNode(node{kind: atx, level: level, title: strings.TrimSpace(title)})
}

// underline makes the open paragraph a heading if the line underlines it.
func (b *blocks) underline(parent *node, rest string) *node {
	last := b.innermost()
	if last.kind != paragraph || last.parent != parent {
		return nil
	}
	line := strings.TrimLeft(rest, " ")
	mark := line[0]
	if len(rest)-len(line) > maxIndent || mark != '=' && mark != '-' || !isBlank(line[runOf(line, mark):]) {
		return nil
	}
	b.open = b.open[:len(b.open)-1]
	level := 1
	if mark == '-' {
		level = 2
	}
	title := strings.TrimSpace(b.text[last.start:last.end])
	*last = node{kind: setext, level: level, span: last.span, title: title}
	return last
}

const minFence = 3

func (b *blocks) beginFence(text string) *node {
	length := runOf(text, text[0])
	if length < minFence || text[0] == '`' && strings.Contains(text[length:], "`") {
		return nil
	}
	return b.newNode(node{kind: fencedCode, marker: text[0], fence: length})
}
