package service

import (
	"context"
	"fmt"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// MemoryList does wm/memory/list.
func (s *Service) MemoryList(_ context.Context, at *View, params *wire.MemoryListParams) (wire.MemoryListResult, error) {
	result := wire.MemoryListResult{Entries: []wire.MemoryEntry{}}
	for _, entry := range memory.RoomOf[*longterm.Room](at.Workspace).List(params.Types, params.IncludeInactive) {
		result.Entries = append(result.Entries, memoryEntry(entry))
	}
	limits := at.Settings().Memory
	result.Limits = wire.MemoryLimits{MaxEntries: limits.MaxEntries, MaxChars: limits.MaxChars}
	result.Used.Entries, result.Used.Chars = memory.RoomOf[*longterm.Room](at.Workspace).Used()
	return result, nil
}

// MemoryAdd does wm/memory/add.
func (s *Service) MemoryAdd(ctx context.Context, at *View, params *wire.MemoryAddParams) (wire.Receipt, error) {
	source := longterm.Manual
	switch params.Source {
	case "", wire.SourceManual:
	case wire.SourceExplicit, wire.SourceCompaction:
		source = longterm.Source(params.Source)
	default:
		return wire.Receipt{}, fault.Invalid("source", "must be explicit, manual or compaction, got %q", params.Source)
	}
	if at.Paused() {
		return wire.Receipt{Status: wire.ReceiptRejected, Text: "", Reason: "paused"}, nil
	}
	memoryType := params.Type
	if memoryType == "" {
		memoryType = "project"
	}
	changes, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) {
		return memory.RoomOf[*longterm.Room](at.Workspace).Add(longterm.Addition{
			Type: memoryType, Text: params.Text, Rationale: params.Rationale, Source: source, Files: params.Files, Pinned: params.Pinned,
			Session: at.who.Session, Agent: at.Actor().Agent,
		})
	})
	if err != nil {
		return wire.Receipt{}, err
	}
	return onlyReceipt(changes)
}

// onlyReceipt is the receipt of a request that concerns one entry.
func onlyReceipt(changes []change.Change) (wire.Receipt, error) {
	list, err := receipts(changes)
	if err != nil {
		return wire.Receipt{}, err
	}
	if len(list) == 0 {
		return wire.Receipt{}, fmt.Errorf("%w: nothing came of the request", memory.ErrStore)
	}
	return list[len(list)-1], nil
}

// MemoryUpdate does wm/memory/update.
func (s *Service) MemoryUpdate(ctx context.Context, at *View, params *wire.MemoryUpdateParams) (wire.Receipt, error) {
	return s.concerning(ctx, at, params.ID, func() ([]change.Change, error) {
		return memory.RoomOf[*longterm.Room](at.Workspace).Update(params.ID, longterm.Patch{
			Text: params.Text, Type: params.Type, Rationale: params.Rationale, Pinned: params.Pinned, Reviewed: params.Reviewed,
		})
	})
}

// MemoryRestore does wm/memory/restore.
func (s *Service) MemoryRestore(ctx context.Context, at *View, params *wire.MemoryRestoreParams) (wire.Receipt, error) {
	return s.concerning(ctx, at, params.ID, func() ([]change.Change, error) { return memory.RoomOf[*longterm.Room](at.Workspace).Restore(params.ID) })
}

// concerning applies what is decided of one entry and tells what became of it.
func (s *Service) concerning(ctx context.Context, at *View, id string, decide func() ([]change.Change, error)) (wire.Receipt, error) {
	if id == "" {
		return wire.Receipt{}, fault.Invalid("id", "is missing; name the entry")
	}
	changes, err := at.Apply(ctx, at.Actor(), decide)
	if err != nil {
		return wire.Receipt{}, err
	}
	if len(changes) > 0 {
		return onlyReceipt(changes)
	}
	entry, _ := memory.RoomOf[*longterm.Room](at.Workspace).Get(id)
	return receipt(longterm.Unchanged(entry), nil), nil
}

// MemoryRemove does wm/memory/remove.
func (s *Service) MemoryRemove(ctx context.Context, at *View, params *wire.MemoryRemoveParams) (wire.MemoryRemoveResult, error) {
	if params.ID == "" {
		return wire.MemoryRemoveResult{}, fault.Invalid("id", "is missing; name the entry")
	}
	if params.Erase {
		entry, err := at.Erase(ctx, at.Actor(), params.ID)
		entry.Text, entry.Rationale, entry.Status = "", "", longterm.StatusRemoved
		return wire.MemoryRemoveResult{Entry: memoryEntry(entry)}, err
	}
	if _, err := at.Apply(ctx, at.Actor(), func() ([]change.Change, error) { return memory.RoomOf[*longterm.Room](at.Workspace).Remove(params.ID) }); err != nil {
		return wire.MemoryRemoveResult{}, err
	}
	entry, _ := memory.RoomOf[*longterm.Room](at.Workspace).Get(params.ID)
	return wire.MemoryRemoveResult{Entry: memoryEntry(entry)}, nil
}

// MemoryExplain does wm/memory/explain.
func (s *Service) MemoryExplain(ctx context.Context, at *View, params *wire.MemoryExplainParams) (wire.MemoryExplainResult, error) {
	if params.ID == "" {
		return wire.MemoryExplainResult{}, fault.Invalid("id", "is missing; name the entry")
	}
	explained, err := memory.RoomOf[*longterm.Room](at.Workspace).Explain(params.ID)
	if err != nil {
		return wire.MemoryExplainResult{}, err
	}
	changes, err := at.Trace(ctx, store.Filter{Subject: params.ID})
	if err != nil {
		return wire.MemoryExplainResult{}, err
	}
	return wire.MemoryExplainResult{
		Entry: memoryEntry(explained.Entry), Events: traceEvents(changes), Markdown: explained.Markdown(changes),
		Retention: wire.Retention{Rank: explained.Rank, Rendered: explained.Rendered, Reason: explained.Reason},
	}, nil
}

// WorkspacePurge does wm/workspace/purge.
func (s *Service) WorkspacePurge(ctx context.Context, at *View, params *wire.WorkspacePurgeParams) (wire.WorkspacePurgeResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.WorkspacePurgeResult{}, err
	}
	if params.Confirm != at.Key() {
		return wire.WorkspacePurgeResult{}, fault.Invalid("confirm", "must be %s, the key of %s, to forget everything about it, got %q",
			at.Key(), at.Root(), params.Confirm)
	}
	removed, err := at.Purge(ctx, at.who)
	return wire.WorkspacePurgeResult{Removed: removed}, err
}
