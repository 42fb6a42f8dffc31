package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/assembly"
	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// compactionGuide returns the text that asks for candidates in the form that
// CompactionFinished reads (systems.md B3), with the types of the settings.
func compactionGuide(types []string) string {
	return fmt.Sprintf(compactionText, strings.Join(types, "|"))
}

const compactionText = "Keep in the summary: the current task and its next step, decisions with their reasons, " +
	"files touched, open errors.\n" +
	"End it with what later sessions must know, one line each, nothing that is only progress, " +
	"and nothing that is in the workspace memory already:\n" + `<workspace_memory_candidates>
- [%s] text
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
	text.WriteString(compactionGuide(at.Settings().Memory.AllTypes()))
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
	offers := at.longterm().Offers(session)
	text.WriteString(offersText(offers))
	return wire.CompactionStartingResult{Context: text.String(), Offered: memoryEntries(offers)}, nil
}

// offersText tells an agent what is offered from its session, "" if nothing is.
func offersText(offers []longterm.Entry) string {
	if len(offers) == 0 {
		return ""
	}
	text := "\n\nSaid in this session and not remembered yet. Repeat as a candidate, in the same words, what later " +
		"sessions must know:\n"
	for _, offer := range offers {
		text += "- [" + render.Flat(offer.Type) + "] " + render.Flat(offer.Text) + "\n"
	}
	return strings.TrimSuffix(text, "\n")
}

// CompactionFinished implements wm/compaction/finished. It remembers the candidates of the
// summary and offers the other decisions and rules that the summary tells (systems.md B12).
func (s *Service) CompactionFinished(
	ctx context.Context,
	at *View,
	params *wire.CompactionFinishedParams,
) (wire.CompactionFinishedResult, error) {
	return summaryRead(ctx, at, event.CompactionFinished{Summary: params.Summary})
}

// summaryRead returns the receipts of what is remembered and offered of a summary.
func summaryRead(
	ctx context.Context, at *View, finished event.CompactionFinished,
) (wire.CompactionFinishedResult, error) {
	result := wire.CompactionFinishedResult{Memories: []wire.Receipt{}, Promoted: []wire.Receipt{}}
	if at.Paused() {
		result.Memories = at.pausedReceipts(at.event(finished))
		return result, nil
	}
	changes, err := at.Observe(ctx, at.event(finished))
	if err != nil {
		return result, err
	}
	all, err := at.receipts(changes, finished.Summary)
	for _, r := range all {
		if r.Status == wire.ReceiptOffered {
			result.Promoted = append(result.Promoted, r)
		} else {
			result.Memories = append(result.Memories, r)
		}
	}
	return result, err
}
