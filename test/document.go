package test

import (
	"path"
	"strings"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

// A document is a file that is open in a client.
type document struct {
	text    string
	version int
}

// languages are the language ids by the ending of the file.
func language(name string) string {
	switch path.Ext(name) {
	case ".go":
		return "go"
	case ".ts":
		return "typescript"
	case ".py":
		return "python"
	case ".rs":
		return "rust"
	case ".md":
		return "markdown"
	}
	return "plaintext"
}

// Open opens a file of the workspace, with the text that it has on the disk.
func (c *Client) Open(name string) {
	c.t.Helper()
	d := &document{text: c.env.Read(name), version: 1}
	c.documents[name] = d
	c.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": c.env.URI(name), "languageId": language(name), "version": d.version, "text": d.text,
	}})
}

// Change replaces the whole text of an open file.
func (c *Client) Change(name, text string) {
	c.t.Helper()
	c.change(name, text, map[string]any{"text": text})
}

// ChangeIncremental replaces the first occurrence of old in an open file, and
// sends only that.
func (c *Client) ChangeIncremental(name, old, replacement string) {
	c.t.Helper()
	text := c.open(name).text
	start := strings.Index(text, old)
	require.GreaterOrEqual(c.t, start, 0, "%s does not hold %q", name, old)
	end := start + len(old)
	c.change(name, text[:start]+replacement+text[end:], map[string]any{
		"range": map[string]any{"start": Position(text, start), "end": Position(text, end)},
		"text":  replacement,
	})
}

func (c *Client) change(name, text string, event map[string]any) {
	c.t.Helper()
	d := c.open(name)
	d.text, d.version = text, d.version+1
	c.Notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.env.URI(name), "version": d.version},
		"contentChanges": []any{event},
	})
}

// Save writes an open file to the disk and says so.
func (c *Client) Save(name string) {
	c.t.Helper()
	c.env.Write(name, c.open(name).text)
	c.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.env.URI(name)}})
}

// Close closes an open file.
func (c *Client) Close(name string) {
	c.t.Helper()
	c.open(name)
	delete(c.documents, name)
	c.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.env.URI(name)}})
}

func (c *Client) open(name string) *document {
	c.t.Helper()
	d := c.documents[name]
	require.NotNil(c.t, d, "%s is not open", name)
	return d
}

// A Diagnostic is one finding of a language server, as LSP has it.
type Diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity,omitempty"` // 1 error … 4 hint
	Code     any    `json:"code,omitempty"`
	Source   string `json:"source,omitempty"`
	Message  string `json:"message"`
}

// A Range is a part of a document, as LSP has it.
type Range struct {
	Start LinePosition `json:"start"`
	End   LinePosition `json:"end"`
}

// A LinePosition is a place in a document: both numbers count from 0, the
// character in UTF-16 units.
type LinePosition struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Position is the place of a byte offset in a string.
func Position(text string, offset int) LinePosition {
	before := text[:offset]
	line := before[strings.LastIndexByte(before, '\n')+1:]
	return LinePosition{Line: strings.Count(before, "\n"), Character: len(utf16.Encode([]rune(line)))}
}

// CompileError is an error of a compiler in a line that counts from 1.
func CompileError(line int, code, message string) Diagnostic {
	at := LinePosition{Line: line - 1}
	return Diagnostic{
		Range:    Range{at, LinePosition{line - 1, 1}},
		Severity: 1,
		Code:     code,
		Source:   "compiler",
		Message:  message,
	}
}

// Diagnostics forwards the whole set of diagnostics of a file, as the editor
// plugins do. None says that the file has none any more.
func (c *Client) Diagnostics(name string, diagnostics ...Diagnostic) {
	c.t.Helper()
	params := map[string]any{"uri": c.env.URI(name), "diagnostics": append([]Diagnostic{}, diagnostics...)}
	if d := c.documents[name]; d != nil {
		params["version"] = d.version
	}
	c.Notify("wm/diagnostics/changed", params)
}
