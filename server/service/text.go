package service

import "strings"

// oneLine returns text with every run of white space replaced by a space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// truncate returns text, cut to at most max characters.
func truncate(text string, max int) string {
	if runes := []rune(text); len(runes) > max {
		return string(runes[:max-1]) + "…"
	}
	return text
}
