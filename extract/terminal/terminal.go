// Package terminal turns what a program printed to a terminal into the text
// that a person read there.
package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/parser"
)

// Strip returns the text without its escape sequences. It uses the state table
// of the ansi library alone: the library itself also measures how wide
// characters are, and takes 50 ms to get ready for that.
func Strip(text string) string {
	const escape = 0x1b
	if strings.IndexByte(text, escape) < 0 {
		return text
	}
	var plain strings.Builder
	plain.Grow(len(text))
	state := parser.GroundState
	for i := 0; i < len(text); {
		if text[i] >= utf8.RuneSelf {
			_, size := utf8.DecodeRuneInString(text[i:])
			if !inString(state) { // the text goes on, if need be in the midst of a sequence
				state = parser.GroundState
				plain.WriteString(text[i : i+size])
			}
			i += size
			continue
		}
		next, action := parser.Table.Transition(state, text[i])
		if action == parser.PrintAction || action == parser.ExecuteAction {
			plain.WriteByte(text[i])
		}
		state = next
		i++
	}
	return plain.String()
}

// inString reports whether a sequence carries text that is not for the screen,
// such as a title. Bytes over 127 belong to it: they are UTF-8, not the 8-bit
// controls that the table knows.
func inString(state parser.State) bool {
	switch state {
	case parser.OscStringState,
		parser.DcsStringState,
		parser.SosStringState,
		parser.PmStringState,
		parser.ApcStringState:
		return true
	}
	return false
}
