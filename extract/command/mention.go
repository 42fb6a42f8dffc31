package command

import (
	"slices"
	"strings"
)

// maxNamed is how much of an output is searched for names of files, in bytes:
// what an output is about stands at its head.
const maxNamed = 64 << 10

// Files returns the files of the workspace that an output names, relative to it,
// in the order in which they are named: at most 50, each once (systems.md A5). A
// name counts when it has a folder and an ending, or a position behind it.
func (o Output) Files() []string {
	t := &transcript{out: o}
	text := clean(o.Stdout[:min(len(o.Stdout), maxNamed)])
	var found []string
	for at := 0; len(found) < maxMentions; {
		dot := strings.IndexByte(text[at:], '.') // no name is without one
		if dot < 0 {
			break
		}
		start, end := at+dot, at+dot+1
		for start > at && !ends(text[start-1]) {
			start--
		}
		for end < len(text) && !ends(text[end]) {
			end++
		}
		at = end
		if file, ok := fileNamed(text[start:end]); ok && t.inside(file) {
			if file = t.path(file); !slices.Contains(found, file) {
				found = append(found, file)
			}
		}
	}
	return found
}

// ends reports whether a byte stands between words that can be names of files.
func ends(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '"', '\'', '`', '(', ')', '[', ']', '{', '}', '<', '>', ',', ';', '=', '|':
		return true
	}
	return false
}

// fileNamed takes the position off the name of a file.
func fileNamed(word string) (string, bool) {
	if !strings.ContainsAny(word, `/\:`) {
		return "", false // neither folder nor position
	}
	placed := false
	if file, _, _, ok := position(word); ok {
		word, placed = file, true
	}
	word = strings.TrimRight(word, ".:")
	dot, slash := strings.LastIndexByte(word, '.'), strings.LastIndexAny(word, `/\`)
	if strings.Contains(word, "://") || len(word) > 400 || !placed && slash <= 0 {
		return "", false
	}
	if dot <= slash+1 || dot == len(word)-1 || len(word)-dot > 10 {
		return "", false
	}
	isPlain := func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' }
	return word, strings.TrimLeftFunc(word[dot+1:], isPlain) == ""
}
