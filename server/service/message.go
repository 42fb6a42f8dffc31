package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// MessageReceived implements wm/message/received.
func (s *Service) MessageReceived(
	ctx context.Context, at *View, params *wire.MessageReceivedParams,
) (wire.MessageReceivedResult, error) {
	result := wire.MessageReceivedResult{Memories: []wire.Receipt{}, Decisions: []string{}, Todos: []string{}}
	switch params.Role {
	case wire.RoleUser, wire.RoleAssistant, wire.RoleSystem, wire.RoleTool:
	default:
		return result, fault.Invalid("role", "must be user, assistant, system or tool, got %q", params.Role)
	}
	if params.Tokens < 0 || params.Tokens > maxReported {
		return result, fault.Invalid("tokens", "must be 0 to %d, got %d", maxReported, params.Tokens)
	}
	ev := at.event(event.MessageReceived{Role: string(params.Role), Text: params.Text, Tokens: params.Tokens})
	ev.ID = params.MessageID
	if at.Paused() {
		result.Memories = at.pausedReceipts(ev)
		return result, nil
	}
	before := at.SaidLast(ev.Session)
	changes, err := at.Observe(ctx, ev)
	if err != nil {
		return result, err
	}
	result.Decisions = hot.TakenIn(changes, hot.Decision)
	result.Todos = hot.TakenIn(changes, hot.Todo)
	result.Redactions, result.Redacted = takenOutBehind(before, params.Text)
	result.Memories, err = at.receipts(changes, params.Text)
	return result, err
}
