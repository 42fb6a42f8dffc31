package overview

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// maxSlots is how many sections of a string hold values; nobody keeps a state of that many.
const maxSlots = 1 << 10

// A slot is a section that holds a value of the state.
type slot struct {
	section
	path   path
	head   int // end of the heading and the comments below it
	at     span
	value  any
	filled bool
	fenced bool // whether the value is YAML
}

// slots returns the sections that hold values. Of two with the same key it returns
// the first one. A section for a whole top key is a slot only if no section of its
// members has content. All other sections are text of the author, and so are those behind maxSlots.
func (d *document) slots() []slot {
	if !d.searched {
		d.found, d.searched = d.findSlots(), true
	}
	return d.found
}

func (d *document) findSlots() []slot {
	var found []slot
	claimed, held := map[path]bool{}, map[string]bool{}
	for _, s := range d.sections() {
		if s.own || s.level != 2 {
			continue
		}
		p, known := pathOf(s.title)
		if !known || claimed[p] {
			continue
		}
		if len(found) == maxSlots {
			break
		}
		claimed[p] = true
		found = append(found, d.slot(s, p))
		held[p.top] = held[p.top] || p.part && found[len(found)-1].filled
	}
	return slices.DeleteFunc(found, func(s slot) bool { return !s.path.part && held[s.path.top] })
}

func (d *document) slot(s section, p path) slot {
	found := slot{section: s, path: p, head: s.body}
	byStart := func(c span, at int) int { return cmp.Compare(c.start, at) }
	first, _ := slices.BinarySearchFunc(d.comments, s.body, byStart)
	for _, c := range d.comments[first:] {
		if c.start >= s.end || strings.TrimSpace(d.text[min(found.head, c.start):c.start]) != "" {
			break
		}
		found.head = min(c.end, s.end)
	}
	content := d.text[found.head:s.end]
	body := strings.TrimSpace(content)
	if body == "" {
		return found
	}
	from := found.head + strings.Index(content, body)
	found.at, found.filled = span{from, from + len(body)}, true
	found.value, found.fenced = valueOfBody(strings.ToValidUTF8(strings.ReplaceAll(body, "\r\n", "\n"), "\ufffd"), p)
	return found
}

// valueOfBody parses the content of a section: as YAML if it is one fenced block
// of it, as a list of strings if every line is a list item, or else as a string.
func valueOfBody(body string, p path) (value any, fenced bool) {
	if inner, is := fencedYAML(body); is {
		if value, err := parseYAML([]byte(inner)); err == nil && check(value, "", p.depth()) == nil {
			return value, true
		}
	}
	if list, is := flatList(body); is {
		return list, false
	}
	return body, false
}

// depth returns the nesting depth of the value in the state.
func (p path) depth() int {
	if p.part {
		return 2
	}
	return 1
}

var (
	fenceOpening = once.Compile("^(`{3,})ya?ml[ \t]*$")
	backticks    = once.Compile("`+")
	listItem     = once.Compile(`^[-*] +(\S.*)$`)
)

func fencedYAML(body string) (string, bool) {
	lines := strings.Split(body, "\n")
	first := fenceOpening.FindStringSubmatch(lines[0])
	if first == nil {
		return "", false
	}
	closed := slices.IndexFunc(lines[1:], func(line string) bool {
		line = strings.TrimSpace(line)
		return len(line) >= len(first[1]) && strings.Trim(line, "`") == ""
	})
	if closed < 0 || closed != len(lines)-2 {
		return "", false
	}
	return strings.Join(lines[1:len(lines)-1], "\n") + "\n", true
}

func flatList(body string) ([]any, bool) {
	var list []any
	for line := range strings.SplitSeq(body, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		item := listItem.FindStringSubmatch(line)
		if item == nil {
			return nil, false
		}
		list = append(list, strings.TrimSpace(item[1]))
	}
	return list, true
}

// bodyOf formats a value as the content of a section: as plain Markdown if parsing
// that gives the same value, otherwise as fenced YAML.
func bodyOf(value any, p path) (string, error) {
	if body, is := plainBody(value); is && standsAlone(body, value, p) {
		return body, nil
	}
	doc, err := writeYAML(value)
	if err != nil {
		return "", err
	}
	fence := "```"
	for _, run := range backticks.Get().FindAll(doc, -1) {
		fence += strings.Repeat("`", max(0, len(run)+1-len(fence)))
	}
	return fence + "yaml\n" + strings.TrimSuffix(string(doc), "\n") + "\n" + fence, nil
}

func plainBody(value any) (string, bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case []any:
		lines := make([]string, len(value))
		for i, item := range value {
			text, is := item.(string)
			if !is {
				return "", false
			}
			lines[i] = "- " + text
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

// standsAlone reports whether a body is parsed as the value and does not affect the
// section after it.
func standsAlone(body string, value any, p path) bool {
	d := parse("## x\n\n" + body + "\n\n## after\n")
	if sections := d.sections(); len(sections) != 2 || sections[1].title != "after" || d.broken {
		return false
	}
	s := d.slot(d.sections()[0], p)
	return s.filled && equal(s.value, value)
}

// Read returns the state that the sections of a string hold (systems.md C6). Text
// under other headings, before the first section, in comments at the top of a
// section and in the server's own blocks is not part of it. A flat list is a list
// of strings, one fenced block of YAML is its value, other content is a string, and
// an empty section is not a key.
func Read(text string) State { return parse(text).state() }

func (d *document) state() State { return stateOf(d.slots()) }

func stateOf(slots []slot) State {
	var tops Map
	members := map[string]Map{}
	for _, found := range slots {
		switch p := found.path; {
		case !found.filled:
		case p.part:
			members[p.top] = append(members[p.top], Member{p.member, found.value})
		default:
			tops = append(tops, Member{p.top, found.value})
		}
	}
	for _, top := range parted {
		if inner := members[top]; inner != nil {
			tops = append(tops, Member{top, inner})
		}
	}
	return State{tops.ordered()}
}

func (s State) with(p path, value any) State {
	if p.part {
		members, _ := s.Get(p.top)
		inner, _ := members.(Map)
		value = inner.With(p.member, value)
	}
	return State{s.With(p.top, value)}
}

func (s State) value(p path) (any, bool) {
	value, there := s.Get(p.top)
	if !p.part {
		return value, there
	}
	inner, _ := value.(Map)
	return inner.Get(p.member)
}

// without removes a key, and its top key if that has no other members.
func (s State) without(p path) State {
	value, _ := s.Get(p.top)
	if inner, is := value.(Map); p.part && is {
		inner = slices.DeleteFunc(slices.Clone(inner), func(m Member) bool { return m.Key == p.member })
		if len(inner) > 0 {
			return State{s.With(p.top, inner)}
		}
	}
	return State{slices.DeleteFunc(slices.Clone(s.Map), func(m Member) bool { return m.Key == p.top })}
}

// An entry is a value with a section of its own.
type entry struct {
	path  path
	value any
}

// entries returns the values of the state that have sections, in the order of the
// table.
func (s State) entries() []entry {
	var found []entry
	for _, top := range s.ordered() {
		inner, is := top.Value.(Map)
		if !is || len(inner) == 0 || !slices.Contains(parted, top.Key) {
			found = append(found, entry{path{top: top.Key}, top.Value})
			continue
		}
		for _, member := range inner {
			found = append(found, entry{path{top.Key, member.Key, true}, member.Value})
		}
	}
	slices.SortStableFunc(found, func(a, b entry) int { return cmp.Compare(a.path.row(), b.path.row()) })
	return found
}

// An edit replaces a span by whole lines, which are separated from the text around
// them by empty lines.
type edit struct {
	span
	text string
}

// Write writes a state into the sections of a string, so that Read returns it again.
// It changes only sections whose value changed. The section of a removed key is
// emptied if the template has it or it has a comment, and removed otherwise. A new
// section is inserted in the order of the table, in the language of the text. The
// error reports a value that a state cannot hold, or that the text hides or
// duplicates a section; the text should then be left unchanged.
func Write(text string, s State) (string, error) {
	d, err := parse(text).written(s)
	if err != nil {
		return "", err
	}
	return d.text, nil
}

// written is Write for a string that was parsed; so is the new one.
func (d *document) written(s State) (*document, error) {
	if err := check(s.Map, "", 0); err != nil {
		return nil, fmt.Errorf("writing the state into the overview: %w", err)
	}
	edits, err := d.edits(d.slots(), s)
	if err != nil {
		return nil, fmt.Errorf("writing the state into the overview: %w", err)
	}
	if len(edits) == 0 {
		return d, nil
	}
	out := parse(d.apply(edits))
	if !out.state().Equal(s) {
		return nil, errors.New("writing the state into the overview: reading it back would give another state; " +
			"look for two sections of one key, and for an unclosed comment or code block")
	}
	return out, nil
}

func (d *document) edits(slots []slot, s State) ([]edit, error) {
	var edits []edit
	entries := s.entries()
	missing := make(map[path]any, len(entries))
	for _, e := range entries {
		missing[e.path] = e.value
	}
	for _, old := range slots {
		value, wanted := missing[old.path]
		delete(missing, old.path)
		if wanted == old.filled && (!wanted || equal(value, old.value)) {
			continue
		}
		now, err := d.rewritten(old, value, wanted)
		if err != nil {
			return nil, err
		}
		edits = append(edits, edit{old.span, now})
	}
	chinese := d.isChinese()
	for _, e := range entries {
		if _, is := missing[e.path]; !is {
			continue
		}
		body, err := bodyOf(e.value, e.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.path, err)
		}
		at := d.place(slots, e.path)
		edits = append(edits, edit{span{at, at}, d.lines("## " + e.path.title(chinese) + "\n" + body)})
	}
	return edits, nil
}

func (d *document) lines(text string) string { return strings.ReplaceAll(text, "\n", d.newline) }

// rewritten returns the section with another value, or with none if it is not wanted.
func (d *document) rewritten(old slot, value any, wanted bool) (string, error) {
	head := d.text[old.start:old.head]
	if !wanted {
		if row := old.path.row(); old.head == old.body && (row == len(headings) || !headings[row].Template) {
			return "", nil
		}
		return strings.TrimRight(head, "\r\n"), nil
	}
	body, err := bodyOf(value, old.path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", old.path, err)
	}
	if old.filled {
		return d.text[old.start:old.at.start] + d.lines(body), nil
	}
	return strings.TrimRight(head, "\r\n") + d.lines("\n"+body), nil
}

func (p path) title(chinese bool) string {
	switch row := p.row(); {
	case row == len(headings):
		return p.String()
	case chinese:
		return headings[row].Chinese
	default:
		return headings[row].English
	}
}

// place returns the position of a new section: after the last one that precedes it
// in the table, or else before the first one, or else at the end, but before the
// blocks of the server there.
func (d *document) place(slots []slot, p path) int {
	for _, s := range slices.Backward(slots) {
		if s.path.row() <= p.row() {
			return s.end
		}
	}
	if len(slots) > 0 {
		return slots[0].start
	}
	end := len(d.text)
	for _, s := range slices.Backward(d.sections()) {
		if !s.own {
			break
		}
		end = s.start
	}
	return end
}

func (d *document) apply(edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	var out strings.Builder
	at := 0
	for _, e := range edits {
		out.WriteString(d.text[at:e.start])
		at = e.end
		if e.text == "" {
			continue
		}
		if e.start == e.end {
			out.WriteString(d.gap(out.String()))
		}
		out.WriteString(e.text + d.newline)
		if at < len(d.text) {
			out.WriteString(d.newline)
		}
	}
	return out.String() + d.text[at:]
}
