package gate

import (
	"path"
	"strings"
	"unicode"
)

// Name returns the path of a file or a note without the secrets in it. Each part of it is also
// looked at by itself, without its ending, and each of its words: in a string, a number behind a
// slash or a hyphen counts as an id.
func Name(name string) string {
	parts := strings.Split(Text(name), "/")
	for i, part := range parts {
		ending := path.Ext(part)
		if stem := strings.TrimSuffix(part, ending); stem != "" {
			part = Text(stem) + ending
		}
		for word := range strings.FieldsFuncSeq(part, isNoWord) {
			part = strings.ReplaceAll(part, word, Text(word))
		}
		parts[i] = part
	}
	return strings.Join(parts, "/")
}

func isNoWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
