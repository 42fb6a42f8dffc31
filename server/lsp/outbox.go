package lsp

import (
	"context"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An outbox sends what a client is to be told, if it wants to be.
type outbox struct{ *Server }

// Changed tells the client what changed.
func (o outbox) Changed(ctx context.Context, changed wire.Changed) {
	o.tell(ctx, wire.NotificationChanged, changed)
}

// Intervene tells the client that the context of a session is nearly full.
func (o outbox) Intervene(intervention wire.Intervention) {
	o.later(func(ctx context.Context) { o.tell(ctx, wire.NotificationIntervention, intervention) })
}

// Compacted tells the client what of the history of a session was compacted.
func (o outbox) Compacted(compacted wire.HistoryCompacted) {
	o.later(func(ctx context.Context) { o.tell(ctx, wire.NotificationHistoryCompacted, compacted) })
}

func (o outbox) tell(ctx context.Context, method string, params any) {
	if !o.client.notifications {
		return
	}
	doc, err := encoded(params)
	if err == nil {
		err = o.conn.Notify(ctx, method, doc)
	}
	if err != nil {
		o.log.Debug("tell the client", "method", method, "error", err)
	}
}
