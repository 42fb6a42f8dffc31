package memory

import (
	"context"

	"github.com/wm-lsp/wm-lsp/memory/change"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/store"
)

// Replay folds changes over rows in rooms of their own.
func Replay(w *Workspace, rows map[string][]change.Row, changes []change.Change) map[string][]change.Row {
	return w.rooms.replay(rows, changes)
}

// Poll does what is done every second. It is called on the queue.
func Poll(w *Workspace) { w.poll(context.Background()) }

// Flush writes the hot changes that wait. It is called on the queue.
func Flush(w *Workspace) { w.flush(context.Background()) }

// Refresh looks for changes of other processes. It is called on the queue.
func Refresh(w *Workspace) { w.reader.refresh(context.Background()) }

// RoomsOf returns rooms that hold a state.
func RoomsOf(w *Workspace, state store.State) []room.Room { return w.rooms.holding(state).list }

// RemoveUnused removes the folder of a session that has ended and was not used. It is called
// on the queue.
func RemoveUnused(w *Workspace, session string) {
	w.lifecycle.removeUnused(context.Background(), session)
}

// WriteCopy writes the readable copy. It is called on the queue.
func WriteCopy(w *Workspace) error {
	return ServiceOf[*longterm.Service](w).WriteCopy(context.Background())
}

// Alive reports whether a process owns a session.
func Alive(w *Workspace, session string) bool { return w.leases.alive(session) }

// StoreOf returns the open store.
func StoreOf(w *Workspace) Store { return w.store.Load() }
