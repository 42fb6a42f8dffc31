package service

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// maintainOverview returns the overview of the session, and schedules the recording of new content. If there is none,
// it begins to create one. The function that it returns waits for that, and returns the overview that is there then,
// nil if it is the same.
func (s *Service) maintainOverview(
	ctx context.Context, at *View,
) (overview notes.Snapshot, made func() (other *notes.Snapshot)) {
	room := memory.RoomOf[*notes.Room](at.Workspace)
	note, created, err := s.makeOverview(ctx, at)
	overview = room.SnapshotOf(note, err)
	if overview.Exists() {
		at.notes().SyncOverview(at.who.Session, overview.Own)
	}
	return overview, func() *notes.Snapshot {
		if created == nil {
			return nil
		}
		found, err := created()
		if err == nil && found.Revision == note.Revision {
			return nil
		}
		other := room.SnapshotOf(found, err)
		return &other
	}
}

// makeOverview returns the overview. If there is none, it begins to create it from the template, as mutations of their
// own in the order of the workspace: the session has begun when it returns, and created waits until the file is there
// and returns what it holds.
func (s *Service) makeOverview(
	ctx context.Context, at *View,
) (note notes.Note, created func() (notes.Note, error), err error) {
	note, err = at.notes().Overview(at.who.Session)
	if err != nil || note.Revision != "" || !at.Settings().Notes.Create || at.Paused() || !at.Healthy() {
		return note, nil, err
	}
	var planned notes.Note
	begun := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (_ any, err error) {
		planned, err = at.notes().BeginOverview(ctx, at.event(nil))
		return nil, err
	})
	isBegun, err := settle(ctx, at, at.Settled())
	if isBegun {
		_, err = begun()
	}
	if err != nil || isBegun && planned.Revision == "" {
		return note, nil, err
	}
	made := s.Order(ctx, wire.Mutates, at, func(ctx context.Context) (any, error) {
		return nil, at.notes().MakeOverview(ctx, at.event(nil))
	})
	if !isBegun {
		return note, nil, nil // it is created later
	}
	settled := at.Settled()
	return planned, func() (notes.Note, error) {
		if done, err := settle(ctx, at, settled); !done {
			return notes.Note{}, err
		}
		if _, err := made(); err != nil {
			return notes.Note{}, err
		}
		return at.notes().Overview(at.who.Session)
	}, nil
}
