package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// compactionGuide asks for candidates in the form that is read back (systems.md B3).
const compactionGuide = `Keep in the summary: the current task and its next step, decisions with their reasons, files touched, open errors.
End it with what later sessions must know, one line each, nothing that is only progress, and nothing that is in the workspace memory already:
<workspace_memory_candidates>
- [feedback|project|decision|reference] text
</workspace_memory_candidates>`

// CompactionStarting tells what the summary must not lose: what only this
// session knows. The host's own todo list is taken over here (systems.md B13).
func (s *Service) CompactionStarting(
	_ context.Context, at *View, _ *wire.CompactionStartingParams,
) (wire.CompactionStartingResult, error) {
	session := at.who.Session
	var text strings.Builder
	text.WriteString(compactionGuide)
	if state := assembly.SessionState(at.Workspace, at.contextReader()); state != "" {
		text.WriteString("\n\n" + state)
	}
	var todos []string
	for _, t := range at.hot().Todos(session) {
		todos = append(todos, render.Flat(fmt.Sprintf("[%s] %s", t.Status, t.Content)))
	}
	for _, statement := range at.hot().Statements(session, hot.Todo) {
		todos = append(todos, render.Flat(statement.Text))
	}
	if len(todos) > 0 {
		text.WriteString("\n\nTo do:\n- " + strings.Join(todos, "\n- "))
	}
	return wire.CompactionStartingResult{Context: text.String()}, nil
}

// CompactionFinished keeps the candidates of the summary, and then the decisions
// of the session that it does not already hold (systems.md B12).
func (s *Service) CompactionFinished(
	ctx context.Context, at *View, params *wire.CompactionFinishedParams,
) (wire.CompactionFinishedResult, error) {
	result := wire.CompactionFinishedResult{Memories: []wire.Receipt{}, Promoted: []wire.Receipt{}}
	changes, err := at.Observe(ctx, at.event(event.CompactionFinished{Summary: params.Summary}))
	if err != nil {
		return result, err
	}
	if result.Memories, err = receipts(changes); err != nil || at.Paused() {
		return result, err
	}
	var decisions []string
	for _, statement := range at.hot().Statements(at.who.Session, hot.Decision) {
		decisions = append(decisions, statement.Text)
	}
	if len(decisions) == 0 {
		return result, nil
	}
	changes, err = at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return at.longterm().Promote(decisions, at.who.Session, at.Actor().Agent)
	})
	if err != nil {
		return result, err
	}
	result.Promoted, err = receipts(changes)
	return result, err
}
