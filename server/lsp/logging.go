package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/gate"
)

// maxRemarks is the maximum number of remarks that wait for a slow client. More are
// dropped; they are in the log.
const maxRemarks = 64

// A remark is a notification that may be dropped: a log message or a trace.
type remark struct {
	method string
	params any
}

// remarks is the queue of remarks. Putting one on it never blocks.
type remarks chan remark

func (r remarks) put(method string, params any) {
	select {
	case r <- remark{method, params}:
	default:
	}
}

// deliver sends remarks to the client until ctx is done.
func (s *Server) deliver(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case r := <-s.remarks:
			s.notifyStandard(ctx, r.method, r.params)
		}
	}
}

// A clientLog is a log handler that also sends warnings and errors to the client, whose
// log shows those of all servers. Secrets are removed, because editors keep logs in files.
type clientLog struct {
	slog.Handler
	server *Server
}

func (l clientLog) Handle(ctx context.Context, record slog.Record) error {
	if record.Level >= slog.LevelWarn && l.server.lifecycle.is(initialized) {
		var text strings.Builder
		text.WriteString(record.Message)
		record.Attrs(func(a slog.Attr) bool {
			fmt.Fprintf(&text, " %s=%v", a.Key, a.Value)
			return true
		})
		kind := protocol.MessageTypeWarning
		if record.Level >= slog.LevelError {
			kind = protocol.MessageTypeError
		}
		l.server.remarks.put(protocol.MethodWindowLogMessage,
			&protocol.LogMessageParams{Type: kind, Message: gate.Text(text.String())})
	}
	return l.Handler.Handle(ctx, record)
}

func (l clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return clientLog{l.Handler.WithAttrs(attrs), l.server}
}

func (l clientLog) WithGroup(name string) slog.Handler {
	return clientLog{l.Handler.WithGroup(name), l.server}
}
