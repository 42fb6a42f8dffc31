package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maintainOverview makes the overview of the session where there is none, and
// notes soon what it says if that is new.
func (s *Service) maintainOverview(ctx context.Context, at *View) notes.Look {
	look := memory.RoomOf[*notes.Room](at.Workspace).LookAt(s.makeOverview(ctx, at))
	if look.There() {
		memory.ServiceOf[*notes.Service](at.Workspace).NoticeOverview(at.who.Session, look.Own)
	}
	return look
}

// makeOverview makes the overview from the template where there is none, and
// returns it. Making it is a mutation of its own in the order of the workspace.
func (s *Service) makeOverview(ctx context.Context, at *View) (notes.Note, error) {
	note, err := memory.ServiceOf[*notes.Service](at.Workspace).Overview(at.who.Session)
	if err != nil || note.Revision != "" || !at.Settings().Notes.Create || at.Paused() || !at.Healthy() {
		return note, err
	}
	made := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, memory.ServiceOf[*notes.Service](at.Workspace).MakeOverview(ctx, at.event(nil))
	})
	if _, err := made(); err != nil {
		return note, err
	}
	return memory.ServiceOf[*notes.Service](at.Workspace).Overview(at.who.Session)
}
