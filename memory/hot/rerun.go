package hot

import (
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/wm-lsp/wm-lsp/extract/redact"
	"github.com/wm-lsp/wm-lsp/extract/tag"
)

// A Rerun is the command that reported an error, to be run again by a person.
type Rerun struct {
	Line string `json:"line"`
	// Dir is the folder in which it ran, relative to the worktree or absolute, "" for the worktree.
	Dir string `json:"dir,omitempty"`
}

// maxRerun is the maximum length of a command that can be run again, in characters.
const maxRerun = 1000

// rerunOf returns a command that ran in a folder. It returns nil if it is too long, if redaction changed
// it, or if it has characters that a person would not see before it runs.
func rerunOf(line, worktree, cwd string) *Rerun {
	line = strings.TrimSpace(line)
	if line == "" || utf8.RuneCountInString(line) > maxRerun || redact.HasMarker(line) || tag.Visible(line) != line {
		return nil
	}
	if strings.ContainsFunc(line, func(c rune) bool { return c < ' ' && c != '\n' && c != '\t' || c == 0x7f }) {
		return nil
	}
	run := &Rerun{Line: line}
	relative, err := filepath.Rel(worktree, cwd)
	switch {
	case cwd == "" || err == nil && relative == ".":
	case err == nil && filepath.IsLocal(relative):
		run.Dir = filepath.ToSlash(relative)
	default:
		run.Dir = cwd
	}
	return run
}
