// Package gate is the one way in for what is written: everything passes it
// before it reaches the log, a table, a copy or the state in memory, and leaves
// its secrets here.
package gate

import (
	"io"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
)

// Redact returns the change without the secrets of any of its texts, and with
// how many its payload held.
func Redact(c change.Change) change.Change {
	c.Subject, c.Session, c.By, c.Reason = Text(c.Subject), Text(c.Session), Text(c.By), Text(c.Reason)
	c.Before, _ = redact.JSON(c.Before)
	c.After, c.Redactions = redact.JSON(c.After)
	return c
}

// Text returns a text without its secrets, for what is kept outside the log.
func Text(text string) string {
	text, _ = redact.Text(text)
	return text
}

// Prepare makes the tables that the first text would otherwise wait for.
func Prepare() { redact.Prepare() }

// Document returns a JSON document without its secrets, for a file that people
// read; what is no JSON is taken as text.
func Document(doc []byte) []byte {
	doc, _ = redact.JSON(doc)
	return doc
}

// Writer returns a writer that takes the secrets out of what is written to it, a
// line at a time, as a log does.
func Writer(to io.Writer) io.Writer { return writer{to} }

type writer struct{ to io.Writer }

func (w writer) Write(line []byte) (int, error) {
	if _, err := io.WriteString(w.to, Text(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
