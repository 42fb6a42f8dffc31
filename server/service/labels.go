package service

import (
	"github.com/wm-lsp/wm-lsp/memory/core"
	"github.com/wm-lsp/wm-lsp/memory/longterm"
	"github.com/wm-lsp/wm-lsp/memory/notes"
	"github.com/wm-lsp/wm-lsp/memory/room"
	"github.com/wm-lsp/wm-lsp/memory/sessions"
	"github.com/wm-lsp/wm-lsp/memory/working"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// NotesSection is the section of the panel that changes with the notes of a session.
const NotesSection = notes.Section

// CommandLine is the name of the client that the commands of this program are.
const CommandLine = longterm.CommandLine

// WhyLabel stands before the reason of an entry in what a search finds.
const WhyLabel = longterm.WhyLabel

// StatusLabel returns the status of an entry for a person.
func StatusLabel(status wire.EntryStatus) string { return longterm.Status(status).Words() }

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
