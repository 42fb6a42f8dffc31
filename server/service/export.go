package service

import (
	"errors"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// The markers around what is exported into a file. A line that begins with one of the prefixes is a
// marker.
const (
	beginPrefix = "<!-- wm-lsp:begin"
	endPrefix   = "<!-- wm-lsp:end"
	beginMarker = beginPrefix + " (written by wm-lsp export; what stands between the markers is replaced) -->"
	endMarker   = endPrefix + " -->"
)

// Markdown returns entries as a list for each type, between markers. A string is shown literally, without the
// secrets that a person asked to keep in it: the file may be tracked.
func Markdown(entries []wire.MemoryEntry) string {
	var types []string
	lists := map[string]string{}
	for _, entry := range entries {
		if !slices.Contains(types, entry.Type) {
			types = append(types, entry.Type)
		}
		item := "- " + panel.Escape(gate.Text(entry.Text))
		if entry.Rationale != "" {
			item += " (" + panel.Escape(gate.Text(entry.Rationale)) + ")"
		}
		lists[entry.Type] += item + "\n"
	}
	text := beginMarker + "\n## What is remembered of this workspace\n"
	for _, kind := range types {
		text += "\n### " + panel.Escape(kind) + "\n\n" + lists[kind]
	}
	return text + endMarker + "\n"
}

// errMarkers means that a file cannot be updated.
var errMarkers = errors.New("the markers of wm-lsp are not a pair, begin before end; remove them, then export again")

// WithMarkdown returns a document in which Markdown stands between its markers, or at the end if it has
// none. All other bytes stay as they are.
func WithMarkdown(document, markdown string) (string, error) {
	if strings.Contains(document, "\r\n") {
		markdown = strings.ReplaceAll(markdown, "\n", "\r\n")
	}
	begin, end, begins, ends, at := 0, 0, 0, 0, 0
	for line := range strings.Lines(document) {
		switch {
		case strings.HasPrefix(line, beginPrefix):
			begin, begins = at, begins+1
		case strings.HasPrefix(line, endPrefix):
			end, ends = at+len(line), ends+1
		}
		at += len(line)
	}
	switch {
	case begins == 1 && ends == 1 && begin < end:
		return document[:begin] + markdown + document[end:], nil
	case begins+ends > 0:
		return "", errMarkers
	case document == "":
		return markdown, nil
	}
	newline := "\n"
	if strings.Contains(document, "\r\n") {
		newline = "\r\n"
	}
	if !strings.HasSuffix(document, "\n") {
		document += newline
	}
	return document + newline + markdown, nil
}
