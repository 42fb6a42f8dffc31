package longterm

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/once"
	"github.com/wm-lsp/wm-lsp/extract/quality"
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/settings"
)

// Render returns the workspace memory as text of at most maxChars characters, and the entries
// that are left out (systems.md B6). Entries are chosen in the order of retention; one that
// does not fit is skipped. They are sorted by type and creation, so that the text is stable.
// The text is "" if there are no entries or none fits.
func (r *Room) Render(maxChars int) (text string, omitted []render.Omission) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	choice := r.chooseAll(maxChars)
	return choice.text(choice.contrary()), choice.omitted
}

// choice holds the entries that are rendered within a budget.
type choice struct {
	open, shut string // the tags, "" for none
	chosen     []*held
	// unrelated are those that are of another topic.
	unrelated []*held
	chars     int // of the text without marks
	left      int // how many characters there is room for
	omitted   []render.Omission
}

// chooseAll is choose for all active entries.
func (r *Room) chooseAll(maxChars int) choice {
	return r.choose(opening, closingTag, maxChars, func(*held) share { return shown })
}

// The tags of the workspace memory.
const (
	opening    = "<" + tag.WorkspaceMemory + ">\n"
	closingTag = "</" + tag.WorkspaceMemory + ">"
)

// choose chooses the entries that are shown between two tags in at most maxChars characters.
func (r *Room) choose(open, shut string, maxChars int, shares func(*held) share) choice {
	c := choice{open: open, shut: shut}
	left := maxChars - utf8.RuneCountInString(c.open) - utf8.RuneCountInString(c.shut)
	for _, h := range r.state.retained() {
		switch shares(h) {
		case elsewhere:
			continue
		case unrelated:
			c.unrelated = append(c.unrelated, h)
			c.omitted = append(c.omitted, render.Omission{ID: h.ID, Reason: "of another topic"})
			continue
		}
		need := h.chars()
		if need > left {
			c.omitted = append(c.omitted, render.Omission{ID: h.ID, Needs: need, Left: max(left, 0)})
			continue
		}
		left -= need
		c.chosen = append(c.chosen, h)
	}
	if c.left = left; len(c.chosen) > 0 {
		c.chars = maxChars - left
	}
	return c
}

// contrary returns what is said behind chosen entries that another one contradicts, as far as there is room for it
// behind both of a pair. A pair that a person keeps is not marked.
func (c choice) contrary() map[*held]string {
	others := map[*held]*held{} // the oldest one that contradicts it
	found := func(h, other *held) {
		if known := others[h]; known == nil || byCreation(&other.Entry, &known.Entry) < 0 {
			others[h] = other
		}
	}
	for i, h := range c.chosen {
		for _, other := range c.chosen[:i] {
			if h.relationTo(other) == quality.Contrary {
				found(h, other)
				found(other, h)
			}
		}
	}
	var marks map[*held]string
	left := c.left
	for _, h := range c.chosen {
		if others[h] == nil || marks[h] != "" {
			continue
		}
		pair, need := map[*held]string{}, 0
		for _, one := range []*held{h, others[h]} {
			if marks[one] == "" {
				pair[one] = contraryMark(one, others[one])
				need += utf8.RuneCountInString(pair[one])
			}
		}
		if need > left {
			continue
		}
		if left -= need; marks == nil {
			marks = map[*held]string{}
		}
		maps.Copy(marks, pair)
	}
	return marks
}

// contraryMark returns what follows the text of an entry that another one of the section contradicts.
func contraryMark(h, other *held) string {
	return ` (contradicts "` + nameBeside(other.Text, h.Text) + `")`
}

// maxName is how much of an entry is quoted to name it, in characters.
const maxName = 40

// nameBeside returns a part of a string by which it is told from another one: its beginning, or what stands around the
// first word in which they differ.
func nameBeside(text, other string) string {
	text = flat(text)
	words, others := strings.Fields(text), strings.Fields(flat(other))
	same := 0
	for same < len(words)-1 && same < len(others) && words[same] == others[same] {
		same++
	}
	if utf8.RuneCountInString(strings.Join(words[:same+1], " ")) < maxName {
		return shorten.Chars(text, maxName)
	}
	return "…" + shorten.Chars(strings.Join(words[max(0, same-1):], " "), maxName-1)
}

func (c choice) text(marks map[*held]string) string {
	if len(c.chosen) == 0 {
		return ""
	}
	slices.SortFunc(c.chosen, byType)
	var text strings.Builder
	text.WriteString(c.open)
	for _, h := range c.chosen {
		line := h.line()
		if mark := marks[h]; mark != "" {
			line = strings.TrimSuffix(line, "\n") + mark + "\n"
		}
		text.WriteString(line)
	}
	text.WriteString(c.shut)
	return text.String()
}

func (c choice) explain(entry *Entry) (rendered bool, reason string) {
	for _, omission := range c.omitted {
		if omission.ID == entry.ID {
			return false, omission.Why()
		}
	}
	switch {
	case entry.Pinned:
		return true, "active and pinned"
	case entry.isBound():
		return true, "active, for sessions that are about the same"
	}
	return true, "active"
}

// byType is the order of the rendered entries: the built-in types first, then the others by
// name; within a type by creation.
func byType(a, b *held) int {
	return cmp.Or(
		cmp.Compare(typeRank(a.Type), typeRank(b.Type)),
		strings.Compare(a.Type, b.Type),
		byCreation(&a.Entry, &b.Entry),
	)
}

func typeRank(name string) int {
	if i := slices.Index(settings.BuiltinTypes, name); i >= 0 {
		return i
	}
	return len(settings.BuiltinTypes)
}

// line returns the rendered line of an entry.
func line(entry Entry) string {
	return lineStart + flat(entry.Type) + lineMiddle + flat(entry.Text) + lineEnd
}

// lineChars returns the length of the rendered line of an entry in characters. Of most entries it does not need the
// line.
func lineChars(entry Entry) int {
	return len(lineStart) + flatChars(entry.Type) + len(lineMiddle) + flatChars(entry.Text) + len(lineEnd)
}

// What stands before the type of an entry in its line, between type and text, and behind the text.
const lineStart, lineMiddle, lineEnd = "- [", "] ", "\n"

func flatChars(text string) int {
	if isOneLine(text) && !strings.ContainsAny(text, "<&") { // nothing in it can be a tag
		return len(text)
	}
	return utf8.RuneCountInString(flat(text))
}

// isOneLine reports whether a string is ASCII with single spaces between words, as most strings
// are. Except for tags, flat does not change such a string.
func isOneLine(text string) bool {
	last := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c > '~' || c == ' ' && last == ' ' {
			return false
		}
		last = c
	}
	return last != ' '
}

// closing is the beginning of a closing tag.
var closing = once.Compile(`<(\s*/)`)

// flat returns a string as one line that cannot open or close a section of the context: the escape
// sequences of terminals are gone, control characters and white space become single spaces, and
// the < of closing tags and of the tags of a context becomes ‹.
func flat(text string) string {
	if !isOneLine(text) {
		text = tag.WithoutEscapes(text)
		fields := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
		text = strings.Join(fields, " ")
	}
	if strings.Contains(text, "<") {
		text = closing.ReplaceAllString(text, "‹$1")
	}
	return tag.Inert(text)
}
