package service

import (
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/working"
)

// NotesSection is the section of the panel that changes with the notes of a session.
const NotesSection = notes.Section

// storeLabel returns the name of a store for a person: that of the section of the panel, if it has one.
func storeLabel(store string) string {
	switch store {
	case room.StoreWorkspace:
		return longterm.PanelTitle
	case room.StoreErrors:
		return "Errors"
	case room.StoreDecisions:
		return working.SaidTitle
	case room.StoreCore:
		return core.PanelTitle
	case room.StoreNotes:
		return notes.PanelTitle
	case room.StoreConversation:
		return "Conversation"
	case room.StoreSessions:
		return sessions.PanelTitle
	}
	return store
}
