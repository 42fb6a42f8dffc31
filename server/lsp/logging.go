package lsp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/memory/gate"
)

// maxRemarks is how many remarks wait for a client that is slow. More are
// dropped: they are in the log, too.
const maxRemarks = 64

// A remark is a notification that a client can do without: a log message or a
// trace.
type remark struct {
	method string
	params any
}

// remarks carries remarks to the client without ever waiting for it.
type remarks chan remark

func (r remarks) put(method string, params any) {
	select {
	case r <- remark{method, params}:
	default:
	}
}

// deliver sends remarks for as long as the connection lives.
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

// clientLog is a log handler that also tells the client of warnings and errors,
// so that a person finds them where they look for those of other servers. Editors
// keep these in files.
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
		l.server.remarks.put(protocol.MethodWindowLogMessage, &protocol.LogMessageParams{Type: kind, Message: gate.Text(text.String())})
	}
	return l.Handler.Handle(ctx, record)
}

func (l clientLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return clientLog{l.Handler.WithAttrs(attrs), l.server}
}

func (l clientLog) WithGroup(name string) slog.Handler {
	return clientLog{l.Handler.WithGroup(name), l.server}
}

// traced tells a client that asked for it with $/setTrace what was handled and
// how long it took.
func (s *Server) traced(method string, began time.Time) {
	if level, _ := s.trace.Load().(string); level == "" || level == "off" {
		return
	}
	s.remarks.put(protocol.MethodLogTrace, &protocol.LogTraceParams{
		Message: fmt.Sprintf("%s took %d µs", method, time.Since(began).Microseconds()),
	})
}
