package longterm

import "strings"

type asked struct{ Type, Text string }

func requests(text string) []asked {
	_, rest, ok := strings.Cut(text, "remember this:")
	if !ok {
		return nil
	}
	return []asked{{"project", strings.TrimSpace(rest)}}
}

func candidates(summary string) []asked {
	var found []asked
	for line := range strings.Lines(summary) {
		if kind, text, ok := strings.Cut(strings.TrimPrefix(line, "- ["), "] "); ok {
			found = append(found, asked{kind, strings.TrimSpace(text)})
		}
	}
	return found
}
