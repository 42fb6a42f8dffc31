package service

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/gate"
	"github.com/wm-lsp/wm-lsp/memory/items"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/panel"
	"github.com/wm-lsp/wm-lsp/memory/store"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// MemoryList implements wm/memory/list.
func (s *Service) MemoryList(
	_ context.Context, at *View, params *wire.MemoryListParams,
) (wire.MemoryListResult, error) {
	var result wire.MemoryListResult
	result.Entries = memoryEntries(at.longterm().List(params.Types, params.IncludeInactive))
	limits := at.Settings().Memory
	result.Limits = wire.MemoryLimits{MaxEntries: limits.MaxEntries, MaxChars: limits.MaxChars}
	result.Used.Entries, result.Used.Chars = at.longterm().Used()
	return result, nil
}

// MemoryAdd implements wm/memory/add.
func (s *Service) MemoryAdd(ctx context.Context, at *View, params *wire.MemoryAddParams) (wire.Receipt, error) {
	source := longterm.Manual
	switch params.Source {
	case "", wire.SourceManual:
	case wire.SourceExplicit:
		source = longterm.Explicit
	case wire.SourceCompaction:
		return wire.Receipt{}, fault.Invalid("source",
			"must be explicit or manual; send the summary of a compaction to wm/compaction/finished, which reads it")
	default:
		return wire.Receipt{}, fault.Invalid("source", "must be explicit or manual, got %q", params.Source)
	}
	if at.Paused() {
		return at.pausedReceipt(params.Text), nil
	}
	spared, err := at.checkNames(params.Files)
	if err != nil {
		return wire.Receipt{}, err
	}
	changes, err := at.ApplyAsWritten(ctx, at.Actor(), spared, func() ([]change.Change, error) {
		return at.longterm().Add(longterm.Addition{
			Type: params.Type, Text: params.Text, Rationale: params.Rationale, Source: source,
			Author: at.author(source), Files: params.Files, Pinned: params.Pinned, Session: at.who.Session,
			Agent: at.Actor().Agent,
		})
	})
	if err != nil {
		return wire.Receipt{}, err
	}
	receipt, err := at.onlyReceipt(changes, params.Text, params.Rationale)
	if err == nil && receipt.Status == wire.ReceiptAdded {
		s.askForOriginal(at, receipt, longterm.Original{Text: params.Text, Rationale: params.Rationale})
	}
	return receipt, err
}

// author returns who puts an entry into words that the client adds.
func (v *View) author(source longterm.Source) longterm.Author {
	if source == longterm.Explicit || v.typed || v.isPerson() {
		return longterm.Person
	}
	return longterm.Agent
}

// checkNames returns those of some files that exist and in whose names redaction would find
// secrets: a real name is kept as it is. Such a name of a file that does not exist is an error.
func (v *View) checkNames(files []string) (spared []string, err error) {
	for _, file := range files {
		clean := gate.Name(file)
		if clean == file {
			continue
		}
		path := file
		if !filepath.IsAbs(path) {
			path = filepath.Join(v.worktree(), filepath.FromSlash(path))
		}
		name, err := filepath.Rel(v.worktree(), path)
		if err == nil {
			_, err = os.Lstat(path)
		}
		if err != nil {
			return nil, fault.Invalid("files",
				"%q holds a secret and is not a file of the workspace; send the names of files without secrets", clean)
		}
		spared = append(spared, filepath.ToSlash(name))
	}
	return spared, nil
}

// MemoryUpdate implements wm/memory/update.
func (s *Service) MemoryUpdate(ctx context.Context, at *View, params *wire.MemoryUpdateParams) (wire.Receipt, error) {
	return s.applyToEntry(ctx, at, params.ID, params.IfRevision, func() ([]change.Change, error) {
		return at.longterm().Update(params.ID, longterm.Patch{
			Text: params.Text, Type: params.Type, Rationale: params.Rationale, Pinned: params.Pinned,
			Reviewed: params.Reviewed, Status: (*longterm.Status)(params.Status), Beside: params.Beside,
			Author: at.author(longterm.Manual),
		})
	}, textOf(params.Text), textOf(params.Rationale))
}

// textOf returns a string, "" if there is none.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// MemoryRestore implements wm/memory/restore.
func (s *Service) MemoryRestore(ctx context.Context, at *View, params *wire.MemoryRestoreParams) (wire.Receipt, error) {
	item, there, err := at.item(ctx, params.ID)
	if err != nil {
		return wire.Receipt{}, err
	}
	if there && !store.IsErased(item.Text) {
		return at.restoreItem(ctx, item, params)
	}
	return s.applyToEntry(ctx, at, params.ID, params.IfRevision,
		func() ([]change.Change, error) { return at.longterm().Restore(params.ID) })
}

// applyToEntry applies a decision about one entry, with some strings, and returns the receipt.
func (s *Service) applyToEntry(
	ctx context.Context, at *View, id string, ifRevision wire.Revision, decide func() ([]change.Change, error),
	texts ...string,
) (wire.Receipt, error) {
	if id == "" {
		return wire.Receipt{}, fault.Invalid("id", "is missing; must be the id of an entry")
	}
	changes, err := at.Apply(ctx, at.Actor(), at.expecting(id, ifRevision, decide))
	if err != nil {
		return wire.Receipt{}, at.missing(ctx, id, err)
	}
	if len(changes) > 0 {
		return at.onlyReceipt(changes, texts...)
	}
	entry, _ := at.longterm().Get(id)
	return receipt(longterm.Unchanged(entry), nil), nil
}

// expecting returns a decision about an entry that is refused if the entry has another revision.
// An empty revision is any.
func (v *View) expecting(
	id string, revision wire.Revision, decide func() ([]change.Change, error),
) func() ([]change.Change, error) {
	return func() ([]change.Change, error) {
		if err := v.longterm().Expect(id, string(revision)); err != nil {
			return nil, err
		}
		return decide()
	}
}

// MemoryRemove implements wm/memory/remove.
func (s *Service) MemoryRemove(
	ctx context.Context, at *View, params *wire.MemoryRemoveParams,
) (wire.MemoryRemoveResult, error) {
	if params.ID == "" {
		return wire.MemoryRemoveResult{}, fault.Invalid("id", "is missing; must be the id of an entry or an item")
	}
	if params.Erase && params.Into != "" {
		return wire.MemoryRemoveResult{}, fault.Invalid("into", "must be empty with erase, got %q", params.Into)
	}
	if params.Erase && params.IfRevision != "" {
		return wire.MemoryRemoveResult{}, fault.Invalid("ifRevision", "must be empty with erase, got %q",
			params.IfRevision)
	}
	if params.Erase {
		entry, left, err := at.Erase(ctx, at.Actor(), params.ID)
		if err != nil {
			return wire.MemoryRemoveResult{}, err
		}
		entry.Text, entry.Rationale, entry.Status = "", "", longterm.StatusRemoved
		return wire.MemoryRemoveResult{Entry: memoryEntry(entry), FilesLeft: left, Message: tellLeft(left)}, nil
	}
	item, there, err := at.item(ctx, params.ID)
	if err != nil {
		return wire.MemoryRemoveResult{}, err
	}
	if there && item.DeletedAt.IsZero() {
		return at.removeItem(ctx, item, params)
	}
	_, err = at.Apply(ctx, at.Actor(), at.expecting(params.ID, params.IfRevision,
		func() ([]change.Change, error) {
			if params.Into != "" {
				return at.longterm().MergeInto(params.ID, params.Into)
			}
			return at.longterm().Remove(params.ID)
		}))
	if err != nil {
		return wire.MemoryRemoveResult{}, at.missing(ctx, params.ID, err)
	}
	entry, _ := at.longterm().Get(params.ID)
	return wire.MemoryRemoveResult{Entry: memoryEntry(entry)}, nil
}

// removeItem removes an item. It is shown as an entry would be, with its own type.
func (v *View) removeItem(
	ctx context.Context, item items.Item, params *wire.MemoryRemoveParams,
) (wire.MemoryRemoveResult, error) {
	if err := withoutRevision(params.IfRevision); err != nil {
		return wire.MemoryRemoveResult{}, err
	}
	changes, err := v.Apply(ctx, v.Actor(), func() ([]change.Change, error) { return items.Remove(item.ID), nil })
	if err != nil {
		return wire.MemoryRemoveResult{}, err
	}
	item.DeletedAt = changes[0].At
	return wire.MemoryRemoveResult{Entry: v.entryOf(item, longterm.StatusRemoved)}, nil
}

// restoreItem restores an item that was removed. It stays removed if another one says the same meanwhile, which the
// receipt is about then.
func (v *View) restoreItem(
	ctx context.Context, item items.Item, params *wire.MemoryRestoreParams,
) (wire.Receipt, error) {
	if err := withoutRevision(params.IfRevision); err != nil {
		return wire.Receipt{}, err
	}
	restore := func() ([]change.Change, error) { return items.Restore(item, v.AgeNow()) }
	changes, err := restore()
	if err != nil {
		return wire.Receipt{}, err
	}
	if len(changes) == 0 {
		return v.unchangedItem(item, ""), nil
	}
	same, there, err := memory.ServiceOf[*items.Service](v.Workspace).Same(ctx, item)
	if err != nil {
		return wire.Receipt{}, err
	}
	if there {
		return v.unchangedItem(same, "another item says the same"), nil
	}
	if changes, err = v.Apply(ctx, v.Actor(), restore); err != nil {
		return wire.Receipt{}, err
	}
	item.DeletedAt = time.Time{}
	receipt := v.unchangedItem(item, changes[0].Reason)
	receipt.Status = wire.ReceiptUpdated
	receipt.Undo = &wire.Undo{Method: "wm/memory/remove", Params: wire.Object{"id": item.ID}}
	return receipt, nil
}

// unchangedItem returns the receipt of an item that is in force and was not changed.
func (v *View) unchangedItem(item items.Item, reason string) wire.Receipt {
	entry := v.entryOf(item, longterm.StatusActive)
	return wire.Receipt{Status: wire.ReceiptUnchanged, ID: item.ID, Entry: &entry, Reason: reason}
}

// withoutRevision returns an error if a request about an item names a revision.
func withoutRevision(revision wire.Revision) error {
	if revision == "" {
		return nil
	}
	return fault.Invalid("ifRevision", "must be empty, because an item has no revisions, got %q", revision)
}

// entryOf returns an item as an entry, with its own type.
func (v *View) entryOf(item items.Item, status longterm.Status) wire.MemoryEntry {
	return wire.MemoryEntry{
		ID: item.ID, Type: item.Type, Detail: panel.TypeName(item.Type), Text: item.Text,
		Source: wire.Source(item.Source),
		Status: wire.EntryStatus(status), CreatedAt: wire.At(item.At), UpdatedAt: wire.At(v.Now()),
		DeletedAt: wire.At(item.DeletedAt),
	}
}

// missing returns the error for an entry that is not there. If it was swept or is an item, the error says so.
func (v *View) missing(ctx context.Context, id string, err error) error {
	if _, there := v.longterm().Get(id); there || !fault.Has(err, fault.NotFound) {
		return err
	}
	if _, is, itemErr := v.item(ctx, id); itemErr == nil && is {
		return fault.Missing(id, "%q is an item and no entry; wm/memorize with its id sets its importance and tags", id)
	}
	changes, traceErr := v.Trace(ctx, store.Filter{Subject: id, Kinds: []string{string(longterm.Swept)}})
	if traceErr != nil || len(changes) == 0 {
		return err
	}
	swept := changes[len(changes)-1]
	return fault.Missing(id, "memory %q was deleted by a sweep on %s: %s; wm/trace returns what the log still has",
		id, swept.At.Format(time.DateOnly), swept.Reason)
}

func memoryEntries(entries []longterm.Entry) []wire.MemoryEntry {
	list := []wire.MemoryEntry{}
	for _, e := range entries {
		list = append(list, memoryEntry(e))
	}
	return list
}

func memoryEntry(e longterm.Entry) wire.MemoryEntry {
	entry := wire.MemoryEntry{
		ID: e.ID, Type: e.Type, Detail: e.Detail(), Text: e.Text, Rationale: e.Rationale,
		Source: wire.Source(e.Source), Author: wire.Author(e.Writer()), Confidence: e.Confidence,
		Status: wire.EntryStatus(e.Status), Pinned: e.Pinned, Reviewed: e.Reviewed, Files: e.Files,
		Beside: e.Beside, Reinforced: e.Reinforced,
		CreatedAt: wire.At(e.CreatedAt), UpdatedAt: wire.At(e.UpdatedAt),
	}
	if e.Ended != nil {
		entry.DeletedAt = wire.At(e.Ended.At)
	}
	if e.Origin != nil {
		entry.Origin = &wire.Origin{SessionID: e.Origin.SessionID, Agent: e.Origin.Agent}
	}
	if e.Imported != nil {
		entry.Imported = &wire.Imported{
			From: wire.ImportSource(e.Imported.Program), File: e.Imported.File, Line: e.Imported.Line,
		}
	}
	if e.Stale != nil {
		entry.Stale = &wire.Stale{Reason: e.Stale.Reason}
	}
	return entry
}
