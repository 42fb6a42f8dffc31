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

// compactionGuide asks for candidates in the form that CompactionFinished reads
// (systems.md B3).
const compactionGuide = "Keep in the summary: the current task and its next step, decisions with their reasons, " +
	"files touched, open errors.\n" +
	"End it with what later sessions must know, one line each, nothing that is only progress, " +
	"and nothing that is in the workspace memory already:\n" + `<workspace_memory_candidates>
- [feedback|project|decision|reference] text
</workspace_memory_candidates>`

// CompactionStarting implements wm/compaction/starting. It returns the state of the session
// and the todo list of the host, which the summary must contain (systems.md B13).
func (s *Service) CompactionStarting(
	_ context.Context,
	at *View,
	_ *wire.CompactionStartingParams,
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

// CompactionFinished implements wm/compaction/finished. It remembers the candidates of the
// summary, and then the other decisions of the session (systems.md B12).
func (s *Service) CompactionFinished(
	ctx context.Context,
	at *View,
	params *wire.CompactionFinishedParams,
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
