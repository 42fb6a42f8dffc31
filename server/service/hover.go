package service

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
)

// maxHoverEntries is the maximum number of entries in a hover.
const maxHoverEntries = 3

func inIdentifier(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// IdentifierAt returns the identifier that contains a byte offset or ends at it.
func IdentifierAt(text string, at int) string {
	from, to := at, at
	for from > 0 {
		c, size := utf8.DecodeLastRuneInString(text[:from])
		if !inIdentifier(c) {
			break
		}
		from -= size
	}
	for to < len(text) {
		c, size := utf8.DecodeRuneInString(text[to:])
		if !inIdentifier(c) {
			break
		}
		to += size
	}
	return text[from:to]
}

// Hover returns what the memory knows about a line of a file and the identifier there:
// the open errors of the line, and the entries about the file that mention such an error
// or the identifier. It returns "" if there is nothing. The format is Markdown or plain
// text.
func (s *Service) Hover(at *View, path string, line int, identifier string, markdown bool) string {
	errors := at.hot().ErrorsAt(at.who.Session, at.worktree(), path, line, line)
	var entries []longterm.Entry
	for _, entry := range at.longterm().About(path) {
		if mentionsError(entry.Text, errors) || mentionsIdentifier(entry.Text, identifier) {
			entries = append(entries, entry)
		}
		if len(entries) == maxHoverEntries {
			break
		}
	}
	if len(errors) == 0 && len(entries) == 0 {
		return ""
	}
	return hoverText(errors, entries, markdown)
}

// hoverText returns a paragraph for each error and each entry.
func hoverText(errors []hot.Error, entries []longterm.Entry, markdown bool) string {
	strong := func(text string) string { return text }
	literal := func(text string) string { return tag.Visible(shorten.Line(text)) }
	if markdown {
		strong = func(text string) string { return "**" + text + "**" }
		literal = func(text string) string { return panel.Escape(tag.Visible(shorten.Line(text))) }
	}
	var paragraphs []string
	for _, e := range errors {
		facts := []string{e.Category, fmt.Sprintf("%d×", e.Count), "since " + e.FirstSeen.Local().Format("2 Jan 15:04")}
		if e.Command != "" {
			facts = append(facts, e.Command)
		}
		if e.MaybeFixed {
			facts = append(facts, "not checked since the edit")
		}
		paragraphs = append(paragraphs,
			strong("Open error")+" ("+literal(strings.Join(facts, ", "))+"): "+literal(e.Summary))
	}
	for _, entry := range entries {
		text := strong("Remembered") + " (" + literal(entry.Type) + "): " + literal(entry.Text)
		if entry.Rationale != "" {
			text += " – " + literal(entry.Rationale)
		}
		paragraphs = append(paragraphs, text)
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

// mentionsError reports whether text contains the summary of an error.
func mentionsError(text string, errors []hot.Error) bool {
	return slices.ContainsFunc(errors, func(e hot.Error) bool {
		summary := strings.TrimSuffix(e.Summary, "…")
		return summary != "" && strings.Contains(text, summary)
	})
}

// mentionsIdentifier reports whether text contains an identifier, and not a word of prose:
// in backticks, as a call, or in a spelling that words do not have.
func mentionsIdentifier(text, identifier string) bool {
	if len(identifier) < 2 {
		return false
	}
	distinct := looksLikeCode(identifier)
	for from := 0; ; {
		i := strings.Index(text[from:], identifier)
		if i < 0 {
			return false
		}
		before, after := text[:from+i], text[from+i+len(identifier):]
		from += i + len(identifier)
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if inIdentifier(last) || inIdentifier(next) {
			continue
		}
		if distinct || next == '(' || last == '`' && next == '`' {
			return true
		}
	}
}

// looksLikeCode reports whether an identifier has a digit, an underscore, or a capital
// letter after a small one.
func looksLikeCode(identifier string) bool {
	small := false
	for _, c := range identifier {
		if c == '_' || unicode.IsDigit(c) || small && unicode.IsUpper(c) {
			return true
		}
		small = small || unicode.IsLower(c)
	}
	return false
}
