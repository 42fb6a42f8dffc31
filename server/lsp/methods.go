package lsp

import (
	"go.lsp.dev/protocol"

	"github.com/wm-lsp/wm-lsp/server/wire"
)

// methods returns the handlers of all methods but initialize, by name.
func (s *Server) methods() map[string]handler {
	methods := map[string]handler{
		protocol.MethodInitialized: notice(s.initializedNotice),
		protocol.MethodShutdown:    standard(s.shutdown),
		protocol.MethodExit:        notice(s.exitNotice),
		protocol.MethodSetTrace:    notice(s.setTrace),

		protocol.MethodTextDocumentDidOpen:   notice(s.didOpen),
		protocol.MethodTextDocumentDidChange: notice(s.didChange),
		protocol.MethodTextDocumentDidSave:   notice(s.didSave),
		protocol.MethodTextDocumentDidClose:  notice(s.didClose),

		protocol.MethodTextDocumentCodeAction: s.codeActions(),
		protocol.MethodTextDocumentHover:      s.hover(),

		protocol.MethodWorkspaceDidChangeConfiguration:    notice(s.didChangeConfiguration),
		protocol.MethodWorkspaceDidChangeWorkspaceFolders: notice(s.didChangeWorkspaceFolders),
		protocol.MethodWorkspaceDidRenameFiles:            notice(s.didRenameFiles),
		protocol.MethodWorkspaceDidDeleteFiles:            notice(s.didDeleteFiles),
		protocol.MethodWorkspaceDidChangeWatchedFiles:     notice(s.didChangeWatchedFiles),
		protocol.MethodWorkspaceExecuteCommand:            s.executeCommand(),
	}
	for _, op := range s.service.Operations() {
		h := operation(op)
		if op.Name == wire.MethodDiagnosticsChanged {
			h = s.diagnostics(op)
		}
		methods[op.Name] = h
	}
	for name, method := range wire.ToolNames() {
		methods[name] = methods[method]
	}
	return methods
}
