package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// WorkingRead implements wm/working/read.
func (s *Service) WorkingRead(_ context.Context, at *View, _ *wire.WorkingReadParams) (wire.WorkingReadResult, error) {
	if err := at.Sessions().NotDeleted(at.who.Session); err != nil {
		return wire.WorkingReadResult{}, err
	}
	room, session := at.working(), at.who.Session
	result := wire.WorkingReadResult{
		Slots: map[string][]wire.WorkingItem{}, Pool: []wire.WorkingItem{}, EventCounter: room.Events(session),
	}
	for _, slot := range room.Slots() {
		result.Slots[slot.Name] = workingItems(room.Slot(session, slot.Name))
	}
	for _, scored := range room.Pool(session) {
		item := workingItem(scored.Item)
		item.Score = &scored.Score
		result.Pool = append(result.Pool, item)
	}
	return result, nil
}

// WorkingAdd implements wm/working/add.
func (s *Service) WorkingAdd(
	ctx context.Context, at *View, params *wire.WorkingAddParams,
) (wire.WorkingAddResult, error) {
	if strings.TrimSpace(params.Content) == "" {
		return wire.WorkingAddResult{}, fault.Invalid("content", "must not be empty")
	}
	if err := at.recording(); err != nil {
		return wire.WorkingAddResult{}, err
	}
	var before []working.Item
	changes, err := at.ApplyIn(ctx, at.written(), func() (changes []change.Change, err error) {
		if before, err = at.working().Matching(at.who.Session, params.Slot, ""); err != nil {
			return nil, err
		}
		return at.working().Add(at.who.Session, params.Slot, params.Content)
	})
	if err != nil {
		return wire.WorkingAddResult{}, err
	}
	item, evicted := at.working().Added(changes, before)
	return wire.WorkingAddResult{Item: workingItem(item), Evicted: workingItems(evicted)}, nil
}

// WorkingRemove implements wm/working/remove.
func (s *Service) WorkingRemove(
	ctx context.Context, at *View, params *wire.WorkingRemoveParams,
) (wire.WorkingRemoveResult, error) {
	if params.Match == "" && params.ID == "" {
		return wire.WorkingRemoveResult{}, fault.Invalid("match",
			"is missing; send a part of the content, or use wm/working/clear")
	}
	removed, err := at.drop(ctx, params.Slot, params.Match, params.ID)
	return wire.WorkingRemoveResult{Removed: workingItems(removed), Undo: at.undoOfDrop(removed)}, err
}

// WorkingClear implements wm/working/clear.
func (s *Service) WorkingClear(
	ctx context.Context, at *View, params *wire.WorkingClearParams,
) (wire.WorkingClearResult, error) {
	removed, err := at.drop(ctx, params.Slot, "", "")
	return wire.WorkingClearResult{Removed: len(removed), Undo: at.undoOfDrop(removed)}, err
}

// undoOfDrop returns the call that restores dropped items, or nil if there are none.
func (v *View) undoOfDrop(removed []working.Item) *wire.Undo {
	if len(removed) == 0 {
		return nil
	}
	items := make([]wire.WorkingDropped, 0, len(removed))
	for _, i := range removed {
		items = append(items, wire.WorkingDropped{
			Content: i.Content, Slot: i.Slot, Source: i.Source, Path: i.Path, Fingerprint: i.Fingerprint,
			Mentions: i.Mentions, Event: i.Event,
			CreatedAt: wire.At(i.CreatedAt), LastMentionedAt: wire.At(i.LastMentionedAt),
		})
	}
	return &wire.Undo{Method: "wm/working/restore", Params: wire.Object{"sessionId": v.who.Session, "items": items}}
}

// WorkingRestore implements wm/working/restore. An item that came from a message is also
// restored as a decision or todo of the session. It works while recording is paused,
// because items can be removed then.
func (s *Service) WorkingRestore(
	ctx context.Context, at *View, params *wire.WorkingRestoreParams,
) (wire.WorkingRestoreResult, error) {
	if err := at.NoWorkspace(); err != nil {
		return wire.WorkingRestoreResult{}, err
	}
	if err := at.Sessions().Known(at.who.Session); err != nil {
		return wire.WorkingRestoreResult{}, err
	}
	if len(params.Items) > maxDropped {
		return wire.WorkingRestoreResult{}, fault.Invalid("items", "must be at most %d, got %d", maxDropped,
			len(params.Items))
	}
	items := make([]working.Item, 0, len(params.Items))
	for _, dropped := range params.Items {
		item, err := droppedItem(dropped)
		if err != nil {
			return wire.WorkingRestoreResult{}, err
		}
		items = append(items, item)
	}
	held := func() int {
		all, _ := at.working().Matching(at.who.Session, working.Everywhere, "")
		// Everywhere is always valid
		return len(all)
	}
	before := held()
	_, err := at.ApplyIn(ctx, at.written(), func() ([]change.Change, error) {
		changes, err := at.working().Restore(at.who.Session, items)
		for _, item := range items {
			if kind, ok := statementsOfSlots[item.Slot]; ok && strings.HasPrefix(item.Source, "message:") &&
				err == nil {
				changes = append(changes, hot.TakeStatement(kind, item.Content))
			}
		}
		return changes, err
	})
	return wire.WorkingRestoreResult{Restored: held() - before}, err
}

// maxDropped is the maximum number of items to restore; slots and pool hold far fewer.
const maxDropped = 1000

// statementsOfSlots maps slots to the kind of statement that their items may also be.
var statementsOfSlots = map[string]hot.StatementKind{working.Decisions: hot.Decision, working.Todos: hot.Todo}

func droppedItem(d wire.WorkingDropped) (working.Item, error) {
	created, err := parseTime("items.createdAt", d.CreatedAt)
	if err != nil {
		return working.Item{}, err
	}
	mentioned, err := parseTime("items.lastMentionedAt", d.LastMentionedAt)
	if err != nil {
		return working.Item{}, err
	}
	return working.Item{
		Slot: d.Slot, Content: d.Content, Source: cmp.Or(d.Source, "manual"), Path: d.Path, Fingerprint: d.Fingerprint,
		Mentions: d.Mentions, Event: d.Event,
		CreatedAt: created, LastMentionedAt: mentioned,
	}, nil
}

// drop removes the items that contain match and, if id is not empty, have the id. An
// empty slot means all slots. The items are also removed from the decisions and todos of
// the session.
func (v *View) drop(ctx context.Context, slot, match, id string) (removed []working.Item, err error) {
	_, err = v.Apply(ctx, v.Actor(), func() (changes []change.Change, err error) {
		if err := v.Sessions().NotDeleted(v.who.Session); err != nil {
			return nil, err
		}
		if removed, err = v.working().Matching(v.who.Session, cmp.Or(slot, working.Everywhere), match); err != nil {
			return nil, err
		}
		if id != "" {
			removed = slices.DeleteFunc(removed, func(i working.Item) bool { return i.ID != id })
		}
		var contents []string
		for _, item := range removed {
			contents = append(contents, item.Content)
		}
		changes = v.working().Remove(v.who.Session, removed)
		return append(changes, v.hot().ForgetStatements(v.who.Session, contents)...), nil
	})
	return removed, err
}

func workingItems(items []working.Item) []wire.WorkingItem {
	list := make([]wire.WorkingItem, 0, len(items))
	for _, item := range items {
		list = append(list, workingItem(item))
	}
	return list
}

func workingItem(i working.Item) wire.WorkingItem {
	return wire.WorkingItem{
		ID: i.ID, Content: i.Content, Source: i.Source, Mentions: i.Mentions, CreatedAt: wire.At(i.CreatedAt),
		LastMentionedAt: wire.At(i.LastMentionedAt),
	}
}

// ClearSlot is WorkingClear for people: the slot must be named.
func (s *Service) ClearSlot(
	ctx context.Context, at *View, params *wire.WorkingClearParams,
) (wire.WorkingClearResult, error) {
	if params.Slot == "" {
		return wire.WorkingClearResult{}, fault.Invalid("slot", "is missing; must be the name of a slot")
	}
	return s.WorkingClear(ctx, at, params)
}

// ClearSlotMessage returns the message to a person for the result of ClearSlot.
func ClearSlotMessage(result wire.WorkingClearResult) string {
	return fmt.Sprintf("Removed %d items from the working memory.", result.Removed)
}
