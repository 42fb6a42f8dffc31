package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/panel"
)

// maxHoverEntries is how many memories are shown at one place.
const maxHoverEntries = 3

func inIdentifier(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// IdentifierAt returns the identifier that a byte offset lies in or ends.
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

// Hover returns what the memory has on exactly one line of a file and on an
// identifier there: the errors that are open on the line, and entries about the
// file that tell of such an error or name the identifier. It is empty where there
// is nothing. The text is Markdown or plain.
func (s *Service) Hover(at *View, path string, line int, identifier string, markdown bool) string {
	errors := memory.RoomOf[*hot.Room](at.Workspace).ErrorsAt(at.who.Session, at.worktree(), path, line, line)
	var told []longterm.Entry
	for _, entry := range memory.RoomOf[*longterm.Room](at.Workspace).About(path) {
		if len(told) < maxHoverEntries && (tellsOf(entry.Text, errors) || namesCode(entry.Text, identifier)) {
			told = append(told, entry)
		}
	}
	switch {
	case len(errors) == 0 && len(told) == 0:
		return ""
	case markdown:
		return panel.Hover(errors, told)
	}
	return panel.PlainHover(errors, told)
}

// tellsOf reports whether a text repeats the words of one of the errors.
func tellsOf(text string, errors []hot.Error) bool {
	return slices.ContainsFunc(errors, func(e hot.Error) bool {
		summary := strings.TrimSuffix(e.Summary, "…")
		return summary != "" && strings.Contains(text, summary)
	})
}

// namesCode reports whether a text names an identifier as one, and not as a word
// of its own language: in backticks, as a call, or because no word looks like it.
func namesCode(text, identifier string) bool {
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

// looksLikeCode reports whether an identifier has what words have not: a digit, an
// underscore, or a capital letter after a small one.
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
