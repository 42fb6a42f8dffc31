package hot

import (
	"cmp"
	"slices"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/change"
)

// A Fix is an error that is gone, with what closed it. The change that closes the error holds it.
type Fix struct {
	Category  string    `json:"category"`
	Summary   string    `json:"summary"`
	Path      string    `json:"path,omitempty"`
	Line      int       `json:"line,omitempty"`
	Tool      string    `json:"tool,omitempty"`
	Code      string    `json:"code,omitempty"`
	Command   string    `json:"command,omitempty"` // that reported the error
	Count     int       `json:"count"`             // how often it was reported
	FirstSeen time.Time `json:"firstSeen"`
	// By is the command that proved that the error is gone, "" if none did.
	By string `json:"by,omitempty"`
	// Edited are the files that the session changed since the error was seen first, the newest
	// first, and Cause is what the assistant said to be the cause.
	Edited []string `json:"edited,omitempty"`
	Cause  string   `json:"cause,omitempty"`
}

const (
	// minLasting is how long a diagnostic must have been reported for its fix to be kept: while
	// somebody types, many come and go.
	minLasting = 5 * time.Minute
	// maxFixFiles is the number of files of a fix.
	maxFixFiles = 5
)

// The beginnings of the lines of a text about a fix, behind the one with the error.
const (
	ClosedLabel = "Closed: "
	EditedLabel = "Edited: "
	CauseLabel  = "Cause: "
)

// FixOf returns the fix that a change holds, and the worktree of the error.
func FixOf(c change.Change) (fix Fix, worktree string, held bool) {
	if c.Kind != ErrorClosed {
		return Fix{}, "", false
	}
	var p closed
	if c.Decode(&p) != nil || p.Fix == nil {
		return Fix{}, "", false
	}
	return *p.Fix, p.Worktree, true
}

// fix returns the change that closes what a source reported, with the fix. by is the command that
// proved it, session the one in which it was fixed. The files of the session must be decoded.
func (r *Room) fix(e Error, s Source, reason, by, session string) change.Change {
	if s.Origin == Diagnostic && r.env.Now().Sub(e.FirstSeen) < minLasting {
		return e.close(s, reason)
	}
	fix := Fix{
		Category: e.Category, Summary: e.Summary, Path: e.Path, Line: e.Line, Tool: e.Tool, Code: e.Code,
		Command: e.Command, Count: e.Count, FirstSeen: e.FirstSeen, By: by,
		Edited: r.changedSince(e, session), Cause: r.causeSince(e.FirstSeen, session),
	}
	p := closed{Worktree: e.Worktree, Origin: s.Origin, Session: s.Session, Fix: &fix}
	return change.New(ErrorClosed, e.Fingerprint, p).Because(reason).AsHot()
}

// changedSince returns the files that a session has changed since an error was seen first.
func (r *Room) changedSince(e Error, session string) (paths []string) {
	var files []*File
	for _, file := range r.files {
		if file.Session != session || file.Worktree != e.Worktree || !file.isChanged() || file.isScratch() ||
			!file.LastSeen.After(e.FirstSeen) {
			continue
		}
		if isChange(file.LastAction) || file.Path == e.Path {
			files = append(files, file)
		}
	}
	slices.SortFunc(files, func(a, b *File) int {
		return cmp.Or(b.LastSeen.Compare(a.LastSeen), cmp.Compare(a.Path, b.Path))
	})
	for _, file := range files[:min(len(files), maxFixFiles)] {
		paths = append(paths, file.Path)
	}
	return paths
}

// causeSince returns the cause that was stated last in a session since a time.
func (r *Room) causeSince(since time.Time, session string) string {
	causes := r.statements[key(statementTable, session, string(Cause))]
	if len(causes) == 0 || causes[len(causes)-1].At.Before(since) {
		return ""
	}
	return causes[len(causes)-1].Text
}
