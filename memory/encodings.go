package memory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/render"
)

// tells reports whether a change contains one of the strings. In a change of an entry, only the
// whole text of the entry counts, because other entries may quote it.
func tells(c change.Change, texts []string) bool {
	if c.Kind.Noun() != longterm.Noun {
		return holds(c, texts)
	}
	return slices.ContainsFunc(texts, func(t string) bool { return longterm.Tells(c, longterm.Entry{Text: t}) })
}

func holds(c change.Change, texts []string) bool { return holdsForm(c, texts, encodings(texts)) }

// holdsForm is holds with given encodings of the strings.
func holdsForm(c change.Change, texts, forms []string) bool {
	return holdsText(c.Before, forms) || holdsText(c.After, forms) || slices.ContainsFunc(texts, func(t string) bool {
		return strings.Contains(c.Subject, t) || strings.Contains(c.Reason, t)
	})
}

func holdsText(doc json.RawMessage, forms []string) bool {
	return slices.ContainsFunc(forms, func(t string) bool { return bytes.Contains(doc, []byte(t)) })
}

// formsOf returns the forms in which files may contain the strings: unchanged and as rendered in
// a context, each plain and in JSON.
func formsOf(texts []string) []string {
	all := slices.Clone(texts)
	for _, text := range texts {
		all = append(all, render.Flat(text))
	}
	return encodings(all)
}

// encodings returns the strings, the strings in JSON strings, and the strings in JSON that is in a
// JSON string, with and without HTML escaping.
func encodings(texts []string) []string {
	all := slices.Clone(texts)
	for range 2 {
		for _, text := range all {
			for _, escape := range []bool{true, false} {
				all = append(all, quoted(text, escape))
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

// quoted returns a string as it is between the quotes of a JSON string.
func quoted(text string, escape bool) string {
	var doc bytes.Buffer
	encoder := json.NewEncoder(&doc)
	encoder.SetEscapeHTML(escape)
	if encoder.Encode(text) != nil {
		return text
	}
	line := strings.TrimSuffix(doc.String(), "\n")
	return line[1 : len(line)-1]
}
