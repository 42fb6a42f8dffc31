package redact

import (
	"strings"
	"unicode/utf8"
)

// A secret may come in two pieces: the question for a password and its answer, a name at
// the end of a message and its value in the next one, a private key in several.

// maxTail is how much of a string is kept for the next one, in bytes.
const maxTail = 240

// Tail returns what of a redacted text has to be known to redact the text that follows it:
// its last line, or the mark of a private key that has not ended. It is at most 240 bytes
// long.
func Tail(text string) string {
	if start := strings.LastIndex(text, beginLine); start >= 0 {
		if _, ok := keyLabel(text, start+len(beginLine)); ok && !strings.Contains(text[start:], endLine) {
			return openKey
		}
	}
	text = strings.TrimRight(text, " \t\r\n")
	if strings.HasSuffix(text, markerOpen+"private-key"+markerClose) {
		return openKey
	}
	text = text[strings.LastIndexByte(text, '\n')+1:]
	if len(text) > maxTail {
		from := len(text) - maxTail
		for from < len(text) && !utf8.RuneStart(text[from]) {
			from++
		}
		text = text[from:]
	}
	return text
}

// openKey begins a private key that goes on in the next text.
const openKey = beginLine + "PRIVATE KEY-----"

// isOpen reports whether a string ends before a value.
func isOpen(tail string) bool {
	last := wordBefore(tail, len(tail))
	return strings.IndexByte(":=", tail[len(tail)-1]) >= 0 || words().is[lowered(tail[last.start:last.end])]
}

// TextAfter is Text for a string that follows another one, of which it takes the Tail.
func TextAfter(tail, text string) (string, int) {
	if tail == "" || text == "" {
		return Text(text)
	}
	n := 0
	for _, between := range []string{"\n", " "} {
		if between == " " && !isOpen(tail) {
			break
		}
		v := viewOf(tail + between + text)
		from := len(tail) + len(between)
		var behind []span
		for _, f := range v.spans(find(v.text, &effort{})) {
			if f.end > from && !isDone(v.original, f) {
				f.start = max(f.start, from) - from
				f.end -= from
				behind = append(behind, f)
			}
		}
		text = replace(text, behind)
		n += len(behind)
	}
	text, more := Text(text)
	return text, n + more
}
