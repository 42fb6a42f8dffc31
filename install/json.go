package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/tailscale/hujson"

	"github.com/wm-lsp/wm-lsp/extract/once"
)

// The members that are wanted in a JSON file are an object. Of its values an object or a list is
// a container, which may be there already and hold more; an entry is ours as a whole; anything
// else is a constant, which is only added to a file that lacks it.
type (
	object []member
	member struct {
		key   string
		value any
	}
	list  []entry
	entry struct{ value any }
)

// MarshalJSON keeps the order of the members.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON implements json.Marshaler.
func (e entry) MarshalJSON() ([]byte, error) { return marshal(e.value) }

// marshal returns the JSON of a value, in which <, > and & stand as they are.
func marshal(v any) ([]byte, error) { return jsonv2.Marshal(v) }

// A jsonFile is a JSON file, with comments and trailing commas or without.
type jsonFile struct {
	// want is what is installed.
	want object
	// own is true for a file that is only ours: it is deleted when only constants are left in it.
	own bool
}

// program is the name of the program in settings. It is found on the PATH, so that what is
// written stays the same over updates.
const program = "wm-lsp"

// add implements form.
func (f jsonFile) add(doc []byte) (additions, error) {
	style := styleOf(doc)
	a := adder{doc: doc, style: style}
	body, skipped := withoutMark(doc)
	if isBlank(body) {
		text, err := style.render(f.want, 0)
		if err != nil {
			return additions{}, err
		}
		return additions{insertions: []insertion{{len(doc), text + style.newline}}}, nil
	}
	root, err := parse(body)
	if err != nil {
		return additions{}, unreadable(err)
	}
	a.skipped = skipped
	if err := a.object(root, f.want, nil); err != nil {
		return additions{}, err
	}
	return additions{a.insertions, a.existing}, nil
}

// maxDepth is how many levels of a file may be nested. The parser needs the stack for each.
const maxDepth = 1000

// parse parses a document.
func parse(doc []byte) (hujson.Value, error) {
	depth := 0
	for i := 0; i < len(doc); i++ {
		switch rest := doc[i:]; {
		case rest[0] == '"':
			for i++; i < len(doc) && doc[i] != '"'; i++ {
				if doc[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(rest, []byte("//")):
			i += len(lineBreak(rest)) - 1
		case bytes.HasPrefix(rest, []byte("/*")):
			comment, _, _ := bytes.Cut(rest[2:], []byte("*/"))
			i += len(comment) + 3
		case rest[0] == '[' || rest[0] == '{':
			if depth++; depth > maxDepth {
				return hujson.Value{}, fmt.Errorf("it has more than %d nested levels", maxDepth)
			}
		case rest[0] == ']' || rest[0] == '}':
			depth--
		}
	}
	return hujson.Parse(doc)
}

// unreadable returns the error of a file that cannot be parsed.
func unreadable(err error) error {
	return fmt.Errorf("cannot be read as JSON (%s); correct it, then run the command again",
		strings.TrimPrefix(err.Error(), "hujson: "))
}

type adder struct {
	doc        []byte
	skipped    int // bytes before the text that was parsed
	style      style
	insertions []insertion
	existing   []string
}

// refuse returns an error about a value of the file.
func (a *adder) refuse(v hujson.Value, at []string, what string) error {
	line := 1 + bytes.Count(a.doc[:a.skipped+v.StartOffset], []byte("\n"))
	return fmt.Errorf("line %d: %q %s", line, strings.Join(at, "."), what)
}

func (a *adder) object(v hujson.Value, want object, at []string) error {
	obj, is := v.Value.(*hujson.Object)
	if !is {
		return a.refuse(v, at, "must be an object; correct it, then run the command again")
	}
	a.existing = append(a.existing, pointer(at))
	var missing []string
	for _, m := range want {
		below := append(slices.Clone(at), m.key)
		_, whole := m.value.(entry)
		if whole && slices.ContainsFunc(obj.Members, func(o hujson.ObjectMember) bool { return isOurs(o.Value) }) {
			continue
		}
		found := named(obj, m.key)
		switch {
		case len(found) > 1:
			return a.refuse(found[1], below, "is there twice; remove one, then run the command again")
		case len(found) == 0:
			text, err := a.style.render(object{m}, len(at))
			if err != nil {
				return err
			}
			missing = append(missing, inner(text))
			continue
		}
		var err error
		switch value := m.value.(type) {
		case object:
			err = a.object(found[0], value, below)
		case list:
			err = a.list(found[0], value, below)
		case entry:
			err = a.refuse(found[0], below,
				"is there already and runs something else; rename it, then run the command again")
		}
		if err != nil {
			return err
		}
	}
	last := -1
	if n := len(obj.Members); n > 0 {
		last = obj.Members[n-1].Value.EndOffset
	}
	a.insert(v, last, trailingComma(obj), missing, len(at))
	return nil
}

func (a *adder) list(v hujson.Value, want list, at []string) error {
	array, is := v.Value.(*hujson.Array)
	if !is {
		return a.refuse(v, at, "must be a list; correct it, then run the command again")
	}
	a.existing = append(a.existing, pointer(at))
	var missing []string
	for _, e := range want {
		if slices.ContainsFunc(array.Elements, func(v hujson.Value) bool { return holdsOurs(v) || same(v, e) }) {
			continue
		}
		text, err := a.style.render([]any{e.value}, len(at))
		if err != nil {
			return err
		}
		missing = append(missing, inner(text))
	}
	last := -1
	if n := len(array.Elements); n > 0 {
		last = array.Elements[n-1].EndOffset
	}
	a.insert(v, last, n(array) > 0 && array.Elements[n(array)-1].AfterExtra != nil, missing, len(at))
	return nil
}

func n(array *hujson.Array) int { return len(array.Elements) }

func trailingComma(obj *hujson.Object) bool {
	return len(obj.Members) > 0 && obj.Members[len(obj.Members)-1].Value.AfterExtra != nil
}

// insert adds strings at the end of a container. last is the end of its last value, -1 if it has
// none.
func (a *adder) insert(v hujson.Value, last int, comma bool, texts []string, depth int) {
	if len(texts) == 0 {
		return
	}
	closing := a.skipped + v.EndOffset - 1
	end := len(bytes.TrimRight(a.doc[:closing], " \t\r\n"))
	text := strings.Join(texts, ",")
	if !bytes.Contains(a.doc[end:closing], []byte("\n")) {
		text += a.style.newline + strings.Repeat(a.style.indent, depth)
	}
	if last >= 0 && !comma {
		if last += a.skipped; last == end {
			text = "," + text
		} else {
			a.insertions = append(a.insertions, insertion{last, ","})
		}
	}
	a.insertions = append(a.insertions, insertion{end, text})
}

// inner returns the text between the first and the last line break of a container.
func inner(text string) string {
	first, last := strings.IndexByte(text, '\n'), strings.LastIndexByte(text, '\n')
	if first > 0 && text[first-1] == '\r' {
		first--
	}
	if text[last-1] == '\r' {
		last--
	}
	return text[first:last]
}

// remove implements form.
func (f jsonFile) remove(doc []byte, existing []string) (rest []byte, gone bool, err error) {
	rest = doc
	s := search{existing: existing, emptied: map[string]bool{}}
	for {
		body, skipped := withoutMark(rest)
		if isBlank(body) {
			return rest, false, nil
		}
		root, err := parse(body)
		if err != nil {
			return nil, false, unreadable(err)
		}
		s.doc, s.skipped = rest, skipped
		cuts := s.object(root, f.want, nil)
		if cuts == nil {
			return rest, f.onlyConstants(root), nil
		}
		rest = cut(rest, cuts)
	}
}

// A search looks for what is ours in a document.
type search struct {
	doc     []byte
	skipped int // bytes before the text that was parsed
	// existing are the containers that stay, emptied those of which something was removed.
	existing []string
	emptied  map[string]bool
}

// object returns the ranges of the first thing to remove from an object, nil if there is none.
func (s search) object(v hujson.Value, want object, at []string) []span {
	obj, is := v.Value.(*hujson.Object)
	if !is {
		return nil
	}
	entries := slices.ContainsFunc(want, func(w member) bool { _, is := w.value.(entry); return is })
	for i, m := range obj.Members {
		name := m.Name.Value.(hujson.Literal).String()
		below := append(slices.Clone(at), name)
		remove := func() []span {
			for n := range len(below) {
				s.emptied[pointer(below[:n])] = true
			}
			var before *hujson.Value
			if i > 0 {
				before = &obj.Members[i-1].Value
			}
			return s.around(m.Name.StartOffset, m.Value, before, i == len(obj.Members)-1)
		}
		if entries && isOurs(m.Value) {
			return remove()
		}
		wanted := slices.IndexFunc(want, func(w member) bool { return w.key == name })
		if wanted < 0 {
			continue
		}
		var cuts []span
		switch value := want[wanted].value.(type) {
		case object:
			cuts = s.object(m.Value, value, below)
		case list:
			cuts = s.list(m.Value, value, below)
		}
		if cuts != nil {
			return cuts
		}
		if name := pointer(below); s.emptied[name] && isEmpty(m.Value) && !slices.Contains(s.existing, name) {
			return remove()
		}
	}
	return nil
}

// list is object for a list.
func (s search) list(v hujson.Value, want list, at []string) []span {
	array, is := v.Value.(*hujson.Array)
	if !is {
		return nil
	}
	for i, e := range array.Elements {
		if isOurs(e) || slices.ContainsFunc(want, func(w entry) bool { return same(e, w) }) {
			for n := range len(at) + 1 {
				s.emptied[pointer(at[:n])] = true
			}
			var before *hujson.Value
			if i > 0 {
				before = &array.Elements[i-1]
			}
			return s.around(e.StartOffset, e, before, i == n(array)-1)
		}
		group, is := e.Value.(*hujson.Object)
		if !is {
			continue
		}
		for _, handlers := range named(group, "hooks") {
			if cuts := s.list(handlers, nil, at); cuts != nil {
				return cuts
			}
		}
	}
	return nil
}

// around returns the ranges of an element that starts at an offset: its lines, and a comma. A line
// on which more is stays: behind the line before, it could end up in a comment.
func (s search) around(start int, v hujson.Value, before *hujson.Value, last bool) (cuts []span) {
	doc, skipped := s.doc, s.skipped
	start += skipped
	end := skipped + v.EndOffset
	comma := -1
	switch {
	case !last || v.AfterExtra != nil: // the comma behind it
		comma = end + len(v.AfterExtra)
	case before != nil:
		comma = skipped + before.EndOffset + len(before.AfterExtra)
		cuts = append(cuts, span{comma, comma + 1})
	}
	from := start
	rest := lineBreak(doc[end:])
	if comma >= end && comma < end+len(rest) {
		rest = append(bytes.Clone(rest[:comma-end]), rest[comma-end+1:]...)
	}
	if before := bytes.TrimRight(doc[:start], " \t"); isBlank(rest) && bytes.HasSuffix(before, []byte("\n")) {
		from = len(bytes.TrimSuffix(before[:len(before)-1], []byte("\r")))
	}
	cuts = append(cuts, span{from, end})
	if comma >= end {
		cuts = append(cuts, span{comma, comma + 1})
	}
	return cuts
}

// isOurs reports whether a value runs this program: a server, a hook, or a group of hooks that
// are all ours.
func isOurs(v hujson.Value) bool {
	obj, is := v.Value.(*hujson.Object)
	if !is {
		return false
	}
	for _, command := range named(obj, "command") {
		if array, is := command.Value.(*hujson.Array); is {
			if n(array) > 0 && names(array.Elements[0], isProgram) {
				return true
			}
		} else if len(named(obj, "args")) > 0 && names(command, isProgram) {
			return true
		}
	}
	for _, line := range append(named(obj, "command"), named(obj, "bash")...) {
		if names(line, startsProgram) {
			return true
		}
	}
	for _, handlers := range named(obj, "hooks") {
		if array, is := handlers.Value.(*hujson.Array); is && n(array) > 0 {
			return !slices.ContainsFunc(array.Elements, func(v hujson.Value) bool { return !isOurs(v) })
		}
	}
	return false
}

// holdsOurs is isOurs, also for a group of hooks of which one is ours.
func holdsOurs(v hujson.Value) bool {
	if isOurs(v) {
		return true
	}
	if obj, is := v.Value.(*hujson.Object); is {
		for _, handlers := range named(obj, "hooks") {
			if array, is := handlers.Value.(*hujson.Array); is && slices.ContainsFunc(array.Elements, isOurs) {
				return true
			}
		}
	}
	return false
}

// names reports whether a value is a string for which is returns true.
func names(v hujson.Value, is func(text string) bool) bool {
	literal, isLiteral := v.Value.(hujson.Literal)
	return isLiteral && literal.Kind() == '"' && is(literal.String())
}

// isProgram reports whether a path is that of this program.
func isProgram(file string) bool {
	name := path.Base(strings.ReplaceAll(strings.TrimSpace(file), `\`, "/"))
	return strings.TrimSuffix(name, ".exe") == program
}

// commandWord finds the first word of a command line, which is in quotation marks if it has spaces.
var commandWord = once.Compile(`^\s*(?:"([^"]*)"|'([^']*)'|([^\s"']+))(?:\s|$)`)

// startsProgram reports whether a command line starts this program. One that only names it
// somewhere is somebody else's.
func startsProgram(line string) bool {
	word := commandWord.FindStringSubmatch(line)
	return word != nil && isProgram(word[1]+word[2]+word[3])
}

// same reports whether a value is a constant entry.
func same(v hujson.Value, e entry) bool {
	wanted, is := e.value.(string)
	return is && names(v, func(text string) bool { return text == wanted })
}

// onlyConstants reports whether the file holds nothing but constants of ours, so that a file that
// we created can be deleted.
func (f jsonFile) onlyConstants(root hujson.Value) bool {
	obj, is := root.Value.(*hujson.Object)
	if !is || hasComment(root) {
		return false
	}
	for _, m := range obj.Members {
		i := slices.IndexFunc(f.want, func(w member) bool { return w.key == m.Name.Value.(hujson.Literal).String() })
		if i < 0 {
			return false
		}
		constant, err := marshal(f.want[i].value)
		if literal, is := m.Value.Value.(hujson.Literal); err != nil || !is || string(literal) != string(constant) {
			return false
		}
	}
	return true
}

func isEmpty(v hujson.Value) bool {
	switch value := v.Value.(type) {
	case *hujson.Object:
		return len(value.Members) == 0 && !hasText(value.AfterExtra)
	case *hujson.Array:
		return n(value) == 0 && !hasText(value.AfterExtra)
	}
	return false
}

func hasText(extra hujson.Extra) bool { return len(bytes.TrimSpace(extra)) > 0 }

func hasComment(root hujson.Value) bool {
	for v := range root.All() {
		extra := append(slices.Clone(v.BeforeExtra), v.AfterExtra...)
		switch value := v.Value.(type) {
		case *hujson.Object:
			extra = append(extra, value.AfterExtra...)
		case *hujson.Array:
			extra = append(extra, value.AfterExtra...)
		}
		if hasText(extra) {
			return true
		}
	}
	return false
}

func named(obj *hujson.Object, key string) (values []hujson.Value) {
	for _, m := range obj.Members {
		if m.Name.Value.(hujson.Literal).String() == key {
			values = append(values, m.Value)
		}
	}
	return values
}

// pointer returns the name of a container in records.
func pointer(at []string) string { return strings.Join(at, "/") }

// equal implements form.
func (f jsonFile) equal(a, b []byte) bool {
	var values [2]any
	for i, doc := range [][]byte{a, b} {
		body, _ := withoutMark(slices.Clone(doc)) // Standardize writes into it
		plain, err := hujson.Standardize(body)
		if err == nil {
			err = json.Unmarshal(plain, &values[i])
		}
		if err != nil {
			return false
		}
	}
	return reflect.DeepEqual(values[0], values[1])
}

// holds implements form.
func (f jsonFile) holds(doc []byte) (bool, error) {
	rest, _, err := f.remove(doc, nil)
	return err == nil && !bytes.Equal(rest, doc), err
}

// owned implements form.
func (f jsonFile) owned() bool { return f.own }

// describe implements form.
func (f jsonFile) describe() string { return "" }

// A style is how a file is written.
type style struct{ newline, indent string }

// styleOf returns the style of a document, that of its first lines.
func styleOf(doc []byte) style {
	s := style{newline: "\n", indent: "  "}
	first := bytes.IndexByte(doc, '\n')
	if first < 0 {
		return s
	}
	if first > 0 && doc[first-1] == '\r' {
		s.newline = "\r\n"
	}
	for line := range bytes.Lines(doc[first+1:]) {
		text := bytes.TrimLeft(line, " \t")
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if indent := line[:len(line)-len(text)]; len(indent) > 0 {
			s.indent = string(indent)
		}
		break
	}
	return s
}

// render returns a value as text, over several lines.
func (s style) render(value any, depth int) (string, error) {
	compact, err := marshal(value)
	if err != nil {
		return "", err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, compact, strings.Repeat(s.indent, depth), s.indent); err != nil {
		return "", err
	}
	return strings.ReplaceAll(b.String(), "\n", s.newline), nil
}

// withoutMark returns a document without its byte order mark, and the length of the mark.
func withoutMark(doc []byte) ([]byte, int) {
	body := bytes.TrimPrefix(doc, []byte("\ufeff"))
	return body, len(doc) - len(body)
}

// isBlank reports whether a document has nothing but the white space of JSON.
func isBlank(doc []byte) bool { return len(bytes.Trim(doc, " \t\r\n")) == 0 }
