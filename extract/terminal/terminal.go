// Package terminal converts the output of a program to a terminal into plain text.
package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi/parser"
)

// Strip returns the text without its escape sequences. It uses only the state
// table of the ansi library: the library also measures the width of characters
// and takes 50 ms to initialize that.
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
			if !inString(state) { // text, which ends an incomplete sequence
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

// inString reports whether the state is inside a sequence with text that is not
// displayed, such as a title. Bytes over 127 belong to that text: they are UTF-8,
// not the 8-bit controls of the table.
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
