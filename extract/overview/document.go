package overview

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// bom is the byte order mark that some editors write at the beginning of a file.
const bom = "\ufeff"

// A span is a range of bytes, usually of whole lines with their line ends.
type span struct{ start, end int }

func (s span) holds(position int) bool { return s.start <= position && position < s.end }

type heading struct {
	span
	level int
	title string
}

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
}

// structure parses blocks only, because inline elements are not needed. Link
// definitions are parsed as paragraphs: parsing them takes quadratic time.
var structure = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

func parse(source string) *document {
	offset := len(source) - len(strings.TrimPrefix(source, bom))
	d := &document{text: source, begin: offset, newline: "\n"}
	if first, _, _ := strings.Cut(source, "\n"); strings.HasSuffix(first, "\r") {
		d.newline = "\r\n"
	}
	var fences []span
	root := structure().Parse(text.NewReader(shallow([]byte(source[offset:]))))
	for node := root.FirstChild(); node != nil; node = node.NextSibling() {
		switch node := node.(type) {
		case *ast.Heading:
			d.headings = append(d.headings, d.heading(node, offset))
		case *ast.FencedCodeBlock:
			if lines := node.Lines(); lines.Len() > 0 {
				fences = append(fences, span{lines.At(0).Start + offset, lines.At(lines.Len()-1).Stop + offset})
			}
		case *ast.HTMLBlock:
			at := d.html(node, offset)
			rest := comment().ReplaceAllString(source[at.start:at.end], "")
			if node.HTMLBlockType == ast.HTMLBlockType2 && strings.TrimSpace(rest) == "" {
				d.comments = append(d.comments, at)
			}
		}
	}
	d.findBlocks(fences)
	return d
}

// comment matches a comment as browsers parse it, also an unclosed one.
var comment = pattern.Lazy(`(?s)<!--(?:.*?-->|.*\z)`)

func (d *document) heading(node *ast.Heading, offset int) heading {
	h := heading{level: node.Level, span: span{start: d.lineStart(node.Pos() + offset)}}
	last := h.start
	if lines := node.Lines(); lines.Len() > 0 {
		end := lines.At(lines.Len()-1).Stop + offset
		h.title = strings.TrimSpace(d.text[lines.At(0).Start+offset : end])
		last = d.lineStart(max(end-1, h.start))
	}
	h.end = d.lineEnd(last)
	if !atx().MatchString(d.text[h.start:d.lineEnd(h.start)]) {
		h.end = d.lineEnd(h.end) // the line under the title
	}
	return h
}

var atx = pattern.Lazy(`^[ \t]*#{1,6}(?:[ \t\r\n]|$)`)

func (d *document) html(node *ast.HTMLBlock, offset int) span {
	at := span{start: d.lineStart(node.Pos() + offset)}
	at.end = d.lineEnd(at.start)
	if lines := node.Lines(); lines.Len() > 0 {
		at.end = max(at.end, lines.At(lines.Len()-1).Stop+offset)
	}
	if node.HasClosure() {
		at.end = max(at.end, node.ClosureLine.Stop+offset)
	}
	return at
}

func (d *document) lineStart(position int) int {
	return max(d.begin, strings.LastIndexByte(d.text[:position], '\n')+1)
}

// lineEnd returns the position where the next line begins.
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
	var found []section
	for i, h := range d.headings {
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

// shallow replaces lines that are nested deeper by letters. Their length, and so
// every position, stays the same.
func shallow(source []byte) []byte {
	for start := 0; start < len(source); {
		end := start + bytes.IndexByte(source[start:], '\n')
		if end < start {
			end = len(source)
		}
		if containers(source[start:end]) > maxNesting {
			for i := start; i < end && source[i] != '\r'; i++ {
				source[i] = 'x'
			}
		}
		start = end + 1
	}
	return source
}

// containers counts the markers of quotes and lists at the beginning of a line.
func containers(line []byte) int {
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
