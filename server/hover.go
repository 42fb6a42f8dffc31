package server

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/server/panel"
)

// maxHoverEntries is how many memories are shown at one place.
const maxHoverEntries = 3

// hover shows what the memory has on exactly the place of the cursor: errors
// that are open on the line, and entries about the file that tell of such an
// error or name the identifier there. Everywhere else it is silent.
func (s *Server) hover() handler {
	return handler{decode: func(_ *Server, doc []byte) (task, error) {
		var params struct {
			TextDocument struct {
				URI string `json:"uri"`
			} `json:"textDocument"`
			Position protocol.Position `json:"position"`
		}
		if err := json.Unmarshal(doc, &params); err != nil {
			return task{}, paramsError(err)
		}
		open := s.documents.at(params.TextDocument.URI, params.Position)
		if open == nil {
			return task{run: func(context.Context) (any, error) { return nil, nil }}, nil
		}
		return task{when: reading, at: open.at, run: func(context.Context) (any, error) { return s.hoverAt(open) }}, nil
	}}
}

// A spot is a place in an open document.
type spot struct {
	at         *view
	path       string
	line       int    // from 1
	identifier string // "" where there is none
}

// at returns the spot of a position; nil where there is no such document or place.
func (d *documents) at(name string, position protocol.Position) *spot {
	d.mu.Lock()
	defer d.mu.Unlock()
	open := d.named(name)
	if open == nil || !open.tracked {
		return nil
	}
	from, err := offset(open.text, position)
	if err != nil {
		return nil
	}
	return &spot{open.at, open.path, int(position.Line) + 1, identifierAt(open.text, from)}
}

func inIdentifier(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// identifierAt returns the identifier that a byte offset lies in or ends.
func identifierAt(text string, at int) string {
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

func (s *Server) hoverAt(place *spot) (any, error) {
	at := place.at
	errors := memory.RoomOf[*hot.Room](at.Workspace).ErrorsAt(at.who.Session, at.worktree(), place.path, place.line, place.line)
	var told []longterm.Entry
	for _, entry := range memory.RoomOf[*longterm.Room](at.Workspace).About(place.path) {
		if len(told) < maxHoverEntries && (tellsOf(entry.Text, errors) || namesCode(entry.Text, place.identifier)) {
			told = append(told, entry)
		}
	}
	if len(errors) == 0 && len(told) == 0 {
		return nil, nil
	}
	content := map[string]string{"kind": string(protocol.MarkupKindPlainText), "value": panel.PlainHover(errors, told)}
	if s.client.markdown {
		content = map[string]string{"kind": string(protocol.MarkupKindMarkdown), "value": panel.Hover(errors, told)}
	}
	return encoded(map[string]any{"contents": content})
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
