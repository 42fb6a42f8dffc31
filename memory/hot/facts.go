package hot

import (
	"context"

	"github.com/wm-lsp/wm-lsp/extract/summary"
	"github.com/wm-lsp/wm-lsp/memory/room"
)

// maxErrorsTraced is how many reports of errors are read from the log for a summary.
const maxErrorsTraced = 500

// AddFacts adds the decisions and todos of a session, the files that it changed, and
// the errors that it reported, open or closed.
func (r *Room) AddFacts(ctx context.Context, at room.Reader, facts *summary.Facts) {
	for _, statement := range r.Statements(at.Session, Decision) {
		facts.Decisions = append(facts.Decisions, statement.Text)
	}
	for _, todo := range r.Todos(at.Session) {
		if !isOver(todo) {
			facts.Todos = append(facts.Todos, todo.Content)
		}
	}
	for _, statement := range r.Statements(at.Session, Todo) {
		facts.Todos = append(facts.Todos, statement.Text)
	}
	for _, file := range r.Files(at.Session, at.Worktree, 0) {
		if file.Session == at.Session && file.isChanged() {
			facts.Files = append(facts.Files, file.Path)
		}
	}
	for _, report := range r.env.Trace(ctx, ErrorSeen, maxErrorsTraced) {
		if report.Session != at.Session {
			continue
		}
		line := reportLine(report)
		if _, open := r.Open(at.Worktree, report.Subject); open {
			facts.Opened = append(facts.Opened, line)
		} else {
			facts.Closed = append(facts.Closed, line)
		}
	}
}
