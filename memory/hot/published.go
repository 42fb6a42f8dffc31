package hot

import (
	"path"

	"github.com/wm-lsp/wm-lsp/extract/command"
)

// Published returns the errors that an editor can show at their places because no language server does,
// by file, relative to the worktree: those that commands report in files of the worktree. session is that
// of the editor.
func (r *Room) Published(session, worktree string) map[string][]Error {
	byPath := map[string][]Error{}
	for _, e := range r.Errors(session, worktree) {
		if e.isFrom(FromCommand) && e.Path != "" && !path.IsAbs(e.Path) && r.isPlaced(e) && !r.isReported(session, e) {
			byPath[e.Path] = append(byPath[e.Path], e)
		}
	}
	return byPath
}

// isPlaced reports whether the place of an error is still known. When its sessions are over, nobody says
// which edits moved it.
func (r *Room) isPlaced(e Error) bool {
	if e.Over {
		return r.env.Unchanged(e.Worktree, e.Path, e.LastSeen)
	}
	return r.env.Exists(e.Worktree, e.Path)
}

// isReported reports whether a language server of a session reports an error itself, in whatever words: a
// compiler and a language server say it of the same line. A failing test is none of its errors. What else a
// test runner reports has its category, too, such as code that does not compile.
func (r *Room) isReported(session string, e Error) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	isTest := e.test() != "" || e.Category == string(command.Runtime)
	for _, other := range r.errors {
		if other.Worktree != e.Worktree || other.Path != e.Path {
			continue
		}
		_, reported := other.From(Diagnostic, session)
		if reported && (other.Fingerprint == e.Fingerprint || other.Line == e.Line && !isTest) {
			return true
		}
	}
	return false
}
