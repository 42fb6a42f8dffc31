package redact

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// JSON redacts every string of a JSON document, values and keys of objects, and
// the numbers that are cards, phones or passwords; what stood for a number is a
// string then. It returns the document with how many secrets there were. A
// document without any is returned as it is, the same slice. What is not JSON is
// redacted as text.
func JSON(doc []byte) ([]byte, int) { return JSONExcept(doc, nil) }

// JSONExcept is JSON for a document whose strings are left as they are if spared reports it
// for them; nil spares none.
func JSONExcept(doc []byte, spared func(text string) bool) ([]byte, int) {
	if spared != nil && isSpared(doc, spared) || !suspicious(doc) {
		return doc, 0
	}
	if !json.Valid(doc) {
		text, n := Text(string(doc))
		if n == 0 {
			return doc, 0
		}
		return []byte(text), n
	}
	w := walk{doc: doc, spared: spared, webKeys: webKeysOf(doc)}
	w.value()
	if w.total == 0 {
		return doc, 0
	}
	return append(w.out, doc[w.copied:]...), w.total
}

// isSpared reports whether a document consists of short words as keys, of spared strings, and of numbers that are no
// secrets whatever they go by. It is told without the tables of the rules.
func isSpared(doc []byte, spared func(text string) bool) bool {
	for at := 0; at < len(doc); {
		c := doc[at]
		switch {
		case strings.IndexByte("{}[]:, ", c) >= 0:
			at++
		case c == '"':
			end := literalEnd(doc, at)
			if end-at < 2 || doc[end-1] != '"' {
				return false // it is no JSON
			}
			if isObjectKey(doc, end) {
				if !isShortWord(doc[at+1 : end-1]) {
					return false
				}
			} else if !spared(decode(doc[at:end])) {
				return false
			}
			at = end
		default:
			size := harmlessSize(doc[at:])
			if size == 0 || at == 0 || doc[at-1] != ':' {
				return false
			}
			at += size
		}
	}
	return true
}

// harmlessSize returns the length of the number or of the word of JSON that a document begins with, and that ends a
// member of an object. It is 0 for what is neither, and for a number that walk takes for a secret by its name.
func harmlessSize(doc []byte) int {
	size := bytes.IndexAny(doc, ",}")
	if size <= 0 {
		return 0
	}
	value := doc[:size]
	isNumber := isDigit(value[0]) || value[0] == '-'
	if !isNumber && !slices.Contains([]string{"true", "false", "null"}, string(value)) || !json.Valid(value) ||
		isNumber && size >= minSecret && run(string(value), 0, size, isDigit) == size {
		return 0
	}
	return size
}

// suspicious reports whether a document may hold a secret at all: a trigger, an
// @, many digits, or an escape or a hidden character behind which one of these could hide.
func suspicious(doc []byte) bool {
	return bytes.IndexByte(doc, '@') >= 0 || bytes.IndexByte(doc, '%') >= 0 || bytes.IndexByte(doc, '&') >= 0 ||
		hasEscape(doc) || hasNumber(doc) ||
		hasRun(doc, minLong, isDotted) || hasRun(doc, minKeyLine, isBase64) || hasHidden(doc) || hasListedSeed(doc) ||
		table.Get().index.standsIn(doc) || table.Get().written.standsIn(doc)
}

// hasEscape reports whether a document has an escape that is not only for the
// characters that JSON demands one for.
func hasEscape(doc []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(doc[at:], '\\')
		if at += i; i < 0 || at+1 == len(doc) {
			return false
		}
		if next := doc[at+1]; next == 'u' || next == '/' || next == 'x' {
			return true
		}
	}
}

// hasHidden reports whether a document has a character that the view of a string leaves out or
// changes, other than an escape of terminals, which JSON writes as an escape.
func hasHidden(doc []byte) bool {
	for _, r := range string(doc) { // without a copy
		if r >= utf8.RuneSelf && isHidden(r) {
			return true
		}
	}
	return false
}

// hasRun reports whether a document has so many bytes of a kind one behind the other. It looks at one byte of each such
// length, and around those of the kind.
func hasRun(doc []byte, length int, is func(byte) bool) bool {
	for i := length - 1; i < len(doc); i += length {
		if !is(doc[i]) {
			continue
		}
		start, end := i, i+1
		for start > 0 && end-start < length && is(doc[start-1]) {
			start--
		}
		for end < len(doc) && end-start < length && is(doc[end]) {
			end++
		}
		if end-start == length {
			return true
		}
	}
	return false
}

// hasNumber reports whether eight digits stand close together.
func hasNumber(doc []byte) bool {
	digits, gap := 0, 0
	for _, c := range doc {
		switch {
		case isDigit(c):
			gap = 0
			if digits++; digits >= 8 {
				return true
			}
		case digits > 0:
			if gap++; gap > 2 || isAlpha(c) {
				digits = 0
			}
		}
	}
	return false
}

// A walk goes over a valid document and copies it where it changes.
type walk struct {
	doc       []byte
	at        int // the byte that is looked at
	out       []byte
	copied    int // the bytes of doc that are in out
	total     int
	enclosing []frame
	spared    func(text string) bool
	webKeys   []span // the secret members of JSON Web Keys that are not passed yet, in order
	tried     efforts
}

// A frame is what is known of the object or the list that a value stands in, by
// its strings as they are after redaction.
type frame struct {
	of     string // what it goes by itself
	member string // the key of the value; in a list, what the list goes by
	called string // the value of the member "name" or "key", where there was one
	before string // the element of the list before this one
}

// value passes over all values of the document.
func (w *walk) value() {
	w.enclosing = append(w.enclosing, frame{})
	for ; w.at < len(w.doc); w.at++ {
		in := &w.enclosing[len(w.enclosing)-1]
		switch c := w.doc[w.at]; {
		case c == '{' || c == '[':
			w.enclosing = append(w.enclosing, frame{of: in.name(), member: in.name()})
		case c == '}' || c == ']':
			w.enclosing = w.enclosing[:len(w.enclosing)-1]
		case c == '"':
			w.text(in)
		case isDigit(c):
			w.number(in)
		}
	}
}

// name is what a value goes by: its key, or where that only says that it is a
// value, what it is called beside it, or what the object goes by.
func (f *frame) name() string {
	if !strings.EqualFold(f.member, "value") {
		return f.member
	}
	return cmp.Or(f.called, f.of, f.member)
}

func (w *walk) text(in *frame) {
	start := w.at
	end := literalEnd(w.doc, start)
	w.at = end - 1
	text := decode(w.doc[start:end])
	isKey := isObjectKey(w.doc, end)
	if !isKey && w.spared != nil && w.spared(text) {
		in.before = text
		return
	}
	tried := &w.tried
	if isKey && len(text) <= maxName { // a member that a program looks for
		tried = &efforts{}
	}
	if isKey && isShortWord(text) { // which is no secret by itself
		in.member, in.before = text, text
		return
	}
	clean, n := textOf(text, tried)
	if rule := w.webKeyAt(start + len(`"`)); rule != "" {
		clean, n = markerOpen+rule+markerClose, 1
	} else if n == 0 && !isKey && isSecretOf(in, text) {
		clean, n = markerOpen+assigned+markerClose, 1
	}
	if n > 0 {
		w.replace(start, end, clean, n)
	}
	switch {
	case isKey:
		in.member = clean
	case strings.EqualFold(in.member, "name") || strings.EqualFold(in.member, "key"):
		in.called = clean
	}
	in.before = clean
}

// webKeysOf returns the secret members of the JSON Web Keys of a document, in order.
func webKeysOf(doc []byte) (found []span) {
	if !bytes.Contains(doc, []byte(webKeyType)) {
		return nil
	}
	text := string(doc)
	for at := 0; ; at++ {
		i := strings.Index(text[at:], webKeyType)
		if i < 0 {
			break
		}
		at += i
		found = webKey(text, at, found)
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return found
}

// webKeyAt returns the rule of the secret member of a JSON Web Key whose value starts at at, "" if none does.
func (w *walk) webKeyAt(at int) string {
	for len(w.webKeys) > 0 && w.webKeys[0].start < at {
		w.webKeys = w.webKeys[1:]
	}
	if len(w.webKeys) > 0 && w.webKeys[0].start == at {
		return w.webKeys[0].rule
	}
	return ""
}

// isShortWord reports whether a string consists of few letters.
func isShortWord[T string | []byte](text T) bool {
	const most = 16
	for i := range len(text) {
		if !isAlpha(text[i]) {
			return false
		}
	}
	return len(text) <= most
}

// isSecretOf reports whether a string is a secret by what it goes by, or by the
// element before it, as headers are written in a list.
func isSecretOf(in *frame, text string) bool {
	v := value{text: text, quoted: true}
	return isSecretNamed(in.name(), v, ":") || in.before != in.member && isSecretNamed(in.before, v, ",")
}

func isSecretNamed(name string, v value, sep string) bool {
	if name == "" || len(name) > maxName || len(v.text) < minSecret {
		return false
	}
	n := named{text: name, kind: nameKind(name)}
	if n.kind == harmless {
		n.kind = words().names[lowered(name)]
	}
	v.end = len(v.text)
	return n.kind != harmless && !v.isInnocent(v.text, n, sep)
}

func (w *walk) number(in *frame) {
	start := w.at
	end := start
	for end < len(w.doc) && isDigit(w.doc[end]) {
		end++
	}
	w.at = end - 1
	if end-start < minSecret || end < len(w.doc) && strings.IndexByte(".eE", w.doc[end]) >= 0 ||
		start > 0 && strings.IndexByte("-.+eE", w.doc[start-1]) >= 0 {
		return
	}
	digits := string(w.doc[start:end])
	name := in.name()
	if len(digits) < 8 && nameKind(name) != password {
		return
	}
	clean, n := textOf(name+": "+digits, &w.tried)
	if n == 0 && nameKind(name) == password {
		clean, n = markerOpen+assigned+markerClose, 1
	}
	if marks := markers(clean); n > 0 && !strings.Contains(clean, digits) {
		last := marks[len(marks)-1]
		w.replace(start, end, clean[last.start:last.end], 1)
	}
}

// replace writes a string in the place of doc[start:end].
func (w *walk) replace(start, end int, text string, n int) {
	w.out = append(append(w.out, w.doc[w.copied:start]...), encode(text)...)
	w.copied = end
	w.total += n
}

// literalEnd returns the byte after the string literal that starts at at.
func literalEnd(doc []byte, at int) int {
	if n := bytes.IndexByte(doc[at+1:], '"'); n >= 0 && bytes.IndexByte(doc[at+1:at+1+n], '\\') < 0 { // as most
		return at + n + 2
	}
	for i := at + 1; i < len(doc); i++ {
		switch doc[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(doc)
}

func isObjectKey(doc []byte, at int) bool {
	for at < len(doc) && isSpace(doc[at]) {
		at++
	}
	return at < len(doc) && doc[at] == ':'
}

func decode(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var text string
	if err := json.Unmarshal(literal, &text); err != nil {
		return string(literal[1 : len(literal)-1]) // cannot be: the document is valid
	}
	return text
}

func encode(text string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		return []byte(`""`) // cannot be: a string always encodes
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
