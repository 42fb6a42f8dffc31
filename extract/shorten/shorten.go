// Package shorten makes strings fit into lines and limits. What is left out at the end is replaced by "…".
package shorten

import (
	"slices"
	"strings"
	"unicode/utf8"
)

const ellipsis = "…"

// Line returns a string with every run of white space as one space.
func Line(text string) string { return strings.Join(strings.Fields(text), " ") }

// Chars returns a string with at most max characters, which is at least 1.
func Chars(text string, max int) string {
	cut, count := 0, 0
	for at := range text {
		if count == max-1 {
			cut = at
		}
		if count++; count > max {
			return text[:cut] + ellipsis
		}
	}
	return text
}

// Bytes returns a string in UTF-8 with at most max bytes, of which the ellipsis has 3.
func Bytes(text string, max int) string {
	if len(text) <= max {
		return text
	}
	cut := max - len(ellipsis)
	for cut > 0 && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + ellipsis
}

// List returns the first names of a list, at most most, with commas between them.
func List(names []string, most int) string {
	if len(names) > most {
		names = append(slices.Clone(names[:most]), ellipsis)
	}
	return strings.Join(names, ", ")
}
