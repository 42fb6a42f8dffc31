// Package hot is the room of the hot state: the active files, the open errors, and
// the decisions and todos of the live sessions (systems.md B7 to B13). The state is
// kept per worktree. Most of it is dropped with its session.
package hot

import (
	"slices"
	"strings"
	"sync"

	"github.com/wm-lsp/wm-lsp/extract/request"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/tool"
)

// The kinds of changes that this room writes. Statements are named "note" in kinds and
// in keys of rows, because stored logs hold these names. All kinds but theirs and ErrorDismissed
// are hot: the fold does not depend on the order among the changes of other processes.
const (
	FileTouched        change.Kind = "file.touched"
	FileRenamed        change.Kind = "file.renamed"
	FileDeleted        change.Kind = "file.deleted"
	FileMarked         change.Kind = "file.marked"
	ErrorSeen          change.Kind = "error.seen"
	ErrorClosed        change.Kind = "error.closed"
	ErrorsUnverified   change.Kind = "error.unverified"
	ErrorDismissed     change.Kind = "error.dismissed"
	CommandSucceeded   change.Kind = "command.succeeded"
	StatementTaken     change.Kind = "note.taken"
	StatementForgotten change.Kind = "note.forgotten"
	TodosSet           change.Kind = "todos.set"
	TodosMerged        change.Kind = "todos.merged"
	ActivityCounted    change.Kind = "activity.counted"
	ReplySeen          change.Kind = "reply.seen"
	TaskSet            change.Kind = "task.set"
)

// Room holds the hot state. It is safe for concurrent use. What Observe and Fold call is called with the lock held;
// what answers a reader takes it.
type Room struct {
	env room.Env

	mu    sync.RWMutex
	files change.Table[*File] // a File in it is not changed, but replaced by another one
	// packed are the rows of files of sessions that nobody has asked for since they were
	// loaded, by session, see unpack.
	packed     map[string][]change.Row
	bundles    room.Bundles // of files
	errors     change.Table[Error]
	successes  change.Table[success]
	activities change.Table[activity]       // by session
	statements change.Table[[]Statement]    // by session and kind, oldest first
	todos      change.Table[[]event.Todo]   // by session
	replies    change.Table[request.Before] // by session: what the next message may refer to
	tasks      change.Table[string]         // by session: what the user asked for last
	firsts     change.Table[string]         // by session: what the user asked for first
}

// New returns an empty room. It uses Settings, Now, Live, Tracked, Read, Exists, Unchanged, Versioned
// and Trace of env.
func New(env room.Env) *Room {
	return &Room{
		env:   env,
		files: change.Table[*File]{}, packed: map[string][]change.Row{}, bundles: room.Bundles{},
		errors: change.Table[Error]{}, successes: change.Table[success]{},
		statements: change.Table[[]Statement]{}, todos: change.Table[[]event.Todo]{},
		activities: change.Table[activity]{},
		replies:    change.Table[request.Before]{},
		tasks:      change.Table[string]{},
		firsts:     change.Table[string]{},
	}
}

// Name returns the name under which the room's rows are stored.
func (r *Room) Name() string { return "hot" }

// Nouns returns the nouns of the changes that this room writes. The fold of a touched
// file also changes the errors in that file.
func (r *Room) Nouns() []room.Noun {
	ofErrors := []string{ContextSection, "recalled", "working", "meta", "handover"}
	return []room.Noun{
		{
			Name: "file", Panel: []string{FilesSection, ErrorsSection},
			Context: []string{ContextSection, "recalled"},
		},
		{Name: "error", Panel: []string{ErrorsSection}, Context: ofErrors},
		{Name: "command", Panel: []string{ErrorsSection}, Context: slices.Clone(ofErrors)},
		{Name: "note", Context: []string{ContextSection}},
		{Name: "todos", Panel: []string{"sessions"}, Context: []string{ContextSection, "handover"}},
		{Name: "activity", Context: []string{ContextSection}},
		{Name: "reply"},
		{Name: "task", Context: []string{ContextSection, "recalled", "handover"}},
	}
}

// The tables of the room. The name of the table is the first part of a row's key.
const (
	bundleTable    = "" // the key of a bundle begins with the separator
	fileTable      = "file"
	errorTable     = "error"
	successTable   = "success"
	statementTable = "note"
	todoTable      = "todos"
	activityTable  = "activity"
	replyTable     = "reply"
	taskTable      = "task"
	firstTable     = "first"
)

// separator stands between the parts of a key.
const separator = "\x1f"

func key(parts ...string) string { return strings.Join(parts, separator) }

// Load sets rows. The rows of a table are loaded together if they follow each other.
func (r *Room) Load(rows []change.Row) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(rows) > 0 {
		table, n := tableOf(rows[0]), 1
		for n < len(rows) && tableOf(rows[n]) == table {
			n++
		}
		if err := r.loadTable(table, rows[:n]); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// tableOf returns the name of the table of a row.
func tableOf(row change.Row) string {
	table, _, _ := strings.Cut(row.Key, separator)
	return table
}

func (r *Room) loadTable(table string, rows []change.Row) error {
	switch table {
	case bundleTable:
		return r.loadBundles(rows)
	case fileTable:
		return r.loadFiles(rows)
	case errorTable:
		return r.errors.LoadAll(rows)
	case successTable:
		return r.successes.LoadAll(rows)
	case statementTable:
		return r.statements.LoadAll(rows)
	case todoTable:
		return r.todos.LoadAll(rows)
	case activityTable:
		return r.activities.LoadAll(rows)
	case replyTable:
		return r.replies.LoadAll(rows)
	case taskTable:
		return r.tasks.LoadAll(rows)
	case firstTable:
		return r.firsts.LoadAll(rows)
	}
	return nil
}

// Observe returns the changes that an event makes to the hot state.
func (r *Room) Observe(ev event.Event) ([]change.Change, error) {
	switch body := ev.Body.(type) {
	case event.FileTouched, event.Diagnostics, event.MessageReceived, event.TerminalRan:
		r.need(func(session string) bool { return session == ev.Session })
	case event.ToolRan:
		isShell := tool.KindOf(r.env.Settings().Tools, body.Tool) == tool.Shell // which may delete files
		r.need(func(session string) bool { return isShell || session == ev.Session })
	case event.FileRenamed, event.FileDeleted:
		r.need(func(string) bool { return true })
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	switch body := ev.Body.(type) {
	case event.FileTouched:
		return []change.Change{r.touch(ev, body, extent{})}, nil
	case event.FileRenamed:
		return r.observeRename(ev, body), nil
	case event.FileDeleted:
		return r.observeDelete(ev, body), nil
	case event.Diagnostics:
		return r.observeDiagnostics(ev, body), nil
	case event.ToolRan:
		return r.observeTool(ev, body), nil
	case event.TerminalRan:
		return r.ranCommand(ev, body.ToolRan, body.Run(ev.Worktree, r.env.Settings().Errors)), nil
	case event.MessageReceived:
		return r.observeMessage(ev, body), nil
	case event.TodosChanged:
		return r.observeTodos(ev, body), nil
	case event.SessionStarted:
		if body.Resumed {
			return r.unverified(ev.Session, doubt{}), nil
		}
	}
	return nil, nil
}

// Fold applies a change.
func (r *Room) Fold(c change.Change) ([]change.Row, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch c.Kind {
	case FileTouched:
		return r.foldTouch(c)
	case FileRenamed:
		return r.foldRename(c)
	case FileDeleted:
		return r.foldDelete(c)
	case FileMarked:
		return r.foldMarked(c)
	case ErrorSeen:
		return r.foldSeen(c)
	case ErrorClosed:
		return r.foldClosed(c)
	case ErrorsUnverified:
		return r.foldUnverified(c)
	case ErrorDismissed:
		return r.foldDismissed(c)
	case CommandSucceeded:
		return r.foldSucceeded(c)
	case StatementTaken:
		return r.foldTaken(c)
	case StatementForgotten:
		return r.foldForgotten(c)
	case TodosSet, TodosMerged:
		return r.foldTodos(c)
	case ActivityCounted:
		return r.foldCounted(c)
	case ReplySeen:
		return r.foldReply(c)
	case TaskSet:
		return r.foldTask(c)
	}
	return nil, nil
}

// EndSession returns the change that marks what a session reported: nobody checks it any more.
func (r *Room) EndSession(session string) []change.Change {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.unverified(session, doubt{Ended: true})
}

// ForgetSession drops everything of a session.
func (r *Room) ForgetSession(session string) []change.Row {
	r.mu.Lock()
	defer r.mu.Unlock()
	rows := r.forgetFiles(session)
	for k, e := range r.errors {
		if rest := e.without(func(s Source) bool { return s.Session == session }); len(rest.Sources) < len(e.Sources) {
			rows = append(rows, r.putError(k, rest))
		}
	}
	for k := range r.statements {
		if strings.HasPrefix(k, key(statementTable, session, "")) {
			row, _ := r.statements.Delete(k)
			rows = append(rows, row)
		}
	}
	rows = append(rows, r.todos.Drop(key(todoTable, session))...)
	rows = append(rows, r.activities.Drop(key(activityTable, session))...)
	rows = append(rows, r.replies.Drop(key(replyTable, session))...)
	rows = append(rows, r.tasks.Drop(key(taskTable, session))...)
	rows = append(rows, r.firsts.Drop(key(firstTable, session))...)
	slices.SortFunc(rows, func(a, b change.Row) int { return strings.Compare(a.Key, b.Key) })
	return rows
}

// visible reports whether the state of a session is shown to a reader. A reader sees
// its own state and that of every live session.
func (r *Room) visible(session, reader string) bool {
	return session == reader || r.env.Live(session)
}

// moved returns the path that a file has after from was renamed to to, and whether
// that path differs. from is the file itself or a folder that contains it.
func moved(file, from, to string) (string, bool) {
	if file == from {
		return to, true
	}
	if rest, under := strings.CutPrefix(file, from+"/"); under {
		return to + "/" + rest, true
	}
	return file, false
}
