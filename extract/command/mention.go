package command

import (
	"slices"
	"strings"
)

// Files returns the files of the workspace that an output names, relative to it,
// in the order in which they are named: at most 50, each once (systems.md A5). A
// name counts when it has a folder and an ending, or a position behind it.
func (o Output) Files() []string {
	t := newTranscript(o)
	var found []string
	for _, line := range t.lines {
		if len(found) == maxMentions {
			break
		}
		if !strings.ContainsAny(line, `./\`) {
			continue
		}
		for word := range strings.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(" \t\"'`()[]{}<>,;=|", r) }) {
			file, ok := fileNamed(word)
			if !ok || !t.inside(file) {
				continue
			}
			if file = t.path(file); !slices.Contains(found, file) && len(found) < maxMentions {
				found = append(found, file)
			}
		}
	}
	return found
}

// fileNamed takes the position off the name of a file.
func fileNamed(word string) (string, bool) {
	placed := false
	if file, _, _, ok := position(word); ok {
		word, placed = file, true
	}
	word = strings.TrimRight(word, ".:")
	dot, slash := strings.LastIndexByte(word, '.'), strings.LastIndexAny(word, `/\`)
	if strings.Contains(word, "://") || dot <= slash+1 || dot == len(word)-1 || len(word)-dot > 10 || len(word) > 400 || !placed && slash <= 0 {
		return "", false
	}
	return word, strings.IndexFunc(word[dot+1:], func(r rune) bool { return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9') }) < 0
}
