package server

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/render"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

func (s *Server) workingRead(_ context.Context, at *view, _ *wire.WorkingReadParams) (wire.WorkingReadResult, error) {
	room, session := at.Working(), at.who.Session
	result := wire.WorkingReadResult{Slots: map[string][]wire.WorkingItem{}, Pool: []wire.WorkingItem{}, EventCounter: room.Events(session)}
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

func (s *Server) workingAdd(ctx context.Context, at *view, params *wire.WorkingAddParams) (wire.WorkingAddResult, error) {
	if strings.TrimSpace(params.Content) == "" {
		return wire.WorkingAddResult{}, badParam("content", "is empty; say what to hold")
	}
	if err := at.recording(); err != nil {
		return wire.WorkingAddResult{}, err
	}
	var before []working.Item
	changes, err := at.ApplyIn(ctx, at.event(nil), func() (changes []change.Change, err error) {
		if before, err = at.Working().Matching(at.who.Session, params.Slot, ""); err != nil {
			return nil, err
		}
		return at.Working().Add(at.who.Session, params.Slot, params.Content)
	})
	if err != nil {
		return wire.WorkingAddResult{}, err
	}
	item, evicted := at.Working().Added(changes, before)
	return wire.WorkingAddResult{Item: workingItem(item), Evicted: workingItems(evicted)}, nil
}

func (s *Server) workingRemove(ctx context.Context, at *view, params *wire.WorkingRemoveParams) (wire.WorkingRemoveResult, error) {
	if params.Match == "" {
		return wire.WorkingRemoveResult{}, badParam("match", "is empty; give a part of the items, or use wm/working/clear")
	}
	removed, err := at.drop(ctx, params.Slot, params.Match)
	return wire.WorkingRemoveResult{Removed: workingItems(removed)}, err
}

func (s *Server) workingClear(ctx context.Context, at *view, params *wire.WorkingClearParams) (wire.WorkingClearResult, error) {
	removed, err := at.drop(ctx, params.Slot, "")
	return wire.WorkingClearResult{Removed: len(removed)}, err
}

// drop removes the items of a slot, of all if none is named, that hold a text. What
// they say is then no decision or todo of the session either.
func (v *view) drop(ctx context.Context, slot, match string) (removed []working.Item, err error) {
	_, err = v.Apply(ctx, v.actor(), func() (changes []change.Change, err error) {
		if removed, err = v.Working().Matching(v.who.Session, cmp.Or(slot, working.Everywhere), match); err != nil {
			return nil, err
		}
		var said []string
		for _, item := range removed {
			said = append(said, item.Content)
		}
		return append(v.Working().Remove(v.who.Session, removed), v.Hot().ForgetNotes(v.who.Session, said)...), nil
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
		ID: i.ID, Content: i.Content, Source: i.Source, Mentions: i.Mentions, CreatedAt: wire.At(i.CreatedAt), LastMentionedAt: wire.At(i.LastMentionedAt),
	}
}

// renderWorking leaves out what the sections that are kept longer say already.
// An open error is the business of the session state, which counts those that
// it does not list.
func (c *composer) renderWorking(maxChars int) render.Part {
	return c.at.Working().Render(c.at.who.Session, maxChars, working.View{Open: c.open, Said: func(item working.Item) bool {
		return c.errorsTold && c.open(item) || item.IsFile() && c.tells(item.Path) || c.tells(saying(item.Content))
	}})
}

func (c *composer) open(item working.Item) bool {
	_, open := c.at.Hot().Open(c.at.worktree(), item.Fingerprint)
	return open
}

// commandClearSlot empties a slot of the working memory.
func (s *Server) commandClearSlot(ctx context.Context, at *view, args json.RawMessage) (any, error) {
	params, err := decodeArgs[wire.WorkingClearParams](args)
	if err != nil {
		return nil, err
	}
	if params.Slot == "" {
		return nil, badParam("slot", "is missing; name the slot to empty")
	}
	result, err := s.workingClear(ctx, at, &params)
	if err == nil {
		s.say(ctx, "Removed %d items from the working memory.", result.Removed)
	}
	return result, err
}
