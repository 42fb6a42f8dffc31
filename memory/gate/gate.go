// Package gate redacts secrets from everything that is written, before it reaches the
// log, a table, a copy or the state in memory.
package gate

import (
	"io"
	"slices"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/cores"
)

// Spared reports whether a person asked for a string to be kept as it was written.
type Spared func(text string) bool

// Redact returns the change without secrets, except in spared strings of its payload. Its
// Redactions is the number of secrets in its payload.
func Redact(c change.Change, spared Spared) change.Change {
	changes := []change.Change{c}
	Changes(changes, spared)
	return changes[0]
}

// Changes redacts changes as Redact does. spared may be called by several goroutines.
func Changes(changes []change.Change, spared Spared) {
	var session, by, reason memo
	for i := range changes {
		c := &changes[i]
		c.Session, c.By, c.Reason = session.of(c.Session), by.of(c.By), reason.of(c.Reason)
	}
	cores.ForEach(changes, func(_ int, c *change.Change) {
		except := func(text string) bool {
			return text == c.By || text == c.Session || // they are clean now
				slices.Contains(c.Clean, text) || spared != nil && spared(text)
		}
		if !slices.Contains(c.Clean, c.Subject) {
			c.Subject = Text(c.Subject)
		}
		c.Before, _ = redact.JSONExcept(c.Before, except)
		c.After, c.Redactions = redact.JSONExcept(c.After, except)
	})
}

// A memo is the last text and what Text returned for it.
type memo struct{ text, clean string }

func (m *memo) of(text string) string {
	if text != m.text {
		m.text, m.clean = text, Text(text)
	}
	return m.clean
}

// Text returns a string without its secrets, for data that is stored outside the log.
func Text(text string) string {
	text, _ = redact.Text(text)
	return text
}

// Prepare makes the tables that the first call of Text needs.
func Prepare() { redact.Prepare() }

// Document returns a JSON document without its secrets, for a file that people read.
// If it is not JSON, it is redacted as text.
func Document(doc []byte) []byte { return DocumentExcept(doc, nil) }

// DocumentExcept is Document for a document with spared strings.
func DocumentExcept(doc []byte, spared Spared) []byte {
	doc, _ = redact.JSONExcept(doc, spared)
	return doc
}

// Writer returns a writer for a log that redacts every write, which must be a whole
// line.
func Writer(to io.Writer) io.Writer { return writer{to} }

type writer struct{ to io.Writer }

func (w writer) Write(line []byte) (int, error) {
	if _, err := io.WriteString(w.to, Text(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
