package overview

import "strings"

// A bullet is the marker of an item of a list.
type bullet struct {
	end     int  // in the line
	marker  byte // its last byte
	ordered bool
	first   bool // whether its list may follow a paragraph directly
	empty   bool // whether the item has no content on this line
}

// maxDigits is the maximum length of the number of an item.
const maxDigits = 9

// readBullet parses the bullet at the beginning of a line.
func readBullet(line string) (bullet, bool) {
	start := runOf(line, ' ')
	digits := start
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	if start > maxIndent || digits == len(line) || digits-start > maxDigits {
		return bullet{}, false
	}
	found := bullet{end: digits + 1, marker: line[digits], ordered: digits > start}
	marks := "-*+"
	if found.ordered {
		marks = ".)"
	}
	if strings.IndexByte(marks, found.marker) < 0 {
		return bullet{}, false
	}
	rest := line[found.end:]
	if rest != "" && strings.IndexByte(" \t\n", rest[0]) < 0 {
		return bullet{}, false
	}
	found.empty = isBlank(rest)
	number := strings.TrimLeft(line[start:digits], "0")
	found.first = !found.empty && (!found.ordered || number == "1")
	return found, true
}

// beginList returns the list, without its first item, that begins with the rest of a
// line, or nil.
func (b *blocks) beginList(parent *node, rest string) *node {
	last := b.innermost()
	if last.kind == list || b.nextItem {
		b.nextItem = false
		return nil
	}
	found, there := readBullet(rest)
	if !there || last.kind == paragraph && last.parent == parent && !found.first {
		return nil
	}
	b.gap = false
	return b.newNode(node{kind: list, marker: found.marker, ordered: found.ordered})
}

// beginItem returns the item of a list that begins with the rest of a line, and
// whether it has content.
func (b *blocks) beginItem(rest string) (begun *node, filled bool) {
	found, there := readBullet(rest)
	if !there {
		return nil, false
	}
	b.gap = false
	indent := 1
	if !found.empty {
		if indent, _ = indentOf(rest[found.end:], found.end); indent > maxIndent+1 {
			indent = 1 // the rest is code
		}
		bytes, more := outdent(rest[found.end:], found.end, indent)
		b.skip(found.end+bytes, more)
	}
	return b.newNode(node{kind: item, indent: found.end + indent}), !found.empty
}

// continuesList reports whether a list continues in a line, possibly with another
// item.
func (b *blocks) continuesList(n *node, rest string, indent int) bool {
	latest := n.latest
	if isBlank(rest) {
		b.gap = b.gap || !latest.filled
		return true
	}
	if indent <= maxIndent && (indent < latest.indent || !latest.filled) {
		if found, there := readBullet(rest); there {
			return found.marker == n.marker && found.ordered == n.ordered && !isThematicBreak(rest[found.end-1:], 0)
		}
	}
	// Text below an empty item belongs to it only if no empty line is between.
	return indent >= latest.indent && !b.gap
}

// continuesItem reports whether an item continues in a line.
func (b *blocks) continuesItem(n *node, rest string, indent int) bool {
	if isBlank(rest) {
		b.skipAll()
		return true
	}
	if indent <= maxIndent && (indent < n.indent || !n.filled && b.gap) {
		if _, there := readBullet(rest); there {
			b.nextItem = true
		}
		return false
	}
	b.skip(outdent(rest, b.restColumn(), n.indent))
	return true
}
