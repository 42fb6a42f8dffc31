package terminal

import (
	"github.com/wm-lsp/wm-lsp/extract/shorten"
	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// Visible returns a string without what controls a terminal, or hides a part of it.
func Visible(text string) string { return tag.Visible(Strip(text)) }

// Line returns a string in one line, without what controls a terminal or hides a part of it.
func Line(text string) string { return shorten.Line(Visible(text)) }
