// Package gate is the one way in for what is written: everything passes it
// before it reaches the log, a table, a copy or the state in memory, and leaves
// its secrets here.
package gate

import (
	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Redact returns the change without the secrets of any of its texts, and with
// how many its payload held.
func Redact(c change.Change) change.Change {
	c.Subject, _ = redact.Text(c.Subject)
	c.Reason, _ = redact.Text(c.Reason)
	c.Before, _ = redact.JSON(c.Before)
	c.After, c.Redactions = redact.JSON(c.After)
	return c
}

// Text returns a text without its secrets, for what is kept outside the log.
func Text(text string) string {
	text, _ = redact.Text(text)
	return text
}
