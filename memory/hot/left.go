package hot

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Left is what a session left in the hot state, as far as it still holds.
type Left struct {
	// Turns are the messages of the user and of the agent, Steps the tools that ran.
	Turns, Steps int
	// First and Last are what the user asked for first and last, "" if that is not known.
	First, Last string
	// Answered is true if the agent said something after the last message of the user, Unanswered if it
	// worked on that message and said nothing.
	Answered, Unanswered bool
	// SaidAt is when the agent said something last, zero if that is not known.
	SaidAt time.Time
	// Todos are the open ones of the host's list. ListDone is true if there is a list and nothing on it
	// is open.
	Todos    []string
	ListDone bool
	// Errors are the open errors that its commands reported and the user told, the one seen last first, and then
	// those that its language servers reported.
	Errors []Error
	// Files are the files that it changed and that exist, the one changed last first.
	Files []File
}

// Left returns what a session left, for a reader.
func (r *Room) Left(session string, at room.Reader) Left {
	r.need(func(other string) bool { return other == session })
	var left Left
	left.Errors = r.errorsLeft(session, at)
	todos := r.Todos(session)
	for _, todo := range todos {
		if !isOver(todo) {
			left.Todos = append(left.Todos, todo.Content)
		}
	}
	left.ListDone = len(todos) > 0 && len(left.Todos) == 0
	r.mu.RLock()
	did := r.activity(session)
	left.Turns, left.Steps = did.Turns, did.Steps
	left.SaidAt = did.SaidAt
	left.Answered, left.Unanswered = did.SaidAt.After(did.AskedAt), did.unanswered()
	left.First, left.Last = r.firsts[key(firstTable, session)], r.tasks[key(taskTable, session)]
	r.mu.RUnlock()
	left.Files = r.filesLeft(session, at.Worktree)
	return left
}

// filesLeft returns the files in a worktree that a session changed and that exist, the one changed last first.
func (r *Room) filesLeft(session, worktree string) (list []File) {
	r.need(func(other string) bool { return other == session })
	r.mu.RLock()
	for _, file := range r.files {
		isWork := file.isChanged() && !file.isScratch() && !file.Restored
		if file.Session == session && file.Worktree == worktree && isWork {
			list = append(list, *file)
		}
	}
	r.mu.RUnlock()
	list = slices.DeleteFunc(list, func(f File) bool { return !r.exists(worktree, f.Path) })
	slices.SortFunc(list, func(a, b File) int {
		return cmp.Or(b.ChangedAt.Compare(a.ChangedAt), strings.Compare(a.Path, b.Path))
	})
	return list
}

// exists reports whether a file exists, as far as that is looked for.
func (r *Room) exists(worktree, file string) bool {
	return file == "" || path.IsAbs(file) || r.env.Exists(worktree, file)
}

// errorsLeft returns the Errors that commands of a session reported or its user told, and then what its language
// servers reported.
func (r *Room) errorsLeft(session string, at room.Reader) (list []Error) {
	for _, e := range r.Errors(at.Session, at.Worktree) {
		isIts := func(s Source) bool { return s.Origin != Diagnostic && s.Session == session && !r.isOld(e, s) }
		if slices.ContainsFunc(e.Sources, isIts) {
			list = append(list, e)
		}
	}
	for _, e := range r.diagnosticsLeft(session, at.Worktree) {
		if r.exists(at.Worktree, e.Path) { // no run would say otherwise, and nobody else is shown it
			list = append(list, e)
		}
	}
	return list
}

// diagnosticsLeft returns the errors that only language servers report, and of which nobody knows whether a
// session, whose editor is gone, would see them again.
func (r *Room) diagnosticsLeft(session, worktree string) (list []Error) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	isOver, now := !r.env.Live(session), r.env.Now()
	for _, e := range r.errors {
		source, its := e.From(Diagnostic, session)
		isLeft := its && (isOver || !source.Verified) && !source.Dismissed && !e.stays()
		isLeft = isLeft && now.Sub(e.LastSeen) <= runtimeAge
		if isLeft && e.Worktree == worktree && !r.aside(worktree, session, e.Path) {
			e.Over = !slices.ContainsFunc(e.Sources, r.isLive)
			list = append(list, e)
		}
	}
	return sortedErrors(list, byRecency)
}

// isOld reports whether an error is a runtime error that its own session did not see any more.
func (r *Room) isOld(e Error, source Source) bool {
	return e.isRuntime() && r.activityOf(source.Session).Turns-source.Turn > runtimeTurns
}

// IsAside reports whether the error is one of another session that the session state leaves out.
func (e Error) IsAside() bool { return e.Over && e.isRuntime() && e.Path == "" }

// Done returns what the agent of a session has done so far: its messages, and tools that ran.
func (r *Room) Done(session string) (said, steps int) {
	did := r.activityOf(session)
	return did.Turns - did.Prompts, did.Steps
}

// Asked reports whether the user of a session asked for anything.
func (r *Room) Asked(session string) bool { return r.activityOf(session).Prompts > 0 }

// FailedBefore reports whether a command of a session reported the error before the session changed a
// file.
func (e Error) FailedBefore(session string) bool {
	source, its := e.From(FromCommand, session)
	return its && source.BeforeEdits
}

// Handed returns a line for the error in what a session left.
func (e Error) Handed(session string) string {
	text := e.head()
	if e.FailedBefore(session) {
		text += " (failed before its first edit)"
	}
	return text + e.told() + e.restarted() + e.edited()
}
