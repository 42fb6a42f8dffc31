package service

import "strings"

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func clipped(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
