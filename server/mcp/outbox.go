package mcp

import (
	"context"
	"slices"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An outbox notifies the host of changed resources. MCP has no message for the other
// notifications: the next context has the pressure, and a question to a person stays without
// an answer.
type outbox struct{ *Server }

// Changed implements service.Outbox.
func (o outbox) Changed(ctx context.Context, changed wire.Changed) {
	o.watched.changed(ctx, slices.Contains(changed.Sections, service.NotesSection))
}

// Intervene implements service.Outbox.
func (o outbox) Intervene(wire.Intervention) {}

// Compacted implements service.Outbox.
func (o outbox) Compacted(wire.HistoryCompacted) {}

// Tell implements service.Outbox. Hosts show the log of a server to a person.
func (o outbox) Tell(message string) { o.log.Warn(message) }

// Ask implements service.Outbox.
func (o outbox) Ask(service.Question) {}
