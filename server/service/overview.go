package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maintainOverview creates the overview of the session if there is none, and schedules
// the recording of new content.
func (s *Service) maintainOverview(ctx context.Context, at *View) notes.Snapshot {
	overview := memory.RoomOf[*notes.Room](at.Workspace).SnapshotOf(s.makeOverview(ctx, at))
	if overview.Exists() {
		at.notes().SyncOverview(at.who.Session, overview.Own)
	}
	return overview
}

// makeOverview returns the overview. If there is none, it creates it from the template,
// as a mutation of its own in the order of the workspace.
func (s *Service) makeOverview(ctx context.Context, at *View) (notes.Note, error) {
	note, err := at.notes().Overview(at.who.Session)
	if err != nil || note.Revision != "" || !at.Settings().Notes.Create || at.Paused() || !at.Healthy() {
		return note, err
	}
	made := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, at.notes().MakeOverview(ctx, at.event(nil))
	})
	if done, err := settle(ctx, at, at.Settled()); !done {
		return note, err // it is created later
	}
	if _, err := made(); err != nil {
		return note, err
	}
	return at.notes().Overview(at.who.Session)
}
