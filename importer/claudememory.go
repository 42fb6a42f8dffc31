package importer

import (
	"path/filepath"
	"strings"

	"github.com/wm-lsp/wm-lsp/extract/pattern"
)

// claudeMemory is the format of what Claude Code remembers by itself: for each workspace a folder
// projects/{path}/memory in its home, with an index MEMORY.md and files of topics. A topic has front matter
// with a type (user, feedback, project, reference), says what is remembered in its first paragraph, and why
// in one that begins with "Why:". Older ones, and an index without topics, are lists: of the index every item is
// remembered, but for the links to topics. Topics without a type are also kept whole, as notes, and so is an index
// that has something else.
func claudeMemory() Format {
	return Format{
		Name: "claude-memory", Title: "the memory of Claude Code", Offered: true,
		places: func(at Place) (places []place) {
			for _, folder := range at.Folders {
				if at.ClaudeHome != "" {
					dir := filepath.Join(at.ClaudeHome, "projects", claudeFolderOf(folder), "memory")
					places = append(places, place{dir, ".", isMarkdown})
				}
			}
			return places
		},
		recognizes: func(f file) bool {
			return f.base() == "memory.md" || isMarkdown(f.path) && f.in("memory") && isTopic(f)
		},
		read: func(r *reader, f file) error {
			meta, body, line := frontMatter(f.text)
			switch {
			case isTopic(f):
				return r.topic(f, meta, body, line)
			case f.base() != "memory.md":
				r.rules(f, body, line, "", "")
			case r.rules(f, body, line, "", "project") && !blocks.Match(body):
				return nil
			}
			return r.document(f, f.stem())
		},
	}
}

// blocks matches a document with code or a table.
var blocks = pattern.New(`(?m)^[ \t]*(?:\x60{3}|~~~|\|)`)

// claudeFolderOf returns the name of the folder for a workspace: its path, in which everything but letters
// and digits is a hyphen.
func claudeFolderOf(folder string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '-'
	}, folder)
}

// isTopic reports whether a file has front matter with a type of Claude Code.
func isTopic(f file) bool {
	meta, _, _ := frontMatter(f.text)
	switch meta["type"] {
	case "user", "feedback", "project", "reference":
		return meta["name"] != "" || meta["description"] != ""
	}
	return false
}

// topic adds the entry of a topic.
func (r *reader) topic(f file, meta map[string]string, body string, line int) error {
	entry := Entry{Type: meta["type"], Line: 1}
	if entry.Type == "user" {
		entry.Type = "feedback"
	}
	for _, u := range units(body, line) {
		if why, is := strings.CutPrefix(u.text, "Why:"); is {
			entry.Rationale = firstOf(entry.Rationale, why)
			continue
		}
		if entry.Text == "" {
			entry.Text, entry.Line = u.text, u.line
		}
	}
	entry.Text = firstOf(entry.Text, meta["description"])
	if len(entry.Text) <= maxRule {
		r.add(f, entry)
		return nil
	}
	entry.Text, entry.Line = meta["description"], 1
	r.add(f, entry)
	return r.document(f, f.stem())
}
