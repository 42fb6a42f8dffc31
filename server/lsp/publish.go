package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/wm-lsp/wm-lsp/server/service"
	"github.com/wm-lsp/wm-lsp/server/wire"
)

// published is what the client shows: the marks of each file.
type published struct {
	mu    sync.Mutex                // keeps what is sent in order, so it is held while the client is waited for
	marks map[string][]service.Mark // by URI
}

// publish sends the files whose errors have changed since the last call. It may wait for the client.
func (s *Server) publish(ctx context.Context) {
	if !s.client.diagnostics {
		return
	}
	p := &s.published
	p.mu.Lock()
	defer p.mu.Unlock()
	now := map[string][]service.Mark{}
	for _, file := range s.service.Published() {
		name := file.At.FileURI(file.Path)
		now[name] = file.Marks
		if !slices.Equal(p.marks[name], file.Marks) {
			s.notifyStandard(ctx, protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{
				URI: uri.URI(name), Diagnostics: s.marked(file, name),
			})
		}
	}
	for name := range p.marks {
		if now[name] == nil {
			s.notifyStandard(ctx, protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{
				URI: uri.URI(name), Diagnostics: []protocol.Diagnostic{},
			})
		}
	}
	p.marks = now
}

// marked returns the diagnostics of a file.
func (s *Server) marked(file service.Publication, name string) []protocol.Diagnostic {
	lines := strings.Split(s.textOf(file, name), "\n")
	diagnostics := []protocol.Diagnostic{}
	for _, mark := range file.Marks {
		diagnostics = append(diagnostics, protocol.Diagnostic{
			Range: lineRange(lines, mark.Line), Severity: protocol.DiagnosticSeverity(mark.Severity),
			Source: protocol.NewOptional(wire.SourceWM), Code: protocol.String(mark.Code),
			Message: protocol.String(mark.Message),
		})
	}
	return diagnostics
}

// textOf returns the text of a file, from the open document or else from the disk, "" if it cannot be read.
func (s *Server) textOf(file service.Publication, name string) string {
	if open, tracked := s.documents.find(name); tracked {
		if text, known := s.documents.known(open); known {
			return text
		}
	}
	text, err := file.Text()
	if err != nil {
		s.log.Debug("read a file to place its errors", "error", err)
	}
	return text
}

// lineRange returns the range of what stands on a line, counted from 1. A line that is not there is the
// last one; one that is not known is the first.
func lineRange(lines []string, line int) protocol.Range {
	at := min(max(line, 1), len(lines)) - 1
	content := strings.TrimRight(lines[at], " \t\r")
	indent := len(content) - len(strings.TrimLeft(content, " \t"))
	length := len(utf16.Encode([]rune(content)))
	return protocol.Range{
		Start: protocol.Position{Line: uint32(at), Character: uint32(indent)},
		End:   protocol.Position{Line: uint32(at), Character: uint32(length)},
	}
}
