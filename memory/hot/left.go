package hot

import (
	"cmp"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/room"
)

// Left is what a session left in the hot state, as far as it still holds.
type Left struct {
	// Turns are the messages of the user and of the agent, Steps the tools that ran.
	Turns, Steps int
	// First and Last are what the user asked for first and last, "" if that is not known.
	First, Last string
	// Unanswered is true if the agent worked on the last message of the user and did not answer it.
	Unanswered bool
	// Todos are the open ones of the host's list. ListDone is true if there is a list and nothing on it
	// is open.
	Todos    []string
	ListDone bool
	// Errors are the open errors that its commands reported, the one seen last first.
	Errors []Error
	// Files are the files that it changed and that exist, the one changed last first.
	Files []File
}

// Left returns what a session left, for a reader.
func (r *Room) Left(session string, at room.Reader) Left {
	r.need(func(other string) bool { return other == session })
	exists := func(path string) bool { return path == "" || r.env.Exists(at.Worktree, path) }
	var left Left
	for _, e := range r.Errors(at.Session, at.Worktree) {
		if _, its := e.From(FromCommand, session); its && exists(e.Path) {
			left.Errors = append(left.Errors, e)
		}
	}
	todos := r.Todos(session)
	for _, todo := range todos {
		if todo.Status != "completed" && todo.Status != "cancelled" {
			left.Todos = append(left.Todos, todo.Content)
		}
	}
	left.ListDone = len(todos) > 0 && len(left.Todos) == 0
	r.mu.RLock()
	did := r.activity(session)
	left.Turns, left.Steps, left.Unanswered = did.Turns, did.Steps, did.unanswered()
	left.First, left.Last = r.firsts[key(firstTable, session)], r.tasks[key(taskTable, session)]
	for _, file := range r.files {
		isWork := file.isChanged() && !file.isScratch() && !file.Restored
		if file.Session == session && file.Worktree == at.Worktree && isWork {
			left.Files = append(left.Files, file)
		}
	}
	r.mu.RUnlock()
	left.Files = slices.DeleteFunc(left.Files, func(f File) bool { return !exists(f.Path) })
	slices.SortFunc(left.Files, func(a, b File) int {
		return cmp.Or(b.ChangedAt.Compare(a.ChangedAt), strings.Compare(a.Path, b.Path))
	})
	return left
}

// Done returns what a session has done so far: messages, and tools that ran.
func (r *Room) Done(session string) (turns, steps int) {
	did := r.activityOf(session)
	return did.Turns, did.Steps
}

// Handed returns a line for the error in what its session left.
func (e Error) Handed() string { return e.head() + e.restarted() + e.edited() }
