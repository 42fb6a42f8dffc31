package redact

import (
	"bytes"
	"encoding/json"
)

// JSON redacts every string of a JSON document, values and keys of objects, and
// returns it with how many secrets there were. A document without any is
// returned as it is, the same slice. What is not JSON is redacted as text.
func JSON(doc []byte) ([]byte, int) {
	if !suspicious(doc) {
		return doc, 0
	}
	text := string(doc)
	plain := len(find(text)) == 0
	if plain && bytes.IndexByte(doc, '\\') < 0 {
		return doc, 0
	}
	clean, n := redactStrings(doc)
	switch {
	case plain && n == 0 || json.Valid(doc):
		return clean, n
	default:
		text, n = Text(text)
		return []byte(text), n
	}
}

// suspicious says whether a document may hold a secret at all: a trigger, an
// @, many digits, or an escape behind which one of these could hide.
func suspicious(doc []byte) bool {
	return bytes.IndexByte(doc, '@') >= 0 || bytes.Contains(doc, []byte(`\u`)) || bytes.Contains(doc, []byte(`\/`)) || hasNumber(doc) || hasTrigger(doc)
}

// hasNumber says whether eight digits stand close together.
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

// redactStrings walks the string literals of a document.
func redactStrings(doc []byte) ([]byte, int) {
	var out []byte
	copied, total := 0, 0
	name := ""
	for i := 0; i < len(doc); i++ {
		if doc[i] != '"' {
			continue
		}
		end := literalEnd(doc, i)
		if end-i < 2 || doc[end-1] != '"' {
			break // cut off
		}
		text := decode(doc[i:end])
		isKey := isObjectKey(doc, end)
		clean, n := Text(text)
		if !isKey && n == 0 {
			clean, n = member(name, text)
		}
		if n > 0 {
			out = append(append(out, doc[copied:i]...), encode(clean)...)
			copied, total = end, total+n
		}
		name = ""
		if isKey {
			name = text
		}
		i = end - 1
	}
	if total == 0 {
		return doc, 0
	}
	return append(out, doc[copied:]...), total
}

// member redacts the value of an object's member whose name says it is secret.
func member(name, text string) (string, int) {
	if name == "" || len(name) > maxName {
		return text, 0
	}
	kind := nameKind(name)
	if kind == harmless || !(value{text: text, quoted: true}).isSecret(kind, ":", name) {
		return text, 0
	}
	return markerOpen + assigned + markerClose, 1
}

// literalEnd returns the byte after the string literal that starts at at.
func literalEnd(doc []byte, at int) int {
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
		return string(literal[1 : len(literal)-1]) // no JSON: the caller will see
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
