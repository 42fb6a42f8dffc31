package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An Outbox receives what the service notifies of. Only the newest message is kept until it is shown.
type Outbox struct {
	service.Silent
	changed chan struct{} // of length 1
	said    chan string   // of length 1
}

// NewOutbox returns the outbox of a service that the panel shows.
func NewOutbox() *Outbox { return &Outbox{changed: make(chan struct{}, 1), said: make(chan string, 1)} }

// Changed implements service.Outbox.
func (o *Outbox) Changed(context.Context, wire.Changed) {
	select {
	case o.changed <- struct{}{}:
	default:
	}
}

// Tell implements service.Outbox.
func (o *Outbox) Tell(message string) {
	select {
	case <-o.said:
	default:
	}
	select {
	case o.said <- message:
	default:
	}
}

// The events of an outbox.
type (
	changedMsg struct{}
	saidMsg    string
)

// pass passes what is received on, until ctx is done.
func (o *Outbox) pass(ctx context.Context, send func(tea.Msg)) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.changed:
			send(changedMsg{})
		case message := <-o.said:
			send(saidMsg(message))
		}
	}
}
