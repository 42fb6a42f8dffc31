package command

import "github.com/wm-lsp/wm-lsp/extract/once"

// A pattern is a regular expression that is compiled when it is first used: the
// readers have dozens, and a workspace needs those of a few tools.
type pattern = *once.Regexp

// lazy returns the pattern of an expression. It panics when it is first used if
// it is none.
func lazy(expression string) pattern { return once.Compile(expression) }
