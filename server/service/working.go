package service

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/fault"
	"github.com/wm-lsp/wm-lsp/memory/hot"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// WorkingRead does wm/working/read.
func (s *Service) WorkingRead(_ context.Context, at *View, _ *wire.WorkingReadParams) (wire.WorkingReadResult, error) {
	if err := at.NotDeleted(at.who.Session); err != nil {
		return wire.WorkingReadResult{}, err
	}
	room, session := at.working(), at.who.Session
	result := wire.WorkingReadResult{
		Slots:        map[string][]wire.WorkingItem{},
		Pool:         []wire.WorkingItem{},
		EventCounter: room.Events(session),
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

// WorkingAdd does wm/working/add.
func (s *Service) WorkingAdd(
	ctx context.Context, at *View, params *wire.WorkingAddParams,
) (wire.WorkingAddResult, error) {
	if strings.TrimSpace(params.Content) == "" {
		return wire.WorkingAddResult{}, fault.Invalid("content", "is empty; say what to hold")
	}
	if err := at.recording(); err != nil {
		return wire.WorkingAddResult{}, err
	}
	var before []working.Item
	changes, err := at.ApplyIn(ctx, at.writing(), func() (changes []change.Change, err error) {
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

// WorkingRemove does wm/working/remove.
func (s *Service) WorkingRemove(
	ctx context.Context, at *View, params *wire.WorkingRemoveParams,
) (wire.WorkingRemoveResult, error) {
	if params.Match == "" && params.ID == "" {
		return wire.WorkingRemoveResult{}, fault.Invalid("match",
			"is empty; give a part of the items, or use wm/working/clear")
	}
	removed, err := at.drop(ctx, params.Slot, params.Match, params.ID)
	return wire.WorkingRemoveResult{Removed: workingItems(removed), Undo: at.undoOfDrop(removed)}, err
}

// WorkingClear does wm/working/clear.
func (s *Service) WorkingClear(
	ctx context.Context, at *View, params *wire.WorkingClearParams,
) (wire.WorkingClearResult, error) {
	removed, err := at.drop(ctx, params.Slot, "", "")
	return wire.WorkingClearResult{Removed: len(removed), Undo: at.undoOfDrop(removed)}, err
}

// undoOfDrop is the call that puts dropped items back, nil if there are none.
func (v *View) undoOfDrop(removed []working.Item) *wire.Undo {
	if len(removed) == 0 {
		return nil
	}
	items := make([]wire.WorkingDropped, 0, len(removed))
	for _, i := range removed {
		items = append(items, wire.WorkingDropped{
			Content: i.Content, Slot: i.Slot, Source: i.Source, Path: i.Path,
			Fingerprint: i.Fingerprint, Mentions: i.Mentions, Event: i.Event,
			CreatedAt: wire.At(i.CreatedAt), LastMentionedAt: wire.At(i.LastMentionedAt),
		})
	}
	return &wire.Undo{Method: "wm/working/restore", Params: wire.Object{"sessionId": v.who.Session, "items": items}}
}

// WorkingRestore puts back what was dropped. What was said in the session and
// dropped with it is a decision or todo of the session again. It is done also while
// nothing is recorded: what was removed then could not come back otherwise.
func (s *Service) WorkingRestore(
	ctx context.Context, at *View, params *wire.WorkingRestoreParams,
) (wire.WorkingRestoreResult, error) {
	if err := at.Known(at.who.Session); err != nil {
		return wire.WorkingRestoreResult{}, err
	}
	if len(params.Items) > maxDropped {
		return wire.WorkingRestoreResult{}, fault.Invalid("items",
			"must be at most %d, got %d", maxDropped, len(params.Items))
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
		all, _ := at.working().Matching(at.who.Session, working.Everywhere, "") // there is always everywhere
		return len(all)
	}
	before := held()
	_, err := at.ApplyIn(ctx, at.writing(), func() ([]change.Change, error) {
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

// maxDropped is how many items are put back at once; slots and pool hold far fewer.
const maxDropped = 1000

// statementsOfSlots are the kinds of the statements that are also in slots.
var statementsOfSlots = map[string]hot.StatementKind{working.Decisions: hot.Decision, working.Todos: hot.Todo}

func droppedItem(d wire.WorkingDropped) (working.Item, error) {
	created, err := moment("items.createdAt", d.CreatedAt)
	if err != nil {
		return working.Item{}, err
	}
	mentioned, err := moment("items.lastMentionedAt", d.LastMentionedAt)
	if err != nil {
		return working.Item{}, err
	}
	return working.Item{
		Slot: d.Slot, Content: d.Content, Source: cmp.Or(d.Source, "manual"),
		Path: d.Path, Fingerprint: d.Fingerprint, Mentions: d.Mentions, Event: d.Event,
		CreatedAt: created, LastMentionedAt: mentioned,
	}, nil
}

// drop removes the items of a slot, of all if none is named, that hold a text and,
// if one is given, have an id. What they say is then no decision or todo of the
// session either.
func (v *View) drop(ctx context.Context, slot, match, id string) (removed []working.Item, err error) {
	_, err = v.Apply(ctx, v.Actor(), func() (changes []change.Change, err error) {
		if err := v.NotDeleted(v.who.Session); err != nil {
			return nil, err
		}
		if removed, err = v.working().Matching(v.who.Session, cmp.Or(slot, working.Everywhere), match); err != nil {
			return nil, err
		}
		if id != "" {
			removed = slices.DeleteFunc(removed, func(i working.Item) bool { return i.ID != id })
		}
		var said []string
		for _, item := range removed {
			said = append(said, item.Content)
		}
		return append(
			v.working().Remove(v.who.Session, removed),
			v.hot().ForgetStatements(v.who.Session, said)...), nil
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
		ID: i.ID, Content: i.Content, Source: i.Source, Mentions: i.Mentions,
		CreatedAt: wire.At(i.CreatedAt), LastMentionedAt: wire.At(i.LastMentionedAt),
	}
}
