package overview

import (
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// markups are the beginnings and ends of HTML that is not a tag. The beginning of a
// declaration must be followed by a capital letter.
var markups = []struct{ begins, ends string }{
	{commentBegins, "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {declarationBegins, ">"},
}

const (
	commentBegins     = "<!--"
	declarationBegins = "<!"
)

var (
	scriptBegins = once.Compile(`(?i)^<(?:script|pre|style|textarea)(?:\s|/?>|$)`)
	scriptEnds   = once.Compile(`(?i)</(?:script|pre|style|textarea)>`)
	// restOfTag matches the attributes and the end of a tag that is alone on its line.
	restOfTag = once.Compile("^((?:[ \t\r\n]+[A-Za-z_:][A-Za-z0-9:._-]*" +
		"(?:[ \t\r\n]*=[ \t\r\n]*(?:[^\"'=<>`\\x00-\\x20]+|'[^']*'|\"[^\"]*\"))?)*) */?> *(?:\r?\n)?$")
)

// beginHTML returns the HTML block that begins with the rest of a line, or nil.
func (b *blocks) beginHTML(rest string, inParagraph bool) *node {
	text := strings.TrimLeft(rest, " ")
	n := b.newNode(node{kind: html, comment: strings.HasPrefix(text, commentBegins), ends: htmlEnd(text)})
	if n.ends != nil {
		n.closed = n.ends(text)
		return n
	}
	if !beginsTag(text, inParagraph) {
		return nil
	}
	return n
}

// htmlEnd returns a function that reports whether a line is the last one of the HTML
// that begins with a string. It returns nil if the HTML ends before an empty line or if
// the text is not HTML.
func htmlEnd(text string) func(line string) bool {
	if scriptBegins.MatchString(text) {
		return func(line string) bool { return scriptEnds.MatchString(line) }
	}
	for _, m := range markups {
		rest, begins := strings.CutPrefix(text, m.begins)
		if begins && (m.begins != declarationBegins || rest != "" && rest[0] >= 'A' && rest[0] <= 'Z') {
			return func(line string) bool { return strings.Contains(line, m.ends) }
		}
	}
	return nil
}

// beginsTag reports whether a string begins with the tag of a block element or, unless
// it follows a paragraph, any other tag.
func beginsTag(text string, inParagraph bool) bool {
	tag, there := strings.CutPrefix(text, "<")
	if !there {
		return false
	}
	tag, closing := strings.CutPrefix(tag, "/")
	if closing && strings.HasPrefix(tag, " ") {
		tag, closing = strings.TrimLeft(tag, " "), false
	}
	length := 0
	for length < len(tag) && isTagName(tag[length], length) {
		length++
	}
	if length == 0 {
		return false
	}
	name, rest := strings.ToLower(tag[:length]), tag[length:]
	alone := restOfTag.FindStringSubmatch(rest)
	if isOneOf(name, blockElements) {
		ends := strings.Trim(rest, "\r\n") == "" || strings.IndexByte(" >", rest[0]) >= 0 ||
			strings.HasPrefix(rest, "/>")
		return ends || alone != nil
	}
	return alone != nil && !inParagraph && !isOneOf(name, rawElements) && !(closing && alone[1] != "")
}

func isTagName(c byte, at int) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z'
	return letter || at > 0 && (c == '-' || c >= '0' && c <= '9')
}

func isOneOf(name, names string) bool { return strings.Contains(names, " "+name+" ") }

const (
	rawElements = " pre script style "
	// blockElements are the block elements of CommonMark.
	blockElements = " address article aside base basefont blockquote body caption center col colgroup dd details" +
		" dialog dir div dl dt fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header" +
		" hr html iframe legend li link main menu menuitem meta nav noframes ol optgroup option p param search" +
		" section summary table tbody td tfoot th thead title tr track ul "
)

func (b *blocks) continuesHTML(n *node, rest string) bool {
	if n.closed || n.ends == nil && isBlank(rest) {
		return false
	}
	n.end = b.end
	if n.ends != nil && n.ends(rest) {
		b.skipAll()
		return false
	}
	return true
}
