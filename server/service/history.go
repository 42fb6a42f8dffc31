package service

import (
	"cmp"
	"context"

	"github.com/wm-lsp/wm-lsp/memory/event"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/history"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maxKeepRecent is the maximum of HistoryCompactParams.KeepRecent.
const maxKeepRecent = 10_000

// HistoryCompact implements wm/history/compact.
func (s *Service) HistoryCompact(
	ctx context.Context, at *View, params *wire.HistoryCompactParams,
) (wire.HistoryCompactResult, error) {
	switch params.Target {
	case wire.TargetConversation, wire.TargetTools, wire.TargetAll:
	default:
		return wire.HistoryCompactResult{}, fault.Invalid("target", "must be conversation, tools or all, got %q",
			params.Target)
	}
	switch params.Strategy {
	case "", wire.StrategyArchive, wire.StrategySummarize:
	default:
		return wire.HistoryCompactResult{}, fault.Invalid("strategy", "must be archive or summarize, got %q",
			params.Strategy)
	}
	if params.Strategy == wire.StrategySummarize && params.ArchiveTo != "" {
		return wire.HistoryCompactResult{}, fault.Invalid("archiveTo",
			"must be absent with the strategy summarize, which archives nothing")
	}
	if params.KeepRecent < 0 || params.KeepRecent > maxKeepRecent {
		return wire.HistoryCompactResult{}, fault.Invalid("keepRecent", "must be 0 to %d, got %d", maxKeepRecent,
			params.KeepRecent)
	}
	done, confirm, err := at.history().Compact(ctx, at.event(nil), history.Request{
		Target:     history.Target(params.Target),
		Strategy:   history.Strategy(cmp.Or(params.Strategy, wire.StrategyArchive)),
		KeepRecent: params.KeepRecent, ArchiveTo: params.ArchiveTo, Summary: params.Summary, By: history.ByModel,
	})
	if f := fault.Of(err); err != nil && f.Kind == fault.Params && f.Field == "path" {
		return wire.HistoryCompactResult{}, fault.Invalid("archiveTo", "%s", f.Message)
	}
	if err != nil {
		return wire.HistoryCompactResult{}, err
	}
	result := wire.HistoryCompactResult{
		Removed: done.Removed, Kept: done.Kept, Summary: done.Summary, ArchivedTo: done.ArchivedTo,
		TokensBefore: done.TokensBefore, TokensAfter: done.TokensAfter,
	}
	if params.Summary != "" {
		read, err := summaryRead(ctx, at, event.CompactionFinished{Summary: params.Summary, Recorded: true})
		if err != nil {
			return wire.HistoryCompactResult{}, err
		}
		result.Memories, result.Promoted = read.Memories, read.Promoted
	}
	return result, confirm()
}

// fallBack compacts the conversation of a session whose context has reached the level
// of an emergency, and notifies the client (systems.md D6). It does nothing if the
// conversation is not kept.
func (s *Service) fallBack(ctx context.Context, at *View) {
	if _, err := at.history().Of(at.who.Session); err != nil ||
		!at.Settings().Compact.Auto ||
		at.Paused() {
		return
	}
	done, confirm, err := at.history().Compact(ctx, at.event(nil), history.Request{
		Target: history.TargetAll, Strategy: history.Archive, By: history.ByServer,
	})
	if err == nil {
		err = confirm()
	}
	if err != nil {
		s.log.Warn("compact the history of a session", "error", err)
		return
	}
	if len(done.Removed) == 0 {
		return
	}
	s.options.Outbox.Compacted(wire.HistoryCompacted{
		SessionID: at.who.Session, Removed: done.Removed, Summary: done.Summary, ArchivedTo: done.ArchivedTo,
	})
}
