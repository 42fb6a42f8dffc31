package longterm

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// canonical is the form in which texts are compared (systems.md B5). A text of
// punctuation only has no canonical form; it is compared as it is.
func canonical(text string) string {
	key := strings.Join(strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsPunct(r)
	}), " ")
	if key != "" {
		return key
	}
	return strings.TrimSpace(text)
}

// judge returns the code of the reason to reject a text, empty if it may be kept.
func judge(text, _ string, _ bool) string {
	if strings.TrimSpace(text) == "" {
		return "empty"
	}
	return ""
}

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
