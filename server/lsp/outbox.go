package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// An outbox sends notifications to a client that wants them.
type outbox struct{ *Server }

// Changed sends wm/changed, and the diagnostics that have changed.
func (o outbox) Changed(ctx context.Context, changed wire.Changed) {
	o.publish(ctx)
	o.notify(ctx, wire.NotificationChanged, changed)
}

// Intervene sends wm/intervention.
func (o outbox) Intervene(intervention wire.Intervention) {
	o.later(func(ctx context.Context) { o.notify(ctx, wire.NotificationIntervention, intervention) })
}

// Compacted sends wm/history/compacted.
func (o outbox) Compacted(compacted wire.HistoryCompacted) {
	o.later(func(ctx context.Context) { o.notify(ctx, wire.NotificationHistoryCompacted, compacted) })
}

// Tell sends window/showMessage.
func (o outbox) Tell(message string) {
	o.later(func(ctx context.Context) {
		o.notifyStandard(ctx, protocol.MethodWindowShowMessage,
			&protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: message})
	})
}

// Ask sends window/showMessageRequest. It waits for the answer on a goroutine of its own, and
// forgets the question when its time is over. It asks nothing while maxQuestions wait.
func (o outbox) Ask(question service.Question) {
	if !o.client.asks {
		return
	}
	select {
	case o.questions <- struct{}{}:
	default:
		return
	}
	o.later(func(life context.Context) {
		defer func() { <-o.questions }()
		ctx, cancel := context.WithTimeout(life, service.OriginalKept)
		defer cancel()
		var chosen *protocol.MessageActionItem
		err := o.request(ctx, protocol.MethodWindowShowMessageRequest, &protocol.ShowMessageRequestParams{
			Type: protocol.MessageTypeInfo, Message: question.Message,
			Actions: []protocol.MessageActionItem{{Title: question.No}, {Title: question.Yes}},
		}, &chosen)
		if err == nil && chosen != nil && chosen.Title == question.Yes {
			question.Keep(ctx)
		}
	})
}

func (o outbox) notify(ctx context.Context, method string, params any) {
	if !o.client.notifications {
		return
	}
	doc, err := encoded(params)
	if err == nil {
		err = o.conn.Notify(ctx, method, doc)
	}
	if err != nil {
		o.log.Debug("notify the client", "method", method, "error", err)
	}
}
